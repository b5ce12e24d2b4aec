import type { Job } from '@draftshelf/contract/imports';
import { up } from '@draftshelf/database/migrations/0011-storable-text';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { csvForm, startApi, type TestApi } from '../../support/api.ts';
import { csvOf } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { type Stack, startStack, storeToken } from '../../support/stack.ts';

let stack: Stack;
let api: TestApi;
const { push, outcomes, productsNamed, reach } = pushSteps(() => stack);
beforeAll(async () => {
  stack = await startStack();
  api = await startApi(stack, { storeUrl: stack.store.url, storeToken });
});
afterAll(async () => {
  await api?.close();
  await stack?.close();
});

async function upload(filename: string, rows: readonly (readonly string[])[]): Promise<string> {
  const { status, body } = await api.upload(csvForm(csvOf(rows), { filename }));
  expect([status, status === 200 ? null : body]).toEqual([200, null]);
  const { id } = body as { id: string };
  await reach(id, 'processed', 'queued');
  return id;
}

const ok = async (path: string) => {
  const { status, body } = await api.call('GET', path);
  expect([path, status, status === 200 ? null : body]).toEqual([path, 200, null]);
  return body;
};

const header = ['Title', 'Price', 'SKU', 'UPC', 'Image'];

test('a NUL in a cell and an emoji where a shape ends leave the queue, the history and the import readable', async () => {
  const nul = Array.from({ length: 10 }, (_, at) => [`Vase ${at}`, '5', `N-${at}\0`, '', '']);
  const sentence = `${'x'.repeat(39)}🏺 of clay`;
  const emoji = Array.from({ length: 60 }, (_, at) => [sentence, '5', `E-${at}`, '', '']);
  const ids = [await upload('nul.csv', [header, ...nul]), await upload('emoji.csv', [header, ...emoji])];
  const listed = (await ok('/api/queue')) as Job[];
  expect(listed.map(({ id }) => id).sort()).toEqual([...ids].sort());
  for (const id of ids) {
    await ok(`/api/queue/${id}`);
    await ok(`/api/jobs/${id}`);
    expect((await api.call('POST', `/api/queue/${id}/cancel`)).status).toBe(200);
  }
  expect(await ok('/api/history')).toHaveLength(2);
});

test('a row with a NUL is pushed like its neighbours', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => [`Bowl ${at}`, '5', `B-${at}`, '', '']);
  rows[7] = ['Bowl\0 7', '5', 'B\0-7', '', 'https://pictures.example/\0.jpg'];
  rows[8] = ['Bowl 8', '5', 'B-8\0\0\0', '', ''];
  const id = await upload('bowls.csv', [header, ...rows]);
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ status: 'completed', created: 30 });
  expect((await outcomes(id)).map(({ outcome }) => outcome)).toEqual(rows.map(() => 'created'));
  const skus = (await productsNamed('Bowl')).map(({ variants }) => variants[0]?.sku).sort();
  expect(skus).toEqual(rows.map((_, at) => (at === 7 ? 'B\uFFFD-7' : `B-${at}`)).sort());
});

test('the migration repairs JSON that was stored before, in every table', async () => {
  const { db, pool } = stack.database;
  const { rows: imports } = await pool.query('select id from imports limit 1');
  const bad = String.raw`{"a\u0000":["\ud83d","x\udc00\u0000\u0000y","\\\u0000","\\u0000","\\ud83d"],"n":null}`;
  const good = { 'a\uFFFD': ['\uFFFD', 'x\uFFFD\uFFFD\uFFFDy', '\\\uFFFD', '\\u0000', '\\ud83d'], n: null };
  await pool.query(`update runs set dialect = '${bad}', snapshot = '${bad}' where import_id = $1`, [
    imports[0].id,
  ]);
  await pool.query(`insert into listings (shop, our_id, sent) values ('before', 'one', '${bad}')`);
  await pool.query(`insert into lookups (gtin, source, state, answer) values ('1', 'own', 'hit', '${bad}')`);
  await up(db as unknown as Parameters<typeof up>[0]);
  const { rows } = await pool.query(
    `select dialect as repaired, dialect->'n' as part from runs where import_id = $1 and stage = 'parse'
     union all select snapshot, snapshot->'n' from runs where import_id = $1 and stage = 'parse'
     union all select sent, sent->'n' from listings where shop = 'before'
     union all select answer, answer->'n' from lookups where gtin = '1'`,
    [imports[0].id],
  );
  expect(rows).toEqual(Array.from({ length: 4 }, () => ({ repaired: good, part: null })));
});

test('an import whose stored reading is damaged says so in every list, and the others are served', async () => {
  const { pool } = stack.database;
  const ids = [];
  for (const name of ['mapping', 'dialect', 'healthy', 'ended', 'ended-healthy'])
    ids.push(await upload(`${name}.csv`, [header, [`Cup ${name}`, '5', `C-${name}`, '', '']]));
  const [mapping, dialect, healthy, ended = '', endedHealthy = ''] = ids;
  for (const id of [ended, endedHealthy]) await api.call('POST', `/api/queue/${id}/cancel`);
  const damage = (set: string, id = '') =>
    pool.query(`update runs set ${set} where import_id = $1 and stage = 'parse'`, [id]);
  await damage(`mapping = '{}'`, mapping);
  await damage(`dialect = '"?"'`, dialect);
  await damage(`mapping = '[null]'`, ended);
  await pool.query(`update imports set version = nextval('import_version')`);
  const stateOf = ({ id, isUnreadable, errorMessage }: Job) => [id, isUnreadable, errorMessage];
  const sentence = expect.stringMatching(/^This import can’t be shown/);
  const shown = async (path: string) => ((await ok(path)) as Job[]).map(stateOf);
  const listed = await shown('/api/queue');
  for (const id of [mapping, dialect, ended]) expect(listed).toContainEqual([id, true, sentence]);
  for (const id of [healthy, endedHealthy]) expect(listed).toContainEqual([id, false, null]);
  const history = await shown('/api/history?status=cancelled');
  expect(history).toContainEqual([ended, true, sentence]);
  expect(history).toContainEqual([endedHealthy, false, null]);
  expect(stateOf((await ok(`/api/jobs/${mapping}`)) as Job)).toEqual([mapping, true, sentence]);
  expect((await api.call('POST', `/api/queue/${mapping}/cancel`)).status).toBe(200);
});
