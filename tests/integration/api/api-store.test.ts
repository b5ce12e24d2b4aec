import { moveStatus } from '@draftshelf/core/imports/imports';
import { deriveOurId } from '@draftshelf/core/imports/our-id';
import { insertLedgerEntries, readStoreWritePosition } from '@draftshelf/core/push/ledger';
import { readPushRun } from '@draftshelf/core/push/push-run';
import { failStoreSync } from '@draftshelf/core/push/store/store-syncs';
import { toCreateInput } from '@draftshelf/shopify/product/create-input';
import { ensureIdDefinition } from '@draftshelf/shopify/product-definitions';
import { setProduct } from '@draftshelf/shopify/products';
import { testDraft, testVariant } from '@draftshelf/shopify/testing/drafts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessToken, startStore, type TestStore, testClient } from '../../store/start-store.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { type Fixture, openFixture, productCsv, storedImport } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';

let fixture: Fixture;
let store: TestStore;
let api: TestApi;
/** Another installation, which has no store. */
let apart: Fixture;
let storeless: TestApi;
beforeAll(async () => {
  fixture = await openFixture();
  store = await startStore({ plan: 'enterprise' });
  api = await startApi(fixture, { storeUrl: store.url, storeToken: accessToken });
  apart = await openFixture();
  storeless = await startApi(apart);
});
afterAll(async () => {
  await api?.close();
  await storeless?.close();
  await store?.stop();
  await apart?.close();
  await fixture?.close();
});

async function createProducts(count: number, named: string): Promise<void> {
  const client = testClient(store);
  await ensureIdDefinition(client);
  for (let n = 1; n <= count; n += 1) {
    const draft = testDraft({ title: `${named} ${n}`, variants: [testVariant({ price: '24.99' })] });
    store.clock.pass(1000);
    await setProduct(
      client,
      toCreateInput(draft, {
        externalId: `${named}-${n}`,
        locationId: 'gid://shopify/Location/72000000001',
        collectionIds: [],
      }),
    );
  }
  store.clock.pass(10_000);
}

const noCause = { store_product_id: null, payload_hash: null, cause: null };

const processed = (filename: string) =>
  storedImport(fixture, {
    csv: productCsv(2),
    filename,
    set: { status: 'processed', open_chunks: 0, processed_products: 2, completed_at: new Date() },
  });

describe('the store', () => {
  test('answers with its data, and the connection under both names', async () => {
    const message = 'Connected to Draftshelf Demo Store.';
    const connected = { status: 'success', message };
    expect(await api.call('GET', '/api/shopify/store')).toMatchObject({
      status: 200,
      body: {
        status: 'success',
        success: true,
        message,
        connected,
        name: 'Draftshelf Demo Store',
        domain: 'draftshelf-demo.myshopify.com',
        myshopify_domain: 'draftshelf-demo.myshopify.com',
        currency: 'CAD',
        plan_name: 'Basic',
        email: 'owner@draftshelf-demo.example',
        push_pace: null,
        total_products: 0,
      },
    });
    expect(await api.call('POST', '/api/shopify/test')).toMatchObject({
      status: 200,
      body: { success: true, connected },
    });
  });

  test('tells its budget and the median price of our copy of it', async () => {
    const { body } = await api.call('GET', '/api/shopify/budget');
    expect(body).toEqual({
      budget: { points: expect.any(Number), maximum: 40_000, restoreRate: 2000, productPoints: 14 },
    });
    expect((await storeless.call('GET', '/api/shopify/budget')).body).toEqual({ budget: null });
    const { body: median } = await api.call('GET', '/api/shopify/median-price');
    expect(median).toMatchObject({ currency: 'CAD' });
    const without = await storeless.call('GET', '/api/shopify/median-price');
    expect([without.status, without.body]).toEqual([200, expect.objectContaining({ currency: null })]);
  });

  test('tells the pace of the last pushes to it, by which the time of the next is estimated', async () => {
    const pushed = (set: object) =>
      storedImport(fixture, {
        csv: productCsv(2),
        set: { status: 'completed', open_chunks: 0, shop: 'draftshelf-demo.myshopify.com', ...set },
      });
    const begin = Date.now() - 600_000;
    const at = (second: number) => new Date(begin + second * 1000);
    await pushed({ created: 300, updated: 100, started_at: at(0), completed_at: at(20) });
    await pushed({ created: 100, started_at: at(100), completed_at: at(105) });
    // Too few products, nothing written, another shop, and too long ago.
    await pushed({ created: 2, started_at: at(200), completed_at: at(290) });
    await pushed({ unchanged: 900, started_at: at(200), completed_at: at(201) });
    await pushed({ created: 90, started_at: at(200), completed_at: at(290), shop: 'other.myshopify.com' });
    const old = (second: number) => new Date(at(second).getTime() - 8 * 86_400_000);
    await pushed({ created: 90, started_at: old(0), completed_at: old(90) });
    const { body } = await api.call('GET', '/api/shopify/store');
    expect(body).toMatchObject({ push_pace: 20 });
  });

  test('that does not answer is an error in a reply of 200, with null for its data', async () => {
    const message = 'Couldn’t reach the store.';
    expect(await storeless.call('GET', '/api/shopify/store')).toMatchObject({
      status: 200,
      body: { success: false, message, connected: { status: 'error', message }, name: null, currency: null },
    });
    for (const path of ['/api/shopify/products', '/api/shopify/collections']) {
      expect(await storeless.call('GET', path)).toMatchObject({
        status: 502,
        body: { code: 'store_error', message },
      });
    }
  });
});

describe('products', () => {
  test('come in REST shape, the last changed first, 50 without a limit', async () => {
    await createProducts(55, 'Listed');
    const { status, body } = await api.call('GET', '/api/shopify/products');
    expect(status).toBe(200);
    expect(body).toHaveLength(50);
    expect((body as unknown[])[0]).toEqual({
      id: expect.any(Number),
      title: 'Listed 55',
      vendor: 'Lumen',
      status: 'draft',
      product_type: 'Lighting',
      handle: 'listed-55',
      images: [{ src: 'https://images.example/lamp.jpg', alt: '' }],
      variants: [{ price: '24.99', inventory_quantity: 7 }],
      updated_at: expect.stringMatching(/^2026-/),
    });
    expect((await api.call('GET', '/api/shopify/products?limit=100')).body).toHaveLength(55);
    expect((await api.call('GET', '/api/shopify/products?limit=3')).body).toHaveLength(3);
  });

  test('are read once for screens of any size, and again after a change through the api', async () => {
    const asked = async () => (await store.stats()).requests.products ?? 0;
    const before = await asked();
    for (const limit of [10, 50, 51, 100, 250]) await api.call('GET', `/api/shopify/products?limit=${limit}`);
    expect(await asked()).toBe(before);
    const product = { title: 'Listed by a call', variants: [{ price: '5', sku: 'L-1' }] };
    await api.call('POST', '/api/shopify/create-product', { body: { product } });
    const { body } = await api.call('GET', '/api/shopify/products?limit=3');
    expect((body as { title: string }[]).map(({ title }) => title)).toContain('Listed by a call');
    expect(await asked()).toBe(before + 1);
  });

  test('have what a worker has pushed as soon as the push ends, in every process and at every limit', async () => {
    const { db } = fixture.database;
    const other = await startApi(fixture, { storeUrl: store.url, storeToken: accessToken });
    const titles = async (from: TestApi, limit: number) => {
      const { body } = await from.call('GET', `/api/shopify/products?limit=${limit}`);
      return (body as { title: string }[]).map(({ title }) => title);
    };
    for (const one of [api, other]) await titles(one, 100);
    const set = { status: 'uploading', open_chunks: 0 } as const;
    const { id } = await storedImport(fixture, { csv: productCsv(1), set });
    // While it is pushed, a screen reads a copy that lacks the last products.
    await titles(api, 50);
    await createProducts(1, 'Pushed by a worker');
    const written = { shop: 'draftshelf-demo.myshopify.com', our_id: 'pushed', effect: 'created' } as const;
    await insertLedgerEntries(db, [
      { ...written, origin: 'push', import_id: id, product: 1, run: 1, ...noCause },
    ]);
    await titles(api, 50);
    await moveStatus(db, id, { from: ['uploading'], to: 'completed', set: { completed_at: new Date() } });
    try {
      for (const one of [api, other])
        for (const limit of [100, 50, 250, 51])
          expect(await titles(one, limit)).toContain('Pushed by a worker 1');
    } finally {
      await other.close();
    }
  });

  test.each(['0', '251', 'x', '1.5'])('a limit of %s is refused', async (limit) => {
    expect(await api.call('GET', `/api/shopify/products?limit=${limit}`)).toMatchObject({
      status: 400,
      body: { field: 'limit' },
    });
  });
});

test('collections are those that take products, after All Products', async () => {
  expect((await api.call('GET', '/api/shopify/collections')).body).toEqual([
    { id: 73_000_000_001, title: 'All Products' },
    { id: 73_000_000_002, title: 'Clearance' },
    { id: 73_000_000_003, title: 'Home page' },
    { id: 73_000_000_004, title: 'New arrivals' },
  ]);
  await store.changeCollection({ id: 'gid://shopify/Collection/73000000001', deleted: true });
  await store.changeCollection({ title: 'Under $20', smart: true });
  await api.call('POST', '/api/shopify/products/batch', { body: { jobIds: ['unknown'] } });
  const { body } = await api.call('GET', '/api/shopify/collections');
  expect((body as { title: string }[]).map(({ title }) => title)).toEqual([
    'All Products',
    'Clearance',
    'Home page',
    'New arrivals',
  ]);
});

describe('dry run', () => {
  const complete = {
    title: ' Brass lamp ',
    body_html: '<p onclick="x()">A lamp.</p>',
    vendor: 'Lumen',
    product_type: '',
    status: 'active',
    published: true,
    published_scope: 'web',
    variants: [
      {
        title: 'Default Title',
        price: '$24.9',
        cost: 11,
        sku: 'L-1',
        barcode: '4006381333931',
        inventory_quantity: '7',
      },
    ],
    tags: 'brass, lamp, Brass',
    images: [{ src: 'https://images.example/lamp.jpg' }],
    metafields: [
      { namespace: 'scd', key: 'import_source', value: 'lamps.csv', type: 'single_line_text_field' },
      { namespace: 'scd', key: 'external_id', value: 'stolen', type: 'id' },
    ],
  };
  const dryRun = (body: unknown) => api.call('POST', '/api/shopify/dry-run', { body });

  test('passes a product with title and price, shows what would be sent, and writes nothing', async () => {
    const before = (await store.stats()).requests.productSet;
    const { status, body } = await dryRun({ product: complete });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      validation: {
        passed: true,
        message: 'All required fields present',
        missing: [],
        warnings: ['Safe Mode is on: the product is sent as a draft, not as active.'],
      },
      payload: {
        title: 'Brass lamp',
        body_html: '<p>A lamp.</p>',
        vendor: 'Lumen',
        product_type: 'Home Goods',
        status: 'draft',
        published: false,
        published_scope: 'web',
        variants: [
          {
            title: 'Default Title',
            price: '24.9',
            compare_at_price: null,
            cost: '11',
            sku: 'L-1',
            barcode: '4006381333931',
            inventory_quantity: 7,
            inventory_management: 'shopify',
            inventory_policy: 'deny',
          },
        ],
        tags: 'brass, lamp',
        images: [{ src: 'https://images.example/lamp.jpg' }],
        metafields: [
          { namespace: 'scd', key: 'upc', value: '4006381333931', type: 'single_line_text_field' },
          { namespace: 'scd', key: 'import_source', value: 'lamps.csv', type: 'single_line_text_field' },
        ],
      },
    });
    expect((await store.stats()).requests.productSet).toBe(before);
  });

  test.each([
    [{}, ['title', 'price']],
    [{ title: 'Lamp', variants: [{ price: 'free' }] }, ['price']],
    [{ title: ' ', variants: [{ price: 5 }] }, ['title']],
    [{ title: 'Lamp', variants: [] }, ['price']],
    [{ title: 'Lamp', variants: [{ price: '5' }, { price: '' }] }, ['price']],
  ])('%j lacks %j', async (product, missing) => {
    expect(await dryRun({ product })).toMatchObject({
      status: 200,
      body: {
        success: true,
        validation: { passed: false, message: 'Missing required fields', missing, warnings: [] },
        payload: null,
      },
    });
  });

  test('warnings never fail it', async () => {
    const product = {
      title: 'x'.repeat(256),
      variants: [{ price: 0, compare_at_price: '0', barcode: '123', inventory_quantity: -1 }],
      images: [{ src: 'ftp://images.example/a.jpg' }],
      collections: ['Clearance', 'No such'],
    };
    const { body } = await dryRun({ product });
    expect(body).toMatchObject({ validation: { passed: true } });
    expect((body as { validation: { warnings: string[] } }).validation.warnings).toEqual([
      'Over Shopify’s 255-character limit: title. The product would be skipped.',
      'The description is empty.',
      'Image addresses that don’t start with http: 1. Shopify would refuse the product.',
      'The price is 0.',
      'The compare-at price is not above the price, so no discount is shown.',
      'There is no SKU.',
      'The barcode 123 isn’t a valid UPC or EAN.',
      'The quantity is negative.',
      'The collection No such isn’t sent: the store has no collection of this name to which products can be added.',
    ]);
  });

  test('needs no store', async () => {
    const product = { title: 'Lamp', variants: [{ price: '5' }], collections: ['Any'] };
    const { body } = await storeless.call('POST', '/api/shopify/dry-run', { body: { product } });
    expect(body).toMatchObject({ validation: { passed: true } });
  });

  test('an empty body, and one without a product, are refused', async () => {
    expect(await api.call('POST', '/api/shopify/dry-run')).toMatchObject({
      status: 400,
      body: { message: 'The request needs a JSON body.' },
    });
    expect((await dryRun({})).status).toBe(400);
    expect((await dryRun({ product: { variants: [{ price: true }] } })).status).toBe(400);
  });
});

describe('create product', () => {
  const lamp = (title: string, price = '5') => ({ title, variants: [{ price, sku: 'C-1' }] });
  const create = (body: unknown, headers: Record<string, string> = {}, to = api) =>
    to.call('POST', '/api/shopify/create-product', { body, headers });
  const named = async (title: string) =>
    (await store.products()).filter((product) => product.title === title);
  const idIn = ({ body }: { body: unknown }) => (body as { product: { id: number } }).product.id;

  test('creates a draft, and another one with each call', async () => {
    const { last: before } = await readStoreWritePosition(fixture.database.db);
    const first = await create({ product: lamp('Called') });
    expect(first).toMatchObject({ status: 200, body: { outcome: 'created', product: { status: 'draft' } } });
    await create({ product: lamp('Called') });
    const products = await named('Called');
    expect(products.map(({ id }) => id)).toContain(idIn(first));
    expect(products.map(({ status }) => status)).toEqual(['DRAFT', 'DRAFT']);
    const ledger = await fixture.database.db
      .selectFrom('ledger')
      .select(['origin', 'effect'])
      .where('id', '>', before ?? 0)
      .execute();
    expect(ledger).toEqual([1, 2].map(() => ({ origin: 'call', effect: 'created' })));
  });

  test('with the same Idempotency-Key there is one product, whose changes are sent', async () => {
    const key = { 'idempotency-key': 'call-1' };
    const first = await create({ product: lamp('Keyed') }, key);
    const again = await create({ product: lamp('Keyed') }, key);
    expect(again.body).toMatchObject({ outcome: 'unchanged', product: { id: idIn(first) } });
    const changed = await create({ product: lamp('Keyed', '6') }, key);
    expect(changed.body).toMatchObject({ outcome: 'updated', product: { id: idIn(first) } });
    expect(await named('Keyed')).toMatchObject([{ variants: [{ price: '6.00' }] }]);
  });

  test('a lost answer is resolved by the next call', async () => {
    const key = { 'idempotency-key': 'lost' };
    await store.fault({ kind: 'drop-after', operation: 'productSet' });
    expect(await create({ product: lamp('Lost call') }, key)).toMatchObject({ status: 502 });
    expect(await create({ product: lamp('Lost call') }, key)).toMatchObject({ status: 409 });
    await fixture.database.db
      .updateTable('listings')
      .set({ sending_until: new Date(0) })
      .execute();
    expect(await create({ product: lamp('Lost call') }, key)).toMatchObject({
      status: 200,
      body: { outcome: 'created' },
    });
    expect(await named('Lost call')).toHaveLength(1);
  });

  test('of a row has the id under which a push sends the row', async () => {
    const record = await storedImport(fixture, { csv: productCsv(2), set: { status: 'queued' } });
    await fixture.database.db
      .insertInto('rows')
      .values({
        import_id: record.id,
        run: 1,
        row: 1,
        line: 2,
        product: 1,
        byte_from: 17,
        class: 'valid',
        enrichable: false,
        ignored: null,
        title: 'Vase 1',
        price: '1.50',
        sku: 'V-1',
        gtin: null,
        vendor: null,
        image: null,
        group_key: null,
        cells: JSON.stringify(['Vase 1', '1.50', 'V-1']),
        cells_as_read: null,
      })
      .execute();
    const of = { importId: record.id, row: 1 };
    const first = await create({ product: lamp('Vase 1'), ...of });
    const again = await create({ product: lamp('Vase 1'), ...of });
    expect(again.body).toMatchObject({ outcome: 'unchanged', product: { id: idIn(first) } });
    const listing = await fixture.database.db
      .selectFrom('listings')
      .select('store_product_id')
      .where('our_id', '=', deriveOurId(record, { byte_from: 17, own_id: null }))
      .executeTakeFirst();
    expect(listing?.store_product_id).toBe(`gid://shopify/Product/${idIn(first)}`);
    expect((await create({ product: lamp('X'), importId: record.id, row: 99 })).status).toBe(404);
    expect((await create({ product: lamp('X'), importId: 'unknown', row: 1 })).status).toBe(404);
    expect((await create({ product: lamp('X'), importId: record.id })).status).toBe(400);
  });

  test('keeps what somebody changed in the store', async () => {
    const key = { 'idempotency-key': 'drift' };
    const first = await create({ product: lamp('Drifted') }, key);
    await store.edit(String(idIn(first)), { title: 'By the merchant' });
    expect(await create({ product: lamp('Drifted again') }, key)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('Changed in the store') },
    });
    expect(await named('By the merchant')).toHaveLength(1);
  });

  test('is refused without title or price, when the store refuses it, and without a store', async () => {
    expect(await create({ product: { variants: [{ price: '5' }] } })).toMatchObject({
      status: 400,
      body: { field: 'product.title', message: 'Missing required fields: title.' },
    });
    expect((await create({ product: { title: 'Lamp' } })).status).toBe(400);
    expect((await create(undefined)).status).toBe(400);
    expect((await create({ product: lamp('x'.repeat(256)) })).status).toBe(400);
    const bad = { ...lamp('Bad image'), images: [{ src: 'not an address' }] };
    expect(await create({ product: bad })).toMatchObject({ status: 422, body: { code: 'store_refused' } });
    expect((await create({ product: lamp('Lamp') }, {}, storeless)).status).toBe(502);
    const key = { 'idempotency-key': 'k'.repeat(256) };
    expect((await create({ product: lamp('Lamp') }, key)).status).toBe(400);
  });
});

describe('sync inventory', () => {
  const sync = (to = api) => to.call('POST', '/api/shopify/sync-inventory');
  const copied = (title: string) =>
    fixture.database.db
      .selectFrom('store_products')
      .select(['title', 'status', 'quantity', 'skus', 'gtins', 'our_id'])
      .where('title', '=', title)
      .executeTakeFirst();

  test('copies every product with quantity, status and keys, follows changes, and writes nothing', async () => {
    await createProducts(2, 'Synced');
    const { length } = await store.products();
    const before = (await store.stats()).requests.productSet;
    expect(await sync()).toMatchObject({
      status: 200,
      body: { success: true, synced: length, total: length, running: false, error: null },
    });
    expect(await copied('Synced 1')).toEqual({
      title: 'Synced 1',
      status: 'DRAFT',
      quantity: 7,
      skus: ['LAMP-1'],
      gtins: ['04006381333931'],
      our_id: 'Synced-1',
    });
    const product = (await store.products()).find(({ title }) => title === 'Synced 1');
    const gone = (await store.products()).find(({ title }) => title === 'Synced 2');
    await store.edit(String(product?.id), { quantity: 3, status: 'ARCHIVED' });
    await store.edit(String(gone?.id), { deleted: true });
    expect((await sync()).body).toMatchObject({ synced: length - 1 });
    expect(await copied('Synced 1')).toMatchObject({ quantity: 3, status: 'ARCHIVED' });
    expect(await copied('Synced 2')).toBeUndefined();
    expect((await store.stats()).requests.productSet).toBe(before);
    expect((await api.call('GET', '/api/shopify/sync-inventory')).body).toMatchObject({
      synced: length - 1,
      running: false,
    });
  });

  test.runIf(isLong)(
    'joins a sync that runs, and continues an interrupted one where it stopped',
    async () => {
      const pages = async () => (await store.stats()).requests.products ?? 0;
      await store.fault({ kind: 'delay', delayMs: 300, operation: 'products' });
      const before = await pages();
      const both = await Promise.all([sync(), sync()]);
      expect(both.map(({ status }) => status)).toEqual([200, 200]);
      expect(await pages()).toBe(before + 1);
      await store.fault({ kind: 'status', status: 503, operation: 'products' });
      expect(await sync()).toMatchObject({ status: 502, body: { code: 'store_error' } });
      expect((await api.call('GET', '/api/shopify/sync-inventory')).body).toMatchObject({
        running: false,
        error: expect.stringContaining('503'),
      });
      expect((await sync()).status).toBe(200);
      expect((await sync(storeless)).status).toBe(502);
    },
  );

  test('that could not begin does not pass for the one before it, and the next one begins anew', async () => {
    const { length } = await store.products();
    await failStoreSync(
      fixture.database.db,
      'draftshelf-demo.myshopify.com',
      'Another store is connected now.',
    );
    const { body } = await api.call('GET', '/api/shopify/sync-inventory');
    expect(body).toMatchObject({ synced: 0, error: 'Another store is connected now.' });
    expect((await sync()).body).toMatchObject({ success: true, synced: length, total: length, error: null });
  });
});

describe('batch push', () => {
  test('lists the imports that are ready, and only these', async () => {
    const ready = await processed('ready.csv');
    const queued = await storedImport(fixture, { csv: productCsv(1), set: { status: 'queued' } });
    const { status, body } = await api.call('GET', '/api/jobs/completed');
    expect(status).toBe(200);
    expect(body).toContainEqual({
      id: ready.id,
      filename: 'ready.csv',
      processedProducts: 2,
      status: 'processed',
      completedAt: expect.any(String),
      createdAt: expect.any(String),
      otherCurrency: null,
      columnQuestions: 0,
      asksRecipes: false,
      shop: null,
    });
    expect((body as { id: string }[]).map(({ id }) => id)).not.toContain(queued.id);
  });

  test('gives one result per import in the order of the request, and pushed ones leave the list', async () => {
    const [a, b] = [await processed('a.csv'), await processed('b.csv')];
    const running = await storedImport(fixture, { csv: productCsv(1) });
    const jobIds = [b.id, 'no-such-id', running.id, a.id, a.id];
    const { status, body } = await api.call('POST', '/api/shopify/products/batch', { body: { jobIds } });
    expect(status).toBe(200);
    const { results } = body as { results: { jobId: string; success: boolean; message: string }[] };
    expect(results.map(({ jobId }) => jobId)).toEqual(jobIds);
    expect(results.map(({ success }) => success)).toEqual([true, false, false, true, false]);
    expect(results[1]?.message).toBe('Import not found.');
    expect(results[2]?.message).toBe('The import’s current status doesn’t allow this.');
    const left = (await api.call('GET', '/api/jobs/completed')).body as { id: string }[];
    expect(left.map(({ id }) => id)).not.toContain(a.id);
  });

  test('without ids it is refused', async () => {
    for (const body of [{ jobIds: [] }, {}, undefined]) {
      expect((await api.call('POST', '/api/shopify/products/batch', { body })).status).toBe(400);
    }
  });
});

test('a push says what it does with products that are in the store, under each of its paths', async () => {
  for (const path of ['queue/:id/push', 'jobs/:id/push-shopify', 'jobs/:id/push-to-shopify']) {
    const { id } = await processed('chosen.csv');
    const url = `/api/${path.replace(':id', id)}`;
    expect((await api.call('POST', url, { body: { whenInStore: 'ask' } })).status).toBe(400);
    const { status, body } = await api.call('POST', url, { body: { whenInStore: 'create' } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, job: { status: 'uploading', inStore: 0 } });
    expect(await readPushRun(fixture.database.db, { import_id: id, run: 1 })).toMatchObject({
      whenInStore: 'create',
    });
  }
  const { id } = await processed('default.csv');
  expect((await api.call('POST', `/api/queue/${id}/push`)).status).toBe(200);
  expect(await readPushRun(fixture.database.db, { import_id: id, run: 1 })).toMatchObject({
    whenInStore: 'skip',
  });
});

test('preferences have defaults, are saved in part, and refuse unknown keys', async () => {
  const others = {
    ...{ autoPushDelayMinutes: 10, autoPushMax: 1000, rulesFillEmpty: false },
    sendNonOverlapping: true,
    ...{ keepRowsDays: null, keepFilesDays: null },
  };
  expect((await api.call('GET', '/api/preferences')).body).toEqual({ whenInStore: 'skip', ...others });
  const saved = await api.call('POST', '/api/preferences', { body: { whenInStore: 'update' } });
  expect(saved).toMatchObject({ status: 200, body: { whenInStore: 'update' } });
  const wrong = [{ whenInStore: 'ask' }, { draftMode: false }, { autoPushDelayMinutes: -1 }, undefined];
  for (const body of wrong) {
    expect((await api.call('POST', '/api/preferences', { body })).status).toBe(400);
  }
  expect((await api.call('GET', '/api/preferences')).body).toEqual({ whenInStore: 'update', ...others });
  await api.call('POST', '/api/preferences', { body: { whenInStore: 'skip' } });
});
