import type { ActivityItem, DashboardStats } from '@draftshelf/contract/operate/dashboard';
import type { ScannedProduct } from '@draftshelf/contract/scanner/scanner';
import { storableJson } from '@draftshelf/core/connection/storable-json';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessToken, startStore, type TestStore } from '../../store/start-store.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { type Fixture, openFixture, productCsv, storedImport, until } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { photoData, scanned, scannerSteps } from '../../support/scanner-steps.ts';

let fixture: Fixture;
let store: TestStore;
let api: TestApi;
let storeless: TestApi;
beforeAll(async () => {
  fixture = await openFixture();
  store = await startStore({ plan: 'enterprise' });
  api = await startApi(fixture, { storeUrl: store.url, storeToken: accessToken });
  storeless = await startApi(fixture);
});
afterAll(async () => {
  await api?.close();
  await storeless?.close();
  await store?.stop();
  await fixture?.close();
});

const { saved, update, read, remove, sync } = scannerSteps(() => api);
const named = async (title: string) => (await store.products()).filter((product) => product.title === title);
const statusOf = async (id: string) => ((await read(id)).body as ScannedProduct).status;
const dashboard = async <T>(path: string) => (await api.call('GET', `/api/dashboard/${path}`)).body as T;

/** What a dead call leaves behind may be taken over at once. */
const endLeases = () =>
  fixture.database.db
    .updateTable('listings')
    .set({ sending_until: new Date(0) })
    .execute();

describe('a sync', () => {
  test('brings the product into the store and records it', async () => {
    const created = (await dashboard<DashboardStats>('stats')).productsCreated;
    const product = await saved('Vase', { upc: '012345678905', description: 'Blue.' });
    const answer = await sync(product.id);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: 'Product has been synced to Shopify successfully',
        outcome: 'created',
        storeUrl: expect.stringContaining(`${store.url}/admin/products/`),
        product: { id: product.id, status: 'synced', version: 1, syncedAt: expect.any(String) },
      },
    });
    const code = { code: '012345678905', ask: false };
    expect((await api.call('POST', '/api/scanner/look-up', { body: code })).body).toMatchObject({
      product: { id: product.id, status: 'synced', storeUrl: expect.stringContaining(store.url) },
    });
    const [inStore, ...others] = await named('Vase');
    expect(others).toEqual([]);
    expect(inStore).toMatchObject({
      status: 'DRAFT',
      variants: [{ sku: 'S-Vase', barcode: '012345678905', price: '24.99' }],
    });
    const ledger = await fixture.database.db
      .selectFrom('ledger')
      .select(['origin', 'effect', 'import_id'])
      .where('our_id', '=', product.id.replaceAll('-', ''))
      .execute();
    expect(ledger).toEqual([{ origin: 'scanner', effect: 'created', import_id: null }]);
    expect((await dashboard<DashboardStats>('stats')).productsCreated).toBe(created + 1);
    const [told] = await dashboard<ActivityItem[]>('activity');
    expect(told).toMatchObject({
      type: 'completed',
      message: 'Vase was created in Shopify.',
      importId: null,
    });
  });

  test('uploads photos, and after an edit only the one that was added', async () => {
    const measured = {
      dimensions: { length: 10, width: 5, height: 3, unit: 'in' },
      weight: { value: 2.5, unit: 'lb' },
    } as const;
    const { id, photos } = await saved('Pictured', { ...measured, photos: [photoData(1), photoData(2)] });
    await sync(id);
    const [first] = await named('Pictured');
    expect(first).toMatchObject({
      media: [{ alt: 'Pictured' }, { alt: 'Pictured' }],
      variants: [{ weight: { value: 2.5, unit: 'POUNDS' } }],
    });
    expect(first?.metafields).toContainEqual(
      expect.objectContaining({ key: 'dimensions', value: '10×5×3 in' }),
    );
    expect((await store.staged()).map(({ used }) => used)).toEqual([1, 1]);
    expect((await sync(id)).body).toMatchObject({ outcome: 'unchanged' });

    await update(id, scanned('Pictured', { ...measured, photos: [...photos, photoData(3)] }));
    expect((await sync(id)).body).toMatchObject({ outcome: 'updated' });
    expect((await store.staged()).map(({ used }) => used)).toEqual([1, 1, 1]);
    const [second] = await named('Pictured');
    expect(second?.media).toMatchObject([...(first?.media ?? []), { alt: 'Pictured' }]);
    expect(second?.media.filter(({ failure }) => failure !== undefined)).toEqual([]);
  });

  test('of an edited product sends the change, and of an unchanged one nothing', async () => {
    const { id } = await saved('Edited');
    await sync(id);
    expect((await update(id, scanned('Edited', { price: 30 }))).body).toMatchObject({ status: 'active' });
    expect((await sync(id)).body).toMatchObject({ outcome: 'updated', product: { status: 'synced' } });
    expect(await named('Edited')).toMatchObject([{ variants: [{ price: '30.00' }] }]);
    const { requests } = await store.stats();
    expect((await sync(id)).body).toMatchObject({ outcome: 'unchanged', product: { status: 'synced' } });
    expect((await store.stats()).requests.productSet).toBe(requests.productSet);
  });

  test.runIf(isLong)('leaves a product active that is edited while it is sent', async () => {
    const { id } = await saved('Meanwhile');
    const { requests } = await store.stats();
    await store.fault({ kind: 'delay', delayMs: 8_000, operation: 'productSet' });
    const syncing = sync(id);
    await until('it is sent', async () => {
      const now = (await store.stats()).requests.productSet ?? 0;
      return now > (requests.productSet ?? 0);
    });
    await update(id, scanned('Meanwhile', { price: 5 }));
    expect((await syncing).body).toMatchObject({ outcome: 'created', product: { status: 'active' } });
    expect((await sync(id)).body).toMatchObject({ outcome: 'updated', product: { status: 'synced' } });
  });

  test('leaves the status of a product in the store, whatever Safe Mode is now', async () => {
    const { id } = await saved('Safe');
    await sync(id);
    await api.call('POST', '/api/settings', { body: { draftMode: false } });
    expect((await sync(id)).body).toMatchObject({ outcome: 'unchanged' });
    expect(await named('Safe')).toMatchObject([{ status: 'DRAFT' }]);
    await api.call('POST', '/api/settings', { body: { draftMode: true } });
  });

  test('is no longer true for a product when another store is connected', async () => {
    const { id } = await saved('Two stores');
    await sync(id);
    const elsewhere = await storeless.call('GET', `/api/scanner/products/${id}`);
    expect(elsewhere.body).toMatchObject({ status: 'active', storeUrl: null });
  });

  test('leaves the product in the store when it is deleted from the library', async () => {
    const { id } = await saved('Kept');
    await sync(id);
    await remove(id);
    expect(await named('Kept')).toHaveLength(1);
    expect((await sync(id)).status).toBe(404);
  });
});

describe('a sync is refused', () => {
  test('for an unknown product, and if the store does not answer', async () => {
    expect((await sync('unknown')).status).toBe(404);
    const { id } = await saved('Nowhere');
    const answer = await storeless.call('POST', `/api/scanner/products/${id}/sync-shopify`);
    expect(answer).toMatchObject({ status: 502, body: { code: 'store_error' } });
    expect(await statusOf(id)).toBe('active');
    expect((await sync(id, { whenInStore: 'sometimes' })).status).toBe(400);
  });

  test('if the store has the SKU under another id, unless the operator decides', async () => {
    const sku = { sku: 'SAME-1' };
    const first = await saved('First', sku);
    const second = await saved('Second', sku);
    await sync(first.id);
    expect(await sync(second.id)).toMatchObject({
      status: 409,
      body: {
        code: 'in_store',
        message: 'Already in the store with the same SKU.',
        current: { title: 'First', storeUrl: expect.stringContaining('/admin/products/') },
      },
    });
    expect((await sync(second.id, { whenInStore: 'update' })).body).toMatchObject({
      outcome: 'updated',
      product: { status: 'synced', storeUrl: expect.any(String) },
    });
    expect(await named('First')).toHaveLength(0);
    // It knows the product that it has taken over.
    await update(second.id, scanned('Second', { ...sku, price: 7 }));
    expect((await sync(second.id)).body).toMatchObject({ outcome: 'updated' });
    const third = await saved('Third', sku);
    expect((await sync(third.id, { whenInStore: 'create' })).body).toMatchObject({ outcome: 'created' });
    expect([...(await named('Second')), ...(await named('Third'))]).toHaveLength(2);
  });

  test('if somebody changed or deleted the product in the store', async () => {
    const { id } = await saved('Drifted');
    await sync(id);
    const [inStore] = await named('Drifted');
    await store.edit(String(inStore?.id), { title: 'By the merchant' });
    await update(id, scanned('Drifted again'));
    expect(await sync(id)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('Changed in the store') },
    });
    expect(await statusOf(id)).toBe('active');
    expect(await named('By the merchant')).toHaveLength(1);
    await store.edit(String(inStore?.id), { deleted: true });
    expect(await sync(id)).toMatchObject({
      status: 409,
      body: { message: 'Deleted in the store since the last push.' },
    });
  });

  test('if the product of another one with its SKU was deleted in the store', async () => {
    const sku = { sku: 'GONE-1' };
    const first = await saved('Gone first', sku);
    await sync(first.id);
    const [inStore] = await named('Gone first');
    await store.edit(String(inStore?.id), { deleted: true });
    const second = await saved('Gone second', sku);
    expect(await sync(second.id)).toMatchObject({
      status: 409,
      body: { message: 'Deleted in the store since the last push.' },
    });
    expect(await named('Gone second')).toEqual([]);
  });

  test('if the store refuses it', async () => {
    const { id } = await saved('Refused', { price: '1000000000000000000000' });
    expect(await sync(id)).toMatchObject({
      status: 422,
      body: { code: 'store_refused', message: expect.any(String) },
    });
    expect(await statusOf(id)).toBe('active');
  });

  test('while the same product is being sent; after a lost answer there is one product', async () => {
    const { id } = await saved('Lost');
    await store.fault({ kind: 'drop-after', operation: 'productSet' });
    expect((await sync(id)).status).toBe(502);
    expect(await sync(id)).toMatchObject({
      status: 409,
      body: { message: 'This product is being pushed right now. Try again in a moment.' },
    });
    await endLeases();
    expect((await sync(id)).body).toMatchObject({ outcome: 'created', product: { status: 'synced' } });
    expect(await named('Lost')).toHaveLength(1);
  });

  test('or made once, however often it is asked for at the same time', async () => {
    const { id } = await saved('At once');
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => sync(id)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(await named('At once')).toHaveLength(1);
  });
});

test('a write of an unknown version does not make a product synced', async () => {
  const { db, pool } = fixture.database;
  const product = await saved('Pushed');
  const record = await storedImport(fixture, { csv: productCsv(1), filename: 'supplier.csv' });
  const ownId = product.id.replaceAll('-', '');
  const { id: product_id, version } = product;
  await db
    .insertInto('added_rows')
    .values({
      import_id: record.id,
      product_id,
      ordinal: 1,
      own_id: ownId,
      values: storableJson({}),
      version,
      photos: [],
    })
    .execute();
  expect((await read(product.id)).body).toMatchObject({
    status: 'active',
    batches: [{ id: record.id, filename: 'supplier.csv', row: null }],
  });
  await pool.query(
    `insert into listings (shop, our_id, store_product_id, pushed_at)
     select shop, $1, 'gid://shopify/Product/1', clock_timestamp() from shops where url = $2`,
    [ownId, store.url],
  );
  expect((await read(product.id)).body).toMatchObject({
    status: 'active',
    storeUrl: `${store.url}/admin/products/1`,
  });
});

test('a product created by a call counts as created, with an activity entry without an import', async () => {
  const { productsCreated } = await dashboard<DashboardStats>('stats');
  const product = { title: 'Called', variants: [{ price: '5', sku: 'CALL-1' }] };
  await api.call('POST', '/api/shopify/create-product', { body: { product } });
  expect((await dashboard<DashboardStats>('stats')).productsCreated).toBe(productsCreated + 1);
  const [told] = await dashboard<ActivityItem[]>('activity');
  expect(told).toMatchObject({ message: 'Called was created in Shopify.', importId: null });
});
