import type { Plan } from '@draftshelf/contract/push/plan';
import { saveSettings } from '@draftshelf/core/access/settings';
import { removeOldEntries } from '@draftshelf/core/operate/retention/old-entries';
import { storeOpeningPoints } from '@draftshelf/core/push/plan/estimate-plan';
import { beginPlan } from '@draftshelf/core/push/plan/plan';
import { countKnownProducts } from '@draftshelf/core/push/previews/previews';
import { pointsReservedForPushes } from '@draftshelf/core/push/store/store-budget';
import { leaveOutField } from '@draftshelf/domain/review/edited-field';
import { afterEach, expect } from 'vitest';
import { csvOf, until } from '../../support/fixture.ts';
import { holdStage } from '../../support/hold-stage.ts';
import { copyStore, demoShop } from '../../support/merchant-product.ts';
import { planSteps } from '../../support/plan-steps.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(pushers);
const { reach, push, importOf, edit, productsNamed } = pushSteps(() => stack);
const { plan, readPlan } = planSteps(() => stack);

afterEach(() => stack.store.clearFaults());

let files = 0;
async function fileOf(titles: readonly string[]): Promise<string> {
  files += 1;
  const rows = titles.map((title, at) => [title, `${at + 1}0`, `V-${at}`]);
  const csv = csvOf([['Title', 'Price', 'SKU'], ...rows]);
  return (await importOf(csv, String(files).padStart(4, '7').padEnd(64, '7'))).id;
}

// biome-ignore lint/suspicious/noExplicitAny: replies of three calls
const get = async (id: string, path = ''): Promise<any> =>
  (await stack.api.call('GET', `/api/queue/${id}/plan${path}`)).body;

it('a plan says what a push will do, its differences, and what has changed since', async () => {
  const id = await fileOf(['Same', 'Ours', 'Theirs', 'Left out']);
  await push(id);
  await reach(id, 'completed');
  await edit(id, 2, { price: '21', title: 'Ours, new' });
  await edit(id, 4, { [leaveOutField]: 'yes' });
  const [theirs] = await productsNamed('Theirs');
  await stack.store.edit(theirs?.id ?? 0, { title: 'Theirs, renamed' });
  await copyStore(stack);
  // The first plan also opens the store.
  await plan(id);
  const { plan: made } = await plan(id);
  expect(await get(id)).toMatchObject({
    state: 'ready',
    done: 4,
    total: 4,
    sums: expect.arrayContaining([
      { outcome: 'updated', code: null, products: 1 },
      { outcome: 'unchanged', code: null, products: 2 },
      { outcome: 'skipped', code: 'left-out', products: 1 },
    ]),
    outdated: { rows: false, settings: false, store: false, editedRows: 0 },
    estimate: { points: storeOpeningPoints + 1, seconds: 1 },
    push: null,
  } satisfies Partial<Record<keyof Plan, unknown>>);
  // The times of change, and the read of the one that has changed since, of which about 189 points are reserved.
  expect(made.points).toBeLessThanOrEqual(195);

  expect(await get(id, '/products')).toMatchObject({
    products: [
      {
        product: 2,
        title: 'Ours, new',
        sku: expect.stringMatching(/-1$/),
        outcome: 'updated',
        parts: ['title', 'price'],
        changes: [
          { part: 'variants', name: 'price', store: '20.00', push: '21.00' },
          { part: 'title', name: '', store: 'Ours', push: 'Ours, new' },
        ],
        moreChanges: 0,
        storeUrl: expect.any(String),
      },
      { product: 4, outcome: 'skipped', code: 'left-out' },
      { product: 1, title: 'Same', outcome: 'unchanged', parts: [], changes: [], edited: false },
      { product: 3, outcome: 'unchanged', parts: ['title'], message: expect.stringContaining('(title)') },
    ],
    next: null,
  });
  expect((await get(id, '/products?action=skipped&code=left-out')).products).toHaveLength(1);
  expect((await get(id, '/products?action=unchanged&after=1')).products).toMatchObject([{ product: 3 }]);
  expect((await get(id, '/products?after=4')).products).toMatchObject([{ product: 1 }, { product: 3 }]);
  expect((await get(id, '/products?from=3')).products).toMatchObject([{ product: 3 }, { product: 4 }]);
  expect(await get(id, '/products/2')).toMatchObject({
    sent: true,
    differences: [
      { part: 'title', name: '', store: 'Ours', push: 'Ours, new' },
      { part: 'variants', name: 'price', store: '20.00', push: '21.00' },
    ],
  });
  expect(await get(id, '/products/3')).toMatchObject({ sent: false, differences: [] });
  expect((await stack.api.call('GET', `/api/queue/${id}/plan/products/5`)).status).toBe(404);
  const { body: csv } = await stack.api.call('GET', `/api/queue/${id}/plan.csv`);
  expect(String(csv).split('\r\n').slice(0, 3)).toMatchObject([
    'Product,Title,Push will,Reason,Changes,Decision,Edited since,Push did otherwise,In the store',
    expect.stringContaining('1,Same,Leave it as it is'),
    expect.stringContaining('"Ours, new",Update it,,"title, price"'),
  ]);

  await edit(id, 1, { price: '11' });
  expect((await get(id)).outdated).toEqual({ rows: false, settings: false, store: false, editedRows: 1 });
  // An edit that is undone, or made again with the value before it, is none.
  await edit(id, 3, { price: '31' });
  expect((await get(id)).outdated).toMatchObject({ editedRows: 2 });
  expect((await get(id, '/products?from=3')).products[0]).toMatchObject({ product: 3, edited: true });
  await edit(id, 3, { price: null });
  await edit(id, 2, { price: '22' });
  await edit(id, 2, { price: '21' });
  expect((await get(id)).outdated).toMatchObject({ editedRows: 1 });
  expect((await get(id, '/products?from=2')).products.slice(0, 2)).toMatchObject([
    { product: 2, edited: false },
    { product: 3, edited: false },
  ]);
  // Not so an edit that the plan has counted.
  await edit(id, 2, { title: null });
  expect((await get(id)).outdated).toMatchObject({ editedRows: 2 });
  await edit(id, 2, { title: 'Ours, new' });
  expect((await get(id, '/products?from=1')).products[0]).toMatchObject({ product: 1, edited: true });
  await saveSettings(stack.database.db, { draftMode: false });
  expect((await get(id)).outdated).toMatchObject({ settings: true });
  await saveSettings(stack.database.db, { draftMode: true });

  await push(id);
  await reach(id, 'completed');
  expect((await get(id)).push).toMatchObject({
    asPlanned: 3,
    otherwise: [{ reason: 'edited', products: 1 }],
  });
  expect((await get(id, '/products?otherwise=true')).products).toMatchObject([
    { product: 1, otherwise: 'edited' },
  ]);
  expect((await get(id)).push).toMatchObject({ isLast: true });
  await push(id);
  await reach(id, 'completed');
  expect((await get(id)).push).toMatchObject({ run: 2, isLast: false });
});

it('an estimate counts few products of a large store, and assumes that it may have all of the others', async () => {
  const { db, pool } = stack.database;
  const shop = 'large.myshopify.com';
  const copy = (from: number, to: number) =>
    pool.query(
      `insert into store_products
         (shop, id, title, vendor, type, status, handle, skus, gtins, updated_at, seen_at)
       select $1, id, '', '', '', '', '', '{}', '{}', now(), now() from generate_series($2::int, $3::int) id`,
      [shop, from, to],
    );
  await copy(1, 9_999);
  expect(await countKnownProducts(db, shop, 500)).toBe(500);
  expect(await countKnownProducts(db, shop, 1_000_000)).toBe(9_999);
  await copy(10_000, 10_001);
  expect(await countKnownProducts(db, shop, 1_000_000)).toBe(1_000_000);
  await pool.query('delete from store_products where shop = $1', [shop]);
});

it.runIf(isLong)(
  'an estimate follows the last large plans for the store, and what was measured without one',
  async () => {
    const id = await fileOf(['Paced']);
    await push(id);
    await reach(id, 'completed');
    const { pool } = stack.database;
    // The first plan of a worker opens the store.
    await stack.process('push-worker').stop();
    await stack.start('push-worker');
    expect((await get(id)).estimate).toEqual({ points: storeOpeningPoints + 1, seconds: 1 });
    const { plan: made } = await plan(id);
    expect(made).toMatchObject({ points: storeOpeningPoints + 1, opening_points: storeOpeningPoints });
    expect(made.work_ms).toBeGreaterThan(0);

    await pool.query(`update runs set total_products = 1000000 where import_id = $1 and stage = 'parse'`, [
      id,
    ]);
    const { seconds: measured } = (await get(id)).estimate;
    const paced = async (sums: object, seconds: number) => {
      const values = [made.id, JSON.stringify(sums), seconds * 1000, storeOpeningPoints + 500];
      await pool.query('update previews set sums = $2, work_ms = $3, points = $4 where id = $1', values);
      return (await get(id)).estimate;
    };
    expect((await paced({ created: 900, unchanged: 99 }, 1)).seconds).toBe(measured);
    const known = await countKnownProducts(stack.database.db, demoShop, 1_000_000);
    expect(await paced({ created: 3_000, unchanged: 900, 'skipped:drifted': 100 }, 2)).toEqual({
      points: Math.ceil(storeOpeningPoints + known * 0.5),
      seconds: 500,
    });

    // So does a plan for which a worker had the store open.
    await pool.query('update previews set points = 500, opening_points = 0 where id = $1', [made.id]);
    expect((await get(id)).estimate.points).toBe(Math.ceil(storeOpeningPoints + known * 0.5));

    // Three seconds until a plan gets a point. Its own work before is no wait, and takes a second on a busy machine.
    const { rows } = await pool.query(
      `update store_budgets set available = $1 - 3 * restore_rate, measured_at = clock_timestamp()
     returning measured_at`,
      [pointsReservedForPushes],
    );
    const { plan: waiting } = await plan(id);
    expect(waiting).toMatchObject({ points: 1, opening_points: 0 });
    const tookMs = Number(waiting.previewed_at) - Number(rows[0]?.measured_at);
    expect(tookMs - waiting.work_ms).toBeGreaterThan(1_900);
  },
);

it('a plan is made when it is asked for, another one replaces it, and a push ends it', async () => {
  const id = await fileOf(['Alone', 'Alone too']);
  expect(await get(id)).toMatchObject({ state: 'none', total: 2 });
  const { pool } = stack.database;
  const release = await holdStage(stack, 'push');
  const plans = async () =>
    (
      await pool.query(
        `select replaced_at is not null as replaced from previews where import_id = $1 order by id`,
        [id],
      )
    ).rows;
  const tasks = async () =>
    (
      await pool.query(`select state from chunks where import_id = $1 and task = 'plan-push' order by id`, [
        id,
      ])
    ).rows;
  for (const _again of [false, true])
    expect((await stack.api.call('POST', `/api/queue/${id}/plan`)).status).toBe(202);
  expect(await plans()).toEqual([{ replaced: true }, { replaced: false }]);
  expect(await tasks()).toEqual([{ state: 'dropped' }, { state: 'pending' }]);
  expect((await get(id)).state).toBe('running');
  await push(id);
  expect((await get(id)).state).toBe('stopped');
  await release();
  await reach(id, 'completed');
  expect((await readPlan(id)).compared).toBeNull();

  // Lines of replaced plans are removed, those of the plan in force stay.
  await plan(id);
  await until('only its lines are left', async () => {
    await removeOldEntries(stack.database);
    const { rows } = await pool.query('select count(*)::int as plans from previews where import_id = $1', [
      id,
    ]);
    return rows[0]?.plans === 1;
  });
  expect((await get(id, '/products')).products).toHaveLength(2);
});

it('a product that another import has pushed differs from what that push left in the store', async () => {
  const csv = (price: string) =>
    csvOf([
      ['Title', 'Price', 'SKU'],
      ['Listed vase', price, 'LISTED-1'],
    ]);
  const first = await importOf(csv('10.00'), 'e1'.repeat(32), { supplier: null });
  await push(first.id);
  await reach(first.id, 'completed');
  const { id } = await importOf(csv('12.00'), 'e2'.repeat(32), { supplier: null });
  const { lines } = await plan(id);
  expect(lines).toMatchObject([{ outcome: 'skipped', code: 'in-store' }]);
  expect(await get(id, '/products/1')).toMatchObject({
    sent: false,
    differences: [{ part: 'variants', name: 'price', store: '10.00', push: '12.00' }],
  });
});

it.runIf(isLong)(
  'a plan without a store that answers waits, and fails visibly if the store refuses',
  async () => {
    const id = await fileOf(['Waits']);
    await push(id);
    await reach(id, 'completed');
    await stack.store.fault({ kind: 'status', status: 503, operation: 'nodes', times: 2 });
    const { lines } = await plan(id);
    expect(lines).toMatchObject([{ outcome: 'unchanged' }]);
    await stack.store.fault({ kind: 'status', status: 403, operation: 'nodes', times: 50 });
    await stack.database.db.transaction().execute((trx) => beginPlan(trx, id));
    await until('it has failed', async () => (await get(id)).state === 'failed');
    expect(await get(id)).toMatchObject({
      message:
        'The store refuses this app: it is blocked or uninstalled, or its IP allowlist lacks the address of this server.',
      done: 0,
    });
    const { rows: tasks } = await stack.database.pool.query(
      `select state from chunks where import_id = $1 and task = 'plan-push' and state = 'dead'`,
      [id],
    );
    expect(tasks).toEqual([]);
    await stack.store.clearFaults();
    // A failed plan is in nobody's way.
    expect((await plan(id)).lines).toHaveLength(1);
  },
);

it.runIf(isLong)(
  'a plan that nobody asks for is made once, again after edits, in review, and only if it takes little',
  async () => {
    const unasked = async (id: string) =>
      (await stack.api.call('POST', `/api/queue/${id}/plan?unasked=true`)).status;
    const pushed = await fileOf(['Opens the store']);
    await push(pushed);
    await reach(pushed, 'completed');
    expect(await unasked(pushed)).toBe(200);
    const id = await fileOf(['First', 'Second']);
    const setProducts = (products: number) =>
      stack.database.pool.query(
        `update runs set total_products = $2 where import_id = $1 and stage = 'parse'`,
        [id, products],
      );
    await setProducts(1_000_000);
    expect(await unasked(id)).toBe(200);
    expect(await get(id)).toMatchObject({ state: 'none' });
    await setProducts(2);
    expect(await unasked(id)).toBe(202);
    await until('it is made', async () => (await get(id)).state === 'ready');
    expect(await unasked(id)).toBe(200);
    await edit(id, 1, { price: '11' });
    await setProducts(1_000_000);
    expect(await unasked(id)).toBe(200);
    expect(await get(id)).toMatchObject({ state: 'ready', outdated: { editedRows: 1 } });
    await setProducts(2);
    expect(await unasked(id)).toBe(202);
    await until('it is made again', async () => (await get(id)).state === 'ready');
    expect(await get(id)).toMatchObject({ outdated: { editedRows: 0 } });
    expect(await unasked(id)).toBe(200);
    // After its push it says how that went, until rows are edited.
    await push(id);
    await reach(id, 'completed');
    await edit(id, 1, { price: '12' });
    expect(await unasked(id)).toBe(202);
    await until('the next push is planned', async () => (await get(id)).state === 'ready');
    expect(await get(id)).toMatchObject({
      push: null,
      sums: expect.arrayContaining([{ outcome: 'updated', code: null, products: 1 }]),
    });
  },
);
