import { savePreferences } from '@draftshelf/core/access/preferences';
import { saveSettings } from '@draftshelf/core/access/settings';
import { withPinnedConnection } from '@draftshelf/core/connection/database';
import { removeOutcome } from '@draftshelf/core/push/outcomes';
import { finalizePush } from '@draftshelf/core/work/finalize/finalize-push';
import { afterEach, expect, onTestFinished } from 'vitest';
import { demoShop, mainLocationId } from '../../../apps/simulators/store/src/demo-shop.ts';
import { csvOf, productCsv, until } from '../../support/fixture.ts';
import { holdStage } from '../../support/hold-stage.ts';
import { createByMerchant } from '../../support/merchant-product.ts';
import { planSteps } from '../../support/plan-steps.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(pushers);
const longIt = it.runIf(isLong);
const { read, reach, push, retry, resume, edit, importOf, calls, productsNamed, outcomes, states } =
  pushSteps(() => stack);
const { expectAsPlanned } = planSteps(() => stack);

afterEach(() => stack.store.clearFaults());

const stockedCsv = (title: string) =>
  csvOf([
    ['Title', 'Price', 'SKU', 'Quantity', 'Collections'],
    [title, '10', `H-${title}`, '7', 'Clearance'],
  ]);
const [clearance, newArrivals] = [2, 4].map((n) => `gid://shopify/Collection/7300000000${n}`);

/** A merchant changes the one product whose title begins so, until its time of change differs: it has whole seconds. */
async function changeInStore(start: string, change: object): Promise<void> {
  const [product] = await productsNamed(start);
  if (!product) throw new Error(`The store has no ${start}`);
  const second = () => Math.floor(Date.now() / 1000);
  const before = second();
  await until('the next second', () => second() > before);
  await stack.store.edit(product.id, change);
}

const stored = async (start: string) => (await productsNamed(start))[0] as unknown as Stored;
type Stored = { collectionIds: string[]; variants: { quantity: number }[]; status: string };

/** The quantities of the variants of a product by location. */
const stockOf = async (start: string) =>
  ((await productsNamed(start))[0]?.variants as { quantities?: object }[] | undefined)?.map(
    (one) => one.quantities,
  );

// The first one, because the worker then reads the shop again: for the tests after it this is no call of their own.
it.runIf(isLong)('missing scopes are named before anything is sent', async () => {
  const { id } = await importOf(stockedCsv('Scoped'), '0a'.repeat(32));
  const headers = { 'content-type': 'application/json', 'x-shopify-access-token': 'test-token' };
  const restartWith = async (scopes: readonly string[]) => {
    await fetch(`${stack.store.url}/__shop`, { method: 'POST', headers, body: JSON.stringify({ scopes }) });
    await stack.process('push-worker').stop();
    await stack.start('push-worker');
  };
  await restartWith(['write_products']);
  await push(id);
  expect((await reach(id, 'failed')).error_message).toContain('read_locations, write_inventory');
  expect(await productsNamed('Scoped')).toEqual([]);
  await restartWith(demoShop().scopes);
});

it('stocks at our location what a merchant has stocked elsewhere, if the file changes its quantity', async () => {
  const outlet = 'gid://shopify/Location/72000000002';
  const inventoryQuantities = [{ locationId: outlet, name: 'available', quantity: 3 }];
  const variant = { inventoryItem: { tracked: true }, inventoryQuantities };
  await createByMerchant(stack, 'Elsewhere', 'H-Elsewhere', { variant });
  const { id } = await importOf(stockedCsv('Elsewhere'), '02'.repeat(32));
  await savePreferences(stack.database.db, { whenInStore: 'update' });
  await push(id);
  expect(await reach(id, 'completed')).toMatchObject({ updated: 1 });
  await savePreferences(stack.database.db, { whenInStore: 'skip' });
  expect(await stockOf('Elsewhere')).toEqual([{ [outlet]: 3 }]);
  await edit(id, 1, { quantity: '12' });
  expect(await expectAsPlanned(id)).toMatchObject([{ outcome: 'updated', message: null }]);
  expect(await stockOf('Elsewhere')).toEqual([{ [outlet]: 3, [mainLocationId]: 12 }]);
  expect(await expectAsPlanned(id)).toMatchObject([{ outcome: 'unchanged' }]);
});

it.runIf(isLong)(
  'sends a quantity that the operator changed, and names one that sales have changed too',
  async () => {
    const { id } = await importOf(stockedCsv('Stock'), '01'.repeat(32));
    await push(id);
    await reach(id, 'completed');
    await edit(id, 1, { quantity: '12' });
    await push(id);
    expect(await reach(id, 'completed')).toMatchObject({ updated: 1, unchanged: 0 });
    expect((await stored('Stock')).variants[0]?.quantity).toBe(12);

    await stack.store.edit((await productsNamed('Stock'))[0]?.id ?? 0, { quantity: 9 });
    await edit(id, 1, { quantity: '20' });
    for (const again of [push, retry]) {
      await again(id);
      expect(await reach(id, 'failed', 'completed')).toMatchObject({ updated: 0, unchanged: 0, skipped: 1 });
      expect(await outcomes(id)).toMatchObject([
        { code: 'not-sent', message: 'Not sent: quantity of H-Stock (changed in the store from 12 to 9).' },
      ]);
    }
    expect((await stored('Stock')).variants[0]?.quantity).toBe(9);
  },
);

it.runIf(isLong)(
  'sends changed collections beside those of the merchant, and names those that the store has not',
  async () => {
    const { id } = await importOf(stockedCsv('Grouped'), '02'.repeat(32));
    await push(id);
    await reach(id, 'completed');
    await stack.store.edit((await productsNamed('Grouped'))[0]?.id ?? 0, {
      collectionIds: [clearance, newArrivals],
    });
    await edit(id, 1, { collections: 'Home page, Nowhere' });
    await push(id);
    expect(await reach(id, 'completed')).toMatchObject({ updated: 1 });
    expect(await outcomes(id)).toMatchObject([
      { outcome: 'updated', message: 'Not sent: collection “Nowhere” (not in the store).' },
    ]);
    expect((await stored('Grouped')).collectionIds).toEqual([
      newArrivals,
      'gid://shopify/Collection/73000000003',
    ]);
  },
);

it.runIf(isLong)(
  'a new product names the collections that the store lacks, and is added to them once it has them',
  async () => {
    const { id } = await importOf(
      stockedCsv('Shelved').replace('Clearance', '"Clearance, Later shelf"'),
      '0e'.repeat(32),
    );
    const message = 'Not sent: collection “Later shelf” (not in the store).';
    expect(await expectAsPlanned(id)).toMatchObject([{ outcome: 'created', code: null, message }]);
    expect((await stored('Shelved')).collectionIds).toEqual([clearance]);
    await push(id);
    expect(await reach(id, 'completed', 'failed')).toMatchObject({ unchanged: 0, skipped: 1 });
    expect(await outcomes(id)).toMatchObject([{ code: 'not-sent', message }]);

    const headers = { 'content-type': 'application/json', 'x-shopify-access-token': 'test-token' };
    const made = await fetch(`${stack.store.url}/__collections`, {
      ...{ method: 'POST', headers, body: JSON.stringify({ title: 'Later shelf' }) },
    });
    const later = ((await made.json()) as { id: string }).id;
    await stack.process('push-worker').stop();
    await stack.start('push-worker');
    await push(id).catch(() => retry(id));
    expect(await reach(id, 'completed')).toMatchObject({ updated: 1 });
    expect((await stored('Shelved')).collectionIds.toSorted()).toEqual([clearance, later].toSorted());
  },
);

it('a second push costs a point per 100 products, writes nothing, and says what somebody changed', async () => {
  const { id } = await importOf(
    productCsv(120).replaceAll('V-', 'H-').replaceAll('Vase', 'Quiet'),
    '03'.repeat(32),
  );
  await push(id);
  await reach(id, 'completed');
  await changeInStore('Quiet 120', { title: 'Quiet 120 by the merchant' });
  const before = (await stack.store.stats()).requests;
  await push(id);
  expect(await reach(id, 'completed')).toMatchObject({ unchanged: 120, created: 0, updated: 0 });
  const { requests } = await stack.store.stats();
  const more = Object.entries(requests).filter(([name, count]) => count !== before[name]);
  // Up to two of stamps and one of the product that was changed.
  expect(more.map(([name]) => name)).toEqual(['nodes']);
  expect((requests.nodes ?? 0) - (before.nodes ?? 0)).toBeLessThanOrEqual(3);
  const said = (await outcomes(id)).filter(({ message }) => message !== null);
  expect(said).toMatchObject([
    { product: 120, outcome: 'unchanged', message: 'Changed in the store since the last push (title).' },
  ]);
});

longIt('another shape of the payload by a new version writes nothing', async () => {
  const { id } = await importOf(stockedCsv('Shaped'), '04'.repeat(32));
  await push(id);
  await reach(id, 'completed');
  await stack.database.pool.query(
    `update listings set sent_hash = 'of another version', sent = (sent::jsonb || '{"product_type": "Former default"}')::json
     where sent->>'title' = 'Shaped'`,
  );
  const before = await calls();
  await push(id);
  expect(await reach(id, 'completed')).toMatchObject({ unchanged: 1, updated: 0 });
  expect(await calls()).toBe(before);
});

it('keeps each product as it was before our write and as it was read after it', async () => {
  const { id } = await importOf(stockedCsv('Kept before'), '05'.repeat(32));
  await push(id);
  await reach(id, 'completed');
  await edit(id, 1, { title: 'Kept after' });
  await push(id);
  await reach(id, 'completed');
  const written = await states(id);
  expect(written).toMatchObject([
    { run: 1, kind: 'create', before: null, after: { title: 'Kept before' }, sent_before: null },
    {
      run: 2,
      kind: 'update',
      before: { title: 'Kept before' },
      after: { title: 'Kept after' },
      sent_before: { title: 'Kept before' },
    },
  ]);
  for (const { begun_at, after_read_at } of written) {
    expect(begun_at?.getTime()).toBeLessThan(after_read_at?.getTime() ?? 0);
  }
});

it('Safe Mode is that of the push, and the shop’s currency is written to the import', async () => {
  const { id } = await importOf(stockedCsv('Safe'), '06'.repeat(32));
  await stack.store.fault({ kind: 'delay', delayMs: 1000, operation: 'productByIdentifier' });
  await push(id);
  await saveSettings(stack.database.db, { draftMode: false });
  try {
    expect(await reach(id, 'completed')).toMatchObject({ created: 1, currency: 'CAD' });
    expect((await stored('Safe')).status).toBe('DRAFT');
  } finally {
    await saveSettings(stack.database.db, { draftMode: true });
  }
});

longIt('a locked or unpaid store pauses the import after 60 s, for longer each time', async () => {
  const { id } = await importOf(stockedCsv('Locked'), '07'.repeat(32));
  await stack.store.fault({ kind: 'status', status: 402, operation: 'productSet', times: 1000 });
  await push(id);
  await until('it waits', async () => (await read(id)).waiting_for !== null);
  expect((await read(id)).status).toBe('uploading');
  const { pool } = stack.database;
  await pool.query(`update imports set store_refuses_since = now() - interval '61 s' where id = $1`, [id]);
  for (const minutes of [10, 20, 40, 120]) {
    const paused = await reach(id, 'paused');
    expect(paused).toMatchObject({ paused_by: 'store', waiting_for: 'The store is frozen or locked.' });
    const waitMs = (paused.resume_at?.getTime() ?? 0) - Date.now();
    expect(waitMs).toBeGreaterThan((minutes - 1) * 60_000);
    expect(waitMs).toBeLessThanOrEqual(minutes * 60_000);
    await stack.store.clearFaults();
    // A locked store waits like an unpaid one.
    const next = { kind: 'status', status: 423, operation: 'productSet', times: 1000 };
    if (minutes !== 120) await stack.store.fault(next);
    const pauses = minutes === 40 ? 9 : paused.store_pauses;
    await pool.query('update imports set resume_at = now(), store_pauses = $2 where id = $1', [id, pauses]);
    await until('it was tried again', async () => (await read(id)).store_pauses !== pauses);
  }
  expect(await reach(id, 'completed')).toMatchObject({
    created: 1,
    store_pauses: 0,
    store_refuses_since: null,
  });
});

it('a store that has blocked the app fails the push with the cause', async () => {
  const { id } = await importOf(stockedCsv('Blocked'), '08'.repeat(32));
  await stack.store.fault({ kind: 'status', status: 403, operation: 'productSet', times: 5 });
  await push(id);
  expect(await reach(id, 'failed')).toMatchObject({
    failed_in: 'push',
    error_message:
      'The store refuses this app: it is blocked or uninstalled, or its IP allowlist lacks the address of this server.',
  });
});

it('a store that is not active fails the push with the cause; what is decided and what is not add up', async () => {
  const products = 60;
  const { id } = await importOf(
    productCsv(products).replaceAll('V-', 'I-').replaceAll('Vase', 'Inactive'),
    '0b'.repeat(32),
  );
  await stack.store.fault({ kind: 'inactive', operation: 'productSet', times: 20, every: 5 });
  await push(id);
  expect(await reach(id, 'failed')).toMatchObject({
    failed_in: 'push',
    error_message: 'The store is not active.',
  });
  // Products of other chunks were being sent when the first one was refused.
  await until('nothing is being sent', async () => {
    const { rows } = await stack.database.pool.query('select 1 from listings where sending is not null');
    return rows.length === 0;
  });
  const { created, updated, unchanged, skipped, failed } = await read(id);
  expect([updated, unchanged, skipped, failed]).toEqual([0, 0, 0, 0]);
  expect(created).toBeLessThan(products);
  expect(await outcomes(id)).toHaveLength(created);
  await stack.store.clearFaults();
  await retry(id);
  expect(await reach(id, 'completed')).toMatchObject({ failed: 0, push_done: products });
  expect(await productsNamed('Inactive')).toHaveLength(products);
});

/** Pushes two products at once; the store refuses the first one soon and the second one much later. */
async function pushWithLateRefusal(start: string, sha256: string, refusal: object): Promise<string> {
  const { id } = await importOf(
    productCsv(2).replaceAll('V-', `${start}-`).replaceAll('Vase', start),
    sha256.repeat(32),
  );
  const before = await calls();
  const late = { kind: 'delay', delayMs: 3000, every: 2 };
  const soon = { kind: 'delay', delayMs: 1000 };
  for (const fault of [late, soon, { ...refusal, times: 2 }]) {
    await stack.store.fault({ operation: 'productSet', ...fault });
  }
  await push(id, 1);
  await until('both are being sent', async () => (await calls()) === before + 2);
  return id;
}

/** Whether the second product's answer has come: nothing is being sent. */
const nothingIsBeingSent = () =>
  until('nothing is being sent', async () => {
    const { rows } = await stack.database.pool.query('select 1 from listings where sending is not null');
    return rows.length === 0;
  });

longIt('a retry is not ended by a refusal of the failed push that arrives after it', async () => {
  const id = await pushWithLateRefusal('Late', '0c', { kind: 'inactive' });
  expect(await reach(id, 'failed')).toMatchObject({ error_message: 'The store is not active.' });
  await retry(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ status: 'completed', error_count: 0 });
  await nothingIsBeingSent();
  expect(await read(id)).toMatchObject({ status: 'completed', created: 2, failed: 0 });
  expect(await productsNamed('Late')).toHaveLength(2);
});

longIt('a resumed import is not paused by a refusal of before that arrives after it', async () => {
  const id = await pushWithLateRefusal('Paid', '0d', { kind: 'status', status: 402 });
  const { pool } = stack.database;
  await pool.query(
    `update imports set store_pauses = 1, store_refuses_since = clock_timestamp() where id = $1`,
    [id],
  );
  expect(await reach(id, 'paused')).toMatchObject({ paused_by: 'store', store_pauses: 2 });
  await resume(id);
  expect(await reach(id, 'completed', 'paused')).toMatchObject({ status: 'completed', store_pauses: 0 });
  expect(await productsNamed('Paid')).toHaveLength(2);
});

it('counters that do not add up are counted again; the finalize fails only for a product without a result', async () => {
  const { id } = await importOf(
    productCsv(2).replaceAll('V-', 'S-').replaceAll('Vase', 'Sum'),
    '09'.repeat(32),
  );
  await push(id);
  const record = await reach(id, 'completed');
  const { db, pool } = stack.database;
  // Nothing is published: a worker that claimed the finalize again would end this test's connection.
  const release = await holdStage(stack, 'push');
  onTestFinished(release);
  await pool.query(
    `with changed as (update imports set status = 'uploading', created = created + 1 where id = $1)
       update runs set open_chunks = 0 where import_id = $1 and stage = 'parse'`,
    [id],
  );
  const outcome = await db
    .deleteFrom('outcomes')
    .where('import_id', '=', id)
    .where('product', '=', 2)
    .returningAll()
    .executeTakeFirstOrThrow();
  const chunk = await db
    .selectFrom('chunks')
    .selectAll()
    .where('import_id', '=', id)
    .where('stage', '=', 'push')
    .where('kind', '=', 'finalize')
    .executeTakeFirstOrThrow();
  await withPinnedConnection(stack.database, async (own) => {
    // As claimed by this connection. A job that the queue still has is of the publication before, and claims nothing.
    await own.client.query(
      `update chunks set state = 'published', publication = publication + 1, claim_pid = pg_backend_pid(), claim_backend_start = (
         select backend_start from pg_stat_activity where pid = pg_backend_pid())
       where id = $1`,
      [chunk.id],
    );
    const held = { ...chunk, publication: chunk.publication + 1, run: record.push_run };
    const finalize = () => finalizePush(own.db, held, { warn() {} });
    await expect(finalize()).rejects.toThrow('don’t add up: 2 products, 1 results');
    expect((await read(id)).status).toBe('uploading');

    await db.insertInto('outcomes').values(outcome).execute();
    await finalize();
  });
  expect(await read(id)).toMatchObject({ status: 'completed', created: 2 });

  // Two rows were one product of ours, whose undo takes both results back.
  await pool.query(`update outcomes set our_id = 'both' where import_id = $1`, [id]);
  const of = { run: record.push_run + 1, undoesRun: record.push_run };
  const undo = { ourId: 'both', ...of, isUndone: true };
  expect(await db.transaction().execute((trx) => removeOutcome(trx, id, undo))).toBe(true);
  expect(await read(id)).toMatchObject({ created: 0 });
});
