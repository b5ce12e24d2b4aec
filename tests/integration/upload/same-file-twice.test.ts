import { createHash, randomUUID } from 'node:crypto';
import type { EarlierImport } from '@draftshelf/contract/reading/upload';
import { withPinnedConnection } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { prepareRun } from '@draftshelf/core/work/finalize/prepare-run';
import { expect } from 'vitest';
import { editRow } from '../../support/edit-row.ts';
import { importSteps } from '../../support/import-steps.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(readers);
const steps = importSteps(() => stack);
const { upload, reach } = steps;

/** Uploads a file as nobody's list, so that it gets nothing else from the earlier file. */
async function uploaded(csv: string, dialect: object): Promise<ImportRecord> {
  const id = await upload(csv, { dialect: JSON.stringify(dialect), supplier: '' });
  return reach(id, 'queued', 'processed');
}

async function reread(id: string, dialect: object): Promise<ImportRecord> {
  expect((await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: dialect })).status).toBe(200);
  return reach(id, 'queued', 'processed');
}

const rowsOf = async ({ id }: ImportRecord) =>
  (await steps.rowsOf(id)).map(({ byte_from, values }) => ({ byte_from, price: values.price }));

const price = (id: string, row: number, value: string) =>
  stack.database.db.transaction().execute((trx) => editRow(trx, id, row, { price: value }));

test.each([
  ['a transcript', 'the file itself', { encoding: 'gb18030' }, { encoding: 'windows-1252' }],
  ['the file itself', 'a transcript', { encoding: 'windows-1252' }, { encoding: 'gb18030' }],
  ['one transcript', 'another', { encoding: 'gb18030' }, { encoding: 'big5' }],
])(
  'a file edited as %s holds its edits and its ids when it is uploaded again as %s',
  async (kind, again, a, b) => {
    // Other bytes per case, so that cases do not share files.
    const csv = `Title;Price;SKU\nKüche;10;${kind} ${again}\nVase;;B\nBowl;30;C\n`;
    const first = await uploaded(csv, a);
    await price(first.id, 2, '20');
    await price(first.id, 3, '33');
    const known = await rowsOf(first);
    const second = await uploaded(csv, b);
    expect(second).toMatchObject({ same_as: first.id, edits_without_row: 0, status: 'processed' });
    expect(await rowsOf(second)).toEqual(known);
    expect(known.map((row) => row.price)).toEqual(['10', '20', '33']);

    const requoted = await reread(second.id, { quote: "'" });
    expect(requoted).toMatchObject({ edits_without_row: 0 });
    expect(await rowsOf(requoted)).toEqual(known);
    const back = await reread(second.id, a);
    expect(back).toMatchObject({ edits_without_row: 0 });
    expect(await rowsOf(back)).toEqual(known);

    await price(second.id, 1, '11');
    const third = await uploaded(csv, b);
    expect(third).toMatchObject({ same_as: second.id, edits_without_row: 0 });
    expect((await rowsOf(third)).map((row) => row.price)).toEqual(['11', '20', '33']);
    expect((await rowsOf(third)).map((row) => row.byte_from)).toEqual(known.map((row) => row.byte_from));
  },
);

test('a file is recognized before its upload, with the edits that it will get', async () => {
  const csv = 'Title,Price\nRecognized,5\nWithout price,\nThird,\n';
  const sha256 = createHash('sha256').update(csv).digest('hex');
  const earlier = async () => {
    const answer = await stack.api.call('GET', `/api/upload/earlier?sha256=${sha256}`);
    expect(answer.status).toBe(200);
    return (answer.body as { earlier: EarlierImport | null }).earlier;
  };
  expect(await earlier()).toBeNull();
  const first = await uploaded(csv, {});
  const unedited = { products: 3, valid: 1, warnings: 2, errors: 0 };
  expect(await earlier()).toMatchObject({ id: first.id, source: 'upload', edits: 0, classes: unedited });
  await price(first.id, 2, '20');
  await price(first.id, 3, '30');
  await price(first.id, 3, '33');
  const known = await earlier();
  const classes = { products: 3, valid: 3, warnings: 0, errors: 0 };
  expect(known).toMatchObject({ edits: 2, classes });
  const second = await uploaded(csv, {});
  expect(second).toMatchObject({ same_as: known?.id, valid_products: known?.classes?.valid });
  expect(await earlier()).toMatchObject({ id: second.id, edits: 2 });

  const test = await upload(csv, { testMode: 'true' });
  await reach(test, 'queued', 'processed');
  expect(await earlier()).toMatchObject({ id: second.id, edits: 2, classes });
  expect((await stack.api.call('GET', '/api/upload/earlier?sha256=short')).status).toBe(400);
});

const set = (id: string, values: string) =>
  stack.database.pool.query(`update imports set ${values} where id = $1`, [id]);

/** The offsets of an import after a batch of its finalize that had begun to copy offsets; nothing of it is kept. */
async function offsetsAfter(
  id: string,
  begun: { at: number; from: string },
  isGone = false,
): Promise<number[]> {
  return withPinnedConnection(stack.database, async ({ db, client }) => {
    const ofImport = async (statement: string, ...values: unknown[]) =>
      (await client.query(statement, [id, ...values])).rows;
    await client.query('begin');
    await ofImport(
      `update imports set status = 'processing', same_as = case when $2 then null else same_as end where id = $1`,
      isGone,
    );
    const offsets = { import: begun.from, run: 1, countedIn: null };
    const progress = { step: 'carry offsets', at: begun.at, offsets };
    await ofImport('update runs set finalize = $2 where import_id = $1', JSON.stringify(progress));
    await ofImport('update rows set byte_from = 1000 + row where import_id = $1');
    const [chunk] = await ofImport(
      `update chunks set state = 'published' where import_id = $1 and kind = 'finalize' returning *`,
    );
    await prepareRun(db, chunk);
    const rows = await ofImport('select byte_from from rows where import_id = $1 order by row');
    await client.query('rollback');
    return rows.map((row) => row.byte_from);
  });
}

test('an upload during the deletion of the same file gets no edits, and offsets of a pushed import', async () => {
  const csv = 'Title;Price;SKU\nKüche;10;During-A\nVase;5;During-B\nBowl;30;During-C\n';
  const first = await uploaded(csv, { encoding: 'windows-1252' });
  await price(first.id, 2, '20');
  const known = await rowsOf(first);
  await set(first.id, 'deletion_began_at = now(), push_run = 1');
  const second = await uploaded(csv, { encoding: 'gb18030' });
  expect(second).toMatchObject({ same_as: first.id });
  expect((await rowsOf(second)).map((row) => row.price)).toEqual(['10', '5', '30']);
  const offsets = known.map((row) => row.byte_from);
  expect((await rowsOf(second)).map((row) => row.byte_from)).toEqual(offsets);

  // Offsets are copied from the first row again when their source changes, and made up when it is gone.
  const other = { from: randomUUID(), at: 3 };
  expect(await offsetsAfter(second.id, other)).toEqual(offsets);
  const same = { from: first.id, at: 3 };
  expect(await offsetsAfter(second.id, same)).toEqual([1001, 1002, 1003]);
  const madeUp = await offsetsAfter(second.id, { ...same, at: 1 }, true);
  expect(madeUp.every((offset) => offset < 0)).toBe(true);
  expect(new Set(madeUp).size).toBe(3);

  for (const { id } of [first, second]) await set(id, 'deletion_began_at = now(), push_run = 0');
  const third = await uploaded(csv, { encoding: 'gb18030' });
  expect(third).toMatchObject({ same_as: null });
});

test('a test import between hides no edits of the whole one, in whatever encoding each is read', async () => {
  const rows = ['Küche;10', 'Vase;', 'Bowl;30', 'Lamp;40', 'Chair;50'].map((row) => `${row};Tested`);
  const csv = `Title;Price;SKU\n${rows.join('\n')}\n`;
  const tried = await upload(csv, { testMode: 'true' });
  await reach(tried, 'queued', 'processed');
  await price(tried, 1, '11');
  const whole = await uploaded(csv, { encoding: 'windows-1252' });
  expect(whole).toMatchObject({ same_as: tried });
  expect((await rowsOf(whole)).map((row) => row.price)).toEqual(['11', undefined, '30', '40', '50']);
  await price(whole.id, 5, '55');
  const again = await upload(csv, { testMode: 'true', dialect: '{"encoding":"big5"}' });
  expect(await reach(again, 'queued', 'processed')).toMatchObject({ same_as: whole.id });
  const third = await uploaded(csv, { encoding: 'gb18030' });
  expect(third).toMatchObject({ same_as: whole.id, edits_without_row: 0 });
  expect((await rowsOf(third)).map((row) => row.price)).toEqual(['11', undefined, '30', '40', '55']);
});

test('edits stay when the import that they come from is deleted before the copy has been read', async () => {
  const csv = 'Title;Price;SKU\nKüche;10;Gone-A\nVase;5;Gone-B\n';
  const first = await uploaded(csv, { encoding: 'windows-1252' });
  await price(first.id, 2, '20');
  const second = await uploaded(csv, { encoding: 'gb18030' });
  expect((await stack.api.call('DELETE', `/api/queue/${first.id}`)).status).toBe(200);
  const gone = { sameAs: null, sameFilename: first.filename };
  await expect
    .poll(async () => (await stack.api.call('GET', `/api/jobs/${second.id}?rows=0`)).body)
    .toMatchObject(gone);
  const { rows } = await stack.database.pool.query('select 1 from deleted_imports where id = $1', [first.id]);
  expect(rows).toHaveLength(1);
  // As if the worker had been killed before the id was removed: no link to an import that is gone.
  await set(second.id, `same_as = '${first.id}'`);
  expect((await stack.api.call('GET', `/api/jobs/${second.id}?rows=0`)).body).toMatchObject(gone);

  // As if the deletion had ended before the copy was finalized.
  const offsets = (await rowsOf(second)).map((row) => row.byte_from);
  const none = { from: randomUUID(), at: 0 };
  expect(await offsetsAfter(second.id, none)).toEqual(offsets);
  expect((await rowsOf(second)).map((row) => row.price)).toEqual(['10', '20']);
});
