import { cancelImport } from '@draftshelf/core/work/import-actions';
import { afterEach, describe, expect } from 'vitest';
import { csvOf, until } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong, scenarioBackends } from '../../support/queue-backend.ts';
import { pushers, testsOnBackends, type WorkerStack } from '../../support/test.ts';
import { undoSteps } from '../../support/undo-steps.ts';

const backends = testsOnBackends(pushers, scenarioBackends());
let stack: WorkerStack;
const { read, reach, push, retry, edit, importOf, calls, productsNamed, outcomes } = pushSteps(() => stack);
const { undo, expectAudited } = undoSteps(() => stack);

const oneProduct = (title: string) =>
  csvOf([
    ['Title', 'Price', 'SKU'],
    [title, '10', `U-${title}`],
  ]);

/** A merchant changes the title of the one product whose title begins so. */
const renameInStore = async (start: string, title: string) => {
  const [product] = await productsNamed(start);
  if (!product) throw new Error(`The store has no ${start}`);
  await stack.store.edit(product.id, { title });
};

const stockedProduct = (title: string, price = '10', quantity = '7') =>
  csvOf([
    ['Title', 'Price', 'SKU', 'Quantity'],
    [title, price, `U-${title}`, quantity],
  ]);

/** Price and quantity of the one product whose title begins so. */
const shown = async (start: string) => {
  const [product] = (await productsNamed(start)) as unknown as {
    variants: { price: string; quantity: number }[];
  }[];
  const { price, quantity } = product?.variants[0] ?? {};
  return { price, quantity };
};

/** Sales change the quantity of the one product whose title begins so. */
const changeQuantity = async (start: string, quantity: number) =>
  stack.store.edit((await productsNamed(start))[0]?.id ?? 0, { quantity });

/** The effects of a push run of an import in the ledger. */
const effects = async (id: string, run: number) => {
  const { rows } = await stack.database.pool.query<{ effect: string }>(
    'select effect from ledger where import_id = $1 and run = $2 order by id',
    [id, run],
  );
  return rows.map(({ effect }) => effect);
};

const cancel = (id: string) => stack.database.db.transaction().execute((trx) => cancelImport(trx, id));

/** The number of listings in `sending`. */
const sendingNow = async () => {
  const { rows } = await stack.database.pool.query('select 1 from listings where sending is not null');
  return rows.length;
};

describe.each(backends)('a push that does not know what the store did, jobs in $backend', ({ it }) => {
  it.beforeAll(({ stack: shared }) => {
    stack = shared;
  });
  afterEach(() => stack.store.clearFaults());

  it('reads by our id after an answer it cannot read, and keeps what a merchant wrote meanwhile', async () => {
    const { id } = await importOf(oneProduct('Strange'), '5c'.repeat(32));
    await stack.store.fault({ kind: 'other-shape', operation: 'productSet' });
    await push(id);
    expect(await reach(id, 'failed')).toMatchObject({ failed_in: 'push', created: 0 });
    await renameInStore('Strange', 'Strange by the merchant');
    await edit(id, 1, { title: 'Strange by us' });
    await retry(id);
    expect(await reach(id, 'failed', 'completed')).toMatchObject({ created: 0, updated: 0, skipped: 1 });
    expect(await outcomes(id)).toMatchObject([{ outcome: 'skipped', code: 'drifted' }]);
    expect((await productsNamed('Strange')).map(({ title }) => title)).toEqual(['Strange by the merchant']);
    await push(id).catch(() => retry(id));
    expect(await reach(id, 'failed', 'completed')).toMatchObject({ skipped: 1 });
    expect((await productsNamed('Strange')).map(({ title }) => title)).toEqual(['Strange by the merchant']);
  });

  it('reports created products as created, and a later change of ours does not undo the merchant’s', async () => {
    const { id } = await importOf(oneProduct('Arrived'), '6d'.repeat(32));
    await stack.store.fault({ kind: 'other-shape', operation: 'productSet' });
    await push(id);
    await reach(id, 'failed');
    await renameInStore('Arrived', 'Arrived by the merchant');
    await retry(id);
    expect(await reach(id, 'completed')).toMatchObject({ created: 1 });
    await edit(id, 1, { title: 'Arrived by us' });
    await push(id);
    expect(await reach(id, 'failed')).toMatchObject({ updated: 0, skipped: 1 });
    expect((await productsNamed('Arrived')).map(({ title }) => title)).toEqual(['Arrived by the merchant']);
  });

  it('looks up our id in the store if a listing does not have the result', async () => {
    const { id } = await importOf(oneProduct('Forgotten'), '7e'.repeat(32));
    await push(id);
    await reach(id, 'completed');
    await stack.database.db
      .updateTable('listings')
      .set({ store_product_id: null, handle: null, sent: null, sent_hash: null, baseline: null })
      .execute();
    await renameInStore('Forgotten', 'Forgotten by the merchant');
    await edit(id, 1, { title: 'Forgotten by us' });
    await push(id);
    await reach(id, 'failed', 'completed');
    expect(await outcomes(id)).toEqual([
      {
        product: 1,
        outcome: 'skipped',
        code: 'different-content',
        message: 'Already in the store with different content; left unchanged.',
      },
    ]);
    await edit(id, 1, { title: 'Forgotten' });
    await retry(id);
    expect(await reach(id, 'completed')).toMatchObject({ unchanged: 1, skipped: 0 });
    expect(await outcomes(id)).toMatchObject([{ outcome: 'unchanged', code: null, message: null }]);
    await edit(id, 1, { title: 'Forgotten by us' });
    await push(id);
    expect(await reach(id, 'failed')).toMatchObject({ updated: 0, skipped: 1 });
    expect((await productsNamed('Forgotten')).map(({ title }) => title)).toEqual([
      'Forgotten by the merchant',
    ]);
  });

  it('accepts edits while nothing is being sent, and updates what had arrived', async () => {
    const { id } = await importOf(oneProduct('Editable'), '8f'.repeat(32));
    await stack.store.fault({ kind: 'other-shape', operation: 'productSet' });
    await push(id);
    await reach(id, 'failed');
    expect(await sendingNow()).toBe(1);
    await edit(id, 1, { title: 'Editable after all' });
    await retry(id);
    expect(await reach(id, 'completed')).toMatchObject({ created: 0, updated: 1 });
    expect((await productsNamed('Editable')).map(({ title }) => title)).toEqual(['Editable after all']);
  });

  it('counts a write that arrived and left something out as what it did', async () => {
    const { id } = await importOf(stockedProduct('Parted'), 'ca'.repeat(32));
    await push(id);
    await reach(id, 'completed');
    await changeQuantity('Parted', 3);
    await edit(id, 1, { price: '12', quantity: '20' });
    await stack.store.fault({ kind: 'drop-after', operation: 'productSet' });
    await push(id);
    expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: 1, skipped: 0 });
    const message = 'Not sent: quantity of U-Parted (changed in the store from 7 to 3).';
    expect(await outcomes(id)).toMatchObject([{ outcome: 'updated', code: null, message }]);
    expect(await effects(id, 2)).toEqual(['updated']);
    expect(await shown('Parted')).toEqual({ price: '12.00', quantity: 3 });
  });

  it.runIf(isLong)(
    'records a quantity as sent only if the store has it, and what was sent before it as sent',
    async () => {
      const { id } = await importOf(stockedProduct('Split'), 'cb'.repeat(32));
      await push(id);
      await reach(id, 'completed');
      const refuse = (operation: string) => stack.store.fault({ kind: 'status', status: 400, operation });
      const notSent = async (reason: string) => {
        expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: 1, skipped: 0, failed: 0 });
        const message = `Not sent: quantity of U-Split (${reason}).`;
        expect(await outcomes(id)).toMatchObject([{ outcome: 'updated', code: null, message }]);
      };

      await edit(id, 1, { price: '12', quantity: '20' });
      await refuse('productSet');
      await push(id);
      await reach(id, 'failed');
      expect(await shown('Split')).toEqual({ price: '10.00', quantity: 7 });

      await refuse('inventorySetQuantities');
      await retry(id);
      await notSent('Shopify rejected the request (400)');
      expect(await shown('Split')).toEqual({ price: '12.00', quantity: 7 });
      expect(await effects(id, 3)).toEqual(['updated']);
      expect(await undo(id)).toMatchObject([{ result: 'restore', result_code: null }]);
      expect(await shown('Split')).toEqual({ price: '10.00', quantity: 7 });
      await push(id);
      expect(await reach(id, 'completed')).toMatchObject({ updated: 1 });
      expect(await shown('Split')).toEqual({ price: '12.00', quantity: 20 });

      await edit(id, 1, { price: '13', quantity: '30' });
      await stack.store.fault({ kind: 'delay', delayMs: 8_000, operation: 'inventorySetQuantities' });
      const before = await calls();
      await push(id);
      await until('the product is set', async () => (await calls()) > before);
      await until('it has the price', async () => (await shown('Split')).price === '13.00');
      await changeQuantity('Split', 19);
      await notSent('changed in the store from 20 to 19');
      expect(await shown('Split')).toEqual({ price: '13.00', quantity: 19 });
      await push(id);
      expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: 0, skipped: 1 });
      const message = 'Not sent: quantity of U-Split (changed in the store from 20 to 19).';
      expect(await outcomes(id)).toMatchObject([{ outcome: 'skipped', code: 'not-sent', message }]);
      expect(await shown('Split')).toEqual({ price: '13.00', quantity: 19 });
      await edit(id, 1, { quantity: '29' });
      await retry(id);
      expect(await reach(id, 'completed')).toMatchObject({ updated: 1 });
      expect(await shown('Split')).toEqual({ price: '13.00', quantity: 29 });

      await edit(id, 1, { quantity: '40' });
      await refuse('inventorySetQuantities');
      await push(id);
      expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: 0, skipped: 1 });
      expect(await outcomes(id)).toMatchObject([{ outcome: 'skipped', code: 'not-sent' }]);
      await expectAudited(id);
    },
  );

  it('is undone to what stood before its first attempt, whatever was lost', async () => {
    const { id } = await importOf(stockedProduct('Before'), 'cc'.repeat(32));
    await push(id);
    await reach(id, 'completed');
    await edit(id, 1, { price: '12', quantity: '20' });
    const [product, stock] = ['productSet', 'inventorySetQuantities'];
    const storms: Parameters<typeof stack.store.fault>[0][][] = [
      [{ kind: 'drop-after', operation: stock }],
      [{ kind: 'drop-before', operation: product }],
      [
        { kind: 'drop-after', operation: product },
        { kind: 'drop-before', operation: stock },
        { kind: 'drop-after', operation: stock, after: 1 },
      ],
    ];
    const undone = async () => {
      expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: 1 });
      expect(await shown('Before')).toEqual({ price: '12.00', quantity: 20 });
      expect(await undo(id)).toMatchObject([{ result: 'restore', result_code: null }]);
      expect(await shown('Before')).toEqual({ price: '10.00', quantity: 7 });
    };
    for (const faults of isLong ? storms : storms.slice(-1)) {
      for (const fault of faults) await stack.store.fault(fault);
      await push(id);
      await undone();
    }
    await expectAudited(id);
  });

  it('is resolved by another import of the product if its own was cancelled', async () => {
    const csv = oneProduct('Cancelled');
    const first = await importOf(csv, '9a'.repeat(32));
    await stack.store.fault({ kind: 'drop-after', operation: 'productSet' });
    // The first look-up succeeds, the next three fail: the product is still in sending when the import is cancelled.
    for (const every of [2, 3])
      await stack.store.fault({ kind: 'drop-before', operation: 'productByIdentifier', every, times: 100 });
    await push(first.id);
    await until('the answer is lost', async () => (await read(first.id)).waiting_for !== null);
    await cancel(first.id);
    expect(await sendingNow()).toBe(1);
    await stack.store.clearFaults();
    const before = await calls();
    const second = await importOf(csv, '9a'.repeat(32));
    await push(second.id);
    expect(await reach(second.id, 'completed')).toMatchObject({ created: 1 });
    expect(await calls()).toBe(before);
    expect(await productsNamed('Cancelled')).toHaveLength(1);
    expect(await sendingNow()).toBe(0);
  });

  it.runIf(isLong)(
    'is resolved by another import if its worker was killed and its own import cancelled',
    async () => {
      const csv = oneProduct('Killed');
      const first = await importOf(csv, 'ab'.repeat(32));
      await stack.store.fault({ kind: 'delay', delayMs: 600_000, operation: 'productSet' });
      const before = await calls();
      await push(first.id);
      await until('it is on its way', async () => (await calls()) > before);
      const worker = stack.process('push-worker');
      worker.kill('SIGKILL');
      await worker.ended;
      await cancel(first.id);
      expect(await sendingNow()).toBe(1);
      await stack.start('push-worker');
      const second = await importOf(csv, 'ab'.repeat(32));
      await push(second.id);
      expect(await reach(second.id, 'completed')).toMatchObject({ created: 1 });
      expect(await productsNamed('Killed')).toHaveLength(1);
      expect(await sendingNow()).toBe(0);
    },
  );
});
