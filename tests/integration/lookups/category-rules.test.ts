import { readCoverage } from '@draftshelf/core/enrich/coverage';
import { copyProducts } from '@draftshelf/core/push/store/store-products';
import { currentRows } from '@draftshelf/core/work/runs';
import { hasOpenTask } from '@draftshelf/core/work/tasks';
import type { CategoryRule } from '@draftshelf/domain/enrich/rules/category-rule';
import { expect } from 'vitest';
import { editRow } from '../../support/edit-row.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { demoShop } from '../../support/merchant-product.ts';
import { isLong } from '../../support/queue-backend.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(pushers);

const steps = importSteps(() => stack);

let made = 0;
const rule = (changes: Partial<CategoryRule>): CategoryRule => {
  made += 1;
  return {
    id: `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`,
    name: `Rule ${made}`,
    enabled: true,
    if: { all: [{ field: 'title', is: 'has word', value: 'canvas' }] },
    set: { type: 'Wall Art' },
    only: 'if empty',
    ...changes,
  };
};

type Saved = { version: string; rules: CategoryRule[] };
const saved = async () => (await stack.api.call('GET', '/api/rules')).body as Saved;
const put = (rules: CategoryRule[], version: string) =>
  stack.api.call('PUT', '/api/rules', { body: { rules, version } });
async function save(rules: CategoryRule[]): Promise<void> {
  expect(await put(rules, (await saved()).version)).toMatchObject({ status: 200, body: { rules } });
}
const fillEmpty = (rulesFillEmpty: boolean) =>
  stack.api.call('POST', '/api/preferences', { body: { rulesFillEmpty } });

/** Waits until the rules are applied to an import. */
const applied = (id: string) =>
  until('the rules are applied', async () => !(await hasOpenTask(stack.database.db, id, 'apply-rules')));

const rowsOf = async (id: string) => {
  const rows = await steps.rowsOf(id);
  return rows.map(({ values, sources }) => ({ values, sources }));
};
const proposalsOf = async (id: string) => {
  const { rows } = await stack.database.pool.query(
    'select row, field, before, value, source, state from proposals where import_id = $1 order by row, field',
    [id],
  );
  return rows;
};

let files = 0;
/** Uploads a file that no other test has, and waits for its rules. */
async function importOf(lines: readonly string[][]): Promise<string> {
  files += 1;
  const csv = csvOf([['Title', 'Price', 'SKU', 'Type', 'Tags'], ...lines.map((line) => [...line])]);
  const id = await steps.processed(csv.replaceAll('SKU-', `S${files}-`));
  await applied(id);
  return id;
}

test('rules are saved as a whole, over the version that was changed', async () => {
  const before = await saved();
  expect(before.rules).toEqual([]);
  const first = [rule({}), rule({ set: { tags: ['print'] }, enabled: false })];
  const done = (await put(first, before.version)).body as Saved;
  expect(done.rules).toEqual(first);
  expect(await put([], before.version)).toMatchObject({
    status: 409,
    body: { code: 'changed_elsewhere', message: expect.any(String), current: done },
  });
  expect(await saved()).toEqual(done);
  const refused = await put([rule({ set: { collections: ['All Products'] } })], done.version);
  expect(refused).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/can’t set the collection/) },
  });
  await save([]);
});

test('rules that only another version can read are left out, and a save keeps them', async () => {
  const { pool } = stack.database;
  const id = '00000000-0000-4000-8000-00000000ffff';
  const weight = { field: 'weight', is: 'above', value: 2 };
  const newer = { if: { all: [weight] }, set: { type: 'X' }, only: 'if empty' };
  await pool.query(
    "insert into category_rules (id, position, name, rule, enabled) values ($1, 1, 'Newer', $2, true)",
    [id, JSON.stringify(newer)],
  );
  const kept = async () => (await pool.query('select rule from category_rules where id = $1', [id])).rows;
  await save([rule({}), rule({})]);
  expect(await kept()).toEqual([{ rule: newer }]);
  await save([]);
  expect(await kept()).toEqual([{ rule: newer }]);
  await pool.query('delete from category_rules where id = $1', [id]);
});

test('a trial counts and shows products, and changes nothing', async () => {
  const id = await importOf([
    ['Canvas print', '9', 'SKU-1', '', 'art'],
    ['Canvas, set of 3', '19', 'SKU-2', 'Pictures', ''],
    ['Rug', '29', 'SKU-3', '', ''],
  ]);
  const [typed, tagged] = [rule({}), rule({ set: { tags: ['print'] }, only: 'always add' })];
  const before = await rowsOf(id);
  const tried = await stack.api.call('POST', `/api/queue/${id}/rules/try`, {
    body: { rules: [typed, tagged] },
  });
  const example = (row: number, title: string, values: object[]) => ({ row, title, values });
  const print = { field: 'tags', before: 'art', value: 'art, print' };
  expect(tried.body).toEqual({
    products: 3,
    isAll: true,
    matches: [
      {
        ...{ rule: typed.id, count: 2, changed: 1 },
        examples: [
          example(1, 'Canvas print', [{ field: 'type', before: null, value: 'Wall Art' }]),
          example(2, 'Canvas, set of 3', []),
        ],
      },
      {
        ...{ rule: tagged.id, count: 2, changed: 2 },
        examples: [
          example(1, 'Canvas print', [print]),
          example(2, 'Canvas, set of 3', [{ field: 'tags', before: null, value: 'print' }]),
        ],
      },
    ],
  });
  expect([await rowsOf(id), await proposalsOf(id)]).toEqual([before, []]);
});

test('by default values are proposed; changed rules withdraw and replace them, decided ones stay', async () => {
  const wallArt = rule({ set: { type: 'Wall Art', collections: ['Clearance'] } });
  await save([wallArt]);
  const id = await importOf([
    ['Canvas print', '9', 'SKU-1', '', ''],
    ['Canvas set', '19', 'SKU-2', 'Pictures', ''],
  ]);
  const open = { before: null, source: 'rule', state: 'open' };
  expect(await proposalsOf(id)).toEqual([
    { ...open, row: 1, field: 'collections', value: 'Clearance' },
    { ...open, row: 1, field: 'type', value: 'Wall Art' },
    { ...open, row: 2, field: 'collections', value: 'Clearance' },
  ]);
  expect((await rowsOf(id))[0]?.values.type).toBeUndefined();
  const { rows } = await stack.database.pool.query(
    `select id from proposals where import_id = $1 and row = 2 and field = 'collections'`,
    [id],
  );
  const dismissed = await stack.api.call('POST', `/api/queue/${id}/proposals/${rows[0].id}`, {
    body: { action: 'dismiss' },
  });
  expect(dismissed.status).toBe(200);

  await save([{ ...wallArt, set: { type: 'Posters', collections: ['Clearance'] } }]);
  await applied(id);
  expect(await proposalsOf(id)).toEqual([
    { ...open, row: 1, field: 'collections', value: 'Clearance' },
    { ...open, row: 1, field: 'type', value: 'Posters' },
    { ...open, row: 2, field: 'collections', value: 'Clearance', state: 'dismissed' },
  ]);
  await save([]);
  await applied(id);
  expect(await proposalsOf(id)).toMatchObject([{ row: 2, state: 'dismissed' }]);
});

test('proposals that are dismissed while rules are applied wait for them, and do not deadlock', async () => {
  await save([rule({ set: { type: 'Wall Art' } })]);
  const id = await importOf([
    ['Canvas print', '9', 'SKU-1', '', ''],
    ['Canvas set', '19', 'SKU-2', '', ''],
  ]);
  const { pool } = stack.database;
  const { rows } = await pool.query('select id from proposals where import_id = $1 order by id', [id]);
  const [one, other] = rows.map((row) => row.id);
  const path = `/api/queue/${id}/proposals`;
  const blocked = async () =>
    (
      await pool.query(`select 1 from pg_stat_activity
        where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`)
    ).rows.length;
  for (const dismiss of [
    () => stack.api.call('POST', `${path}/decide`, { body: { action: 'dismiss', ids: [one] } }),
    () => stack.api.call('POST', `${path}/${other}`, { body: { action: 'dismiss' } }),
  ]) {
    // A part of the rules has locked rows and import, and waits for this connection.
    const holder = await pool.connect();
    await holder.query(`select pg_advisory_lock(hashtext('draftshelf rules'))`);
    expect((await stack.api.call('POST', `/api/queue/${id}/rules/apply`)).status).toBe(200);
    await until('the rules wait', async () => (await blocked()) >= 1);
    const dismissed = dismiss();
    await until('the dismissal waits', async () => (await blocked()) >= 2);
    await holder.query(`select pg_advisory_unlock(hashtext('draftshelf rules'))`);
    holder.release();
    expect((await dismissed).status).toBe(200);
    await applied(id);
  }
  expect((await proposalsOf(id)).map(({ state }) => state)).toEqual(['dismissed', 'dismissed']);
  const attempts = await pool.query(
    `select attempts from chunks where import_id = $1 and task = 'apply-rules' and attempts > 0`,
    [id],
  );
  expect(attempts.rows).toEqual([]);
  await save([]);
});

test('proposals of rules that are gone by a later run are withdrawn, although no rule is on', async () => {
  await save([rule({})]);
  const id = await importOf([['Canvas print', '9', 'SKU-1', '', '']]);
  expect(await proposalsOf(id)).toMatchObject([{ field: 'type', state: 'open' }]);
  // As if the rules had been saved while the import was not in review.
  await stack.database.pool.query('delete from category_rules');
  const reread = await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: { delimiter: ',' } });
  expect(reread.status, JSON.stringify(reread.body)).toBe(200);
  await until('the new run', async () => (await steps.read(id)).rows_run === 2);
  await steps.reach(id, 'queued', 'processed');
  await applied(id);
  expect(await proposalsOf(id)).toEqual([]);
});

test('by preference empty fields are filled at once, pushed, and follow the rules; edits and the file win', async () => {
  await fillEmpty(true);
  const tasks = async () =>
    (await stack.database.pool.query("select id from chunks where task = 'apply-rules' order by id")).rows;
  const before = await tasks();
  expect((await fillEmpty(true)).status).toBe(200);
  expect(await tasks()).toEqual(before);
  const wallArt = rule({ set: { type: 'Wall Art', collections: ['Clearance'], tags: ['art'] } });
  await save([wallArt, rule({ set: { tags: ['print'] }, only: 'always add' })]);
  const id = await importOf([
    ['Canvas print', '9', 'SKU-1', '', ''],
    ['Canvas set', '19', 'SKU-2', 'Pictures', 'sale'],
    ['Canvas roll', '29', 'SKU-3', '', ''],
  ]);
  const [first, second] = await rowsOf(id);
  expect(first).toMatchObject({
    values: { type: 'Wall Art', collections: 'Clearance', tags: 'art, print' },
    sources: { type: 'found', collections: 'found', tags: 'found' },
  });
  expect(second?.values).toMatchObject({ type: 'Pictures', collections: 'Clearance', tags: 'sale' });
  expect(await proposalsOf(id)).toMatchObject([
    { row: 2, field: 'tags', value: 'sale, print', state: 'open' },
  ]);

  const { db } = stack.database;
  await db.transaction().execute(async (trx) => {
    await editRow(trx, id, 1, { type: 'My type' });
    await editRow(trx, id, 3, { type: '' });
  });
  await save([{ ...wallArt, set: { type: 'Posters' } }]);
  await applied(id);
  const types = async () => (await rowsOf(id)).map(({ values }) => values.type);
  expect(await types()).toEqual(['My type', 'Pictures', undefined]);
  expect((await rowsOf(id)).map(({ values }) => values.tags)).toEqual([undefined, 'sale', undefined]);
  await save([wallArt]);
  await applied(id);
  expect((await rowsOf(id))[2]?.values).toMatchObject({ collections: 'Clearance', tags: 'art' });

  const pushed = await stack.api.call('POST', `/api/queue/${id}/push`);
  expect(pushed.status, JSON.stringify(pushed.body)).toBe(200);
  await steps.reach(id, 'completed');
  type InStore = { title: string; collectionIds: string[] };
  const inStore = ((await stack.store.products()) as unknown as InStore[]).find(
    ({ title }) => title === 'Canvas print',
  );
  expect(inStore).toMatchObject({ productType: 'My type', tags: ['art'] });
  expect(inStore?.collectionIds).toHaveLength(1);
  await fillEmpty(false);
  await save([]);
});

test.runIf(isLong)(
  'a task that is repeated changes nothing more, and a new run has its own values',
  async () => {
    await fillEmpty(true);
    await save([rule({})]);
    const id = await importOf([['Canvas print', '9', 'SKU-1', '', '']]);
    const values = async () => {
      const { rows } = await stack.database.pool.query(
        'select run, row, field, value, found_at from found_values where import_id = $1',
        [id],
      );
      return rows;
    };
    const before = await values();
    expect(before).toMatchObject([{ run: 1, row: 1, field: 'type', value: 'Wall Art' }]);
    const of = currentRows(await steps.read(id));
    for (const _ of [1, 2]) {
      expect((await stack.api.call('POST', `/api/queue/${id}/rules/apply`)).status).toBe(200);
    }
    await applied(id);
    expect(await values()).toEqual(before);
    expect(await readCoverage(stack.database.db, of)).toEqual([]);

    const reread = await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: { delimiter: ',' } });
    expect(reread.status, JSON.stringify(reread.body)).toBe(200);
    await until('the new run', async () => (await steps.read(id)).rows_run === 2);
    await steps.reach(id, 'queued', 'processed');
    await applied(id);
    expect((await rowsOf(id))[0]?.values.type).toBe('Wall Art');
    await fillEmpty(false);
    await save([]);
  },
);

test('rules are suggested from the copy of the store, and only their own import is changed by a button', async () => {
  const id = await importOf([['Canvas print', '9', 'SKU-1', '', '']]);
  const apply = await stack.api.call('POST', `/api/queue/${id}/rules/apply`);
  expect(apply).toMatchObject({ status: 200, body: { success: true } });
  await applied(id);
  await stack.database.pool.query(`update imports set status = 'completed' where id = $1`, [id]);
  expect(await stack.api.call('POST', `/api/queue/${id}/rules/apply`)).toMatchObject({ status: 409 });

  await stack.api.call('POST', '/api/shopify/test');
  const product = (nth: number) => ({
    ...{ id: `gid://shopify/Product/${nth}`, ourId: null, title: `Rug ${nth}`, vendor: '', type: 'Rugs' },
    ...{
      status: 'ACTIVE',
      handle: `rug-${nth}`,
      skus: [],
      gtins: [],
      price: null,
      quantity: null,
      image: null,
    },
    updatedAt: '2026-01-01T00:00:00Z',
  });
  await copyProducts(
    stack.database.db,
    demoShop,
    Array.from({ length: 20 }, (_, nth) => product(nth + 1)),
  );
  const suggested = await stack.api.call('GET', '/api/rules/suggested');
  expect(suggested.body).toMatchObject({
    rules: expect.arrayContaining([{ type: 'Rugs', word: 'rug', products: 20, withWord: 20 }]),
  });
  expect((await saved()).rules).toEqual([]);
});
