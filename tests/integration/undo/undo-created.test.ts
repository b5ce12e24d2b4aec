import type { DashboardStats, PushedHour } from '@draftshelf/contract/operate/dashboard';
import { afterEach, expect } from 'vitest';
import { productCsv } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';
import { undoSteps } from '../../support/undo-steps.ts';

const it = testOnWorkers(pushers);
const { read, reach, push, edit, importOf } = pushSteps(() => stack);
const { preview, begin, ended, undo, expectAudited, effects, readUndo } = undoSteps(() => stack);

afterEach(() => stack.store.clearFaults());

const call = (method: string, path: string, options?: { body: object }) =>
  stack.api.call(method, path, options);
/** What the dashboard counts as created and undone, since the reset and by hour. */
async function dashboard() {
  const read = async (path: string) => (await call('GET', `/api/dashboard/${path}`)).body;
  const hours = (await read('pushed')) as PushedHour[];
  return {
    ...((await read('stats')) as DashboardStats),
    ...((await read('undone')) as { products: number }),
    undone: hours.reduce((sum, hour) => sum + hour.undone, 0),
  };
}
const pushed = async (products: number, key: string) => {
  const { id } = await importOf(productCsv(products), key.repeat(64));
  await push(id);
  await reach(id, 'completed');
  return id;
};

it('an undo deletes what the push has created, once, and a push creates it again', async () => {
  const before = await stack.store.products();
  const countedBefore = await dashboard();
  const id = await pushed(6, 'a');
  const lines = await preview(id);
  expect(lines).toHaveLength(6);
  expect(new Set(lines.map(({ action }) => action))).toEqual(new Set(['delete']));
  const { body } = await call('GET', `/api/queue/${id}/push-undo`);
  expect(body).toMatchObject({
    state: 'ready',
    run: 1,
    total: 6,
    sums: [{ action: 'delete', products: 6 }],
  });

  const undone = await undo(id);
  expect(undone.map(({ result }) => result)).toEqual(Array.from({ length: 6 }, () => 'delete'));
  expect(await stack.store.products()).toEqual(before);
  expect(await read(id)).toMatchObject({ status: 'processed', created: 0, push_done: 0, undoes_run: null });
  expect(await effects(id)).toEqual(Array.from({ length: 6 }, () => 'deleted'));
  await expectAudited(id);
  const rows = await stack.database.pool.query('select 1 from listings union all select 1 from product_keys');
  expect(rows.rows).toEqual([]);
  expect((await call('GET', `/api/queue/${id}/push-undo`)).body).toMatchObject({
    state: 'undone',
    results: [{ action: 'delete', products: 6 }],
    undoableUntil: null,
  });
  expect(
    await call('POST', `/api/queue/${id}/push-undo/preview`, { body: { whenUnsure: 'keep' } }),
  ).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('no push that can be undone') },
  });

  const counted = await dashboard();
  expect(counted.productsCreated - countedBefore.productsCreated).toBe(6);
  expect(counted.products - countedBefore.products).toBe(6);
  expect(counted.undone - countedBefore.undone).toBe(6);

  await push(id);
  await reach(id, 'completed');
  expect(await read(id)).toMatchObject({ created: 6, push_run: 3 });
  expect((await call('GET', `/api/queue/${id}/push-undo`)).body).toMatchObject({ state: 'none', run: 3 });
  await expectAudited(id);
  // Its outcome is that of a later push, whose undo deletes nothing.
  await edit(id, 1, { price: '77.00' });
  await push(id);
  await reach(id, 'completed');
  expect(await undo(id)).toMatchObject([{ result: 'restore' }]);
  expect((await undo(id)).every(({ result }) => result === 'delete')).toBe(true);
  expect((await dashboard()).products - countedBefore.products).toBe(12);
  expect((await readUndo(id)).undoes_run).toBe(3);
  expect(await stack.store.products()).toEqual(before);
});

it('a product that was read long after its write is kept if somebody has changed it', async () => {
  const id = await pushed(2, '7');
  const [changed] = (await stack.store.products()).slice(-1);
  await stack.store.edit(changed?.id ?? 0, { title: 'Changed by a colleague' });
  // As a later push leaves it that reads what an earlier one has not read back.
  await stack.database.pool.query(
    `update listings set baseline = jsonb_set(baseline::jsonb, '{title}', '"Changed by a colleague"')::json,
       baseline_read_at = baseline_read_at + interval '2 minutes'
     where store_product_id like $1`,
    [`%/${changed?.id}`],
  );
  const lines = await preview(id);
  expect(lines.map(({ action, code }) => `${action} ${code}`).sort()).toEqual([
    'delete null',
    'keep unverified',
  ]);
});

it('a product that was read long after its write, and is as it was written, names what has changed since', async () => {
  const id = await pushed(1, '8');
  const [product] = (await stack.store.products()).slice(-1);
  await stack.database.pool.query(
    `update listings set baseline_read_at = baseline_read_at + interval '2 minutes' where store_product_id like $1`,
    [`%/${product?.id}`],
  );
  await stack.store.edit(product?.id ?? 0, { title: 'Changed by a colleague' });
  expect(await preview(id)).toMatchObject([
    { action: 'keep', code: 'changed', message: expect.stringContaining('(title)') },
  ]);
});

it('a product that an undo has archived is a draft again after the next push of the same file', async () => {
  const id = await pushed(1, '6');
  await preview(id);
  const choices = `/api/queue/${id}/push-undo/choices`;
  const body = { product: 1, choice: 'archive' };
  expect(await call('POST', choices, { body })).toMatchObject({ status: 200 });
  await begin(id);
  expect(await ended(id)).toMatchObject([{ result: 'archive' }]);
  const statusNow = async () => (await stack.store.products()).at(-1)?.status;
  expect(await statusNow()).toBe('ARCHIVED');
  await expectAudited(id);
  await push(id);
  expect(await reach(id, 'completed')).toMatchObject({ updated: 1 });
  expect(await statusNow()).toBe('DRAFT');
  await expectAudited(id);
});
