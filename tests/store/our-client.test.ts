import { createShopifyClient, productAdminUrl } from '@draftshelf/shopify/client';
import { findManualCollectionIds, readCollections } from '@draftshelf/shopify/collections';
import { findStockLocationId } from '@draftshelf/shopify/locations';
import { decideResend } from '@draftshelf/shopify/product/as-sent';
import { toCreateInput } from '@draftshelf/shopify/product/create-input';
import { findDriftedParts } from '@draftshelf/shopify/product/drifted-fields';
import { planUpdate } from '@draftshelf/shopify/product/update-input';
import { ensureIdDefinition } from '@draftshelf/shopify/product-definitions';
import { findOurProduct, readLiveProducts, readStamps, setProduct } from '@draftshelf/shopify/products';
import { StoreRefused, StoreUnavailable } from '@draftshelf/shopify/store-errors';
import { testDraft, testVariant } from '@draftshelf/shopify/testing/drafts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  accessToken,
  apiVersion,
  clientCredentials,
  memoryBudget,
  startStore,
  type TestStore,
  testClient,
} from './start-store.ts';

const locationId = 'gid://shopify/Location/72000000001';
const options = { externalId: 'id-1', locationId, collectionIds: [] };
const appCredentials = { clientId: clientCredentials.id, clientSecret: clientCredentials.secret };

let store: TestStore;
beforeEach(async () => {
  store = await startStore();
});
afterEach(() => store.stop());

async function error(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
}

describe('writing', () => {
  test('a created product is read back as intended', async () => {
    const client = testClient(store);
    await ensureIdDefinition(client);
    const draft = testDraft({
      options: [{ name: 'Size', values: ['S', 'M'] }],
      variants: [
        testVariant({ option1: 'S', price: '180' }),
        testVariant({ option1: 'M', compare_at_price: '40.5' }),
      ],
    });
    const { id, handle } = await setProduct(client, toCreateInput(draft, options));
    expect(handle).toBe('brass-lamp');
    const live = await findOurProduct(client, 'id-1');
    expect(live).toMatchObject({
      id,
      title: 'Brass lamp',
      status: 'DRAFT',
      tags: ['brass', 'lamp'],
      externalId: 'id-1',
      options: [{ name: 'Size', values: ['S', 'M'] }],
      variants: [
        { price: '180.00', compareAtPrice: null, cost: '11.50', tracked: true },
        { price: '24.90', compareAtPrice: '40.50' },
      ],
      complete: { variants: true, media: true, metafields: true, collections: true },
    });
    expect(live?.media.map(({ state }) => state)).not.toContain('READY');
    store.clock.pass(60_000);
    const later = (await readLiveProducts(client, [id, 'gid://shopify/Product/1'])).get(id) ?? fail();
    expect(new Set(later.media.map(({ state }) => state))).toEqual(new Set(['READY']));
    expect(findDriftedParts(later, live ?? fail())).toEqual([]);
    expect([...(await readStamps(client, [id]))]).toEqual([[id, later.updatedAt]]);
    expect((await store.products())[0]?.variants[0]?.quantity).toBe(7);
    expect((await fetch(productAdminUrl(store.url, id))).status).toBe(200);
  });

  test('a product is read with all of its variants, in few requests', async () => {
    const client = testClient(store);
    await ensureIdDefinition(client);
    const valuesOf = (name: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${name}${at}`);
    const make = async (externalId: string, sizes: string[], colors: string[]) => {
      const variants = sizes.flatMap((option1) => colors.map((option2) => testVariant({ option1, option2 })));
      const draft = testDraft({
        options: [
          { name: 'Size', values: sizes },
          { name: 'Color', values: colors },
        ],
        variants,
      });
      return (await setProduct(client, toCreateInput(draft, { ...options, externalId }))).id;
    };
    const few = await make('few', valuesOf('S', 2), ['Red']);
    const many = await make('many', valuesOf('S', 13), valuesOf('C', 10));
    const most = await make('most', valuesOf('S', 32), valuesOf('C', 64));
    const before = (await store.stats()).requests;
    const live = await readLiveProducts(client, [few, many, most]);
    const requests = (await store.stats()).requests;
    const sent = (name: string) => (requests[name] ?? 0) - (before[name] ?? 0);
    expect([sent('nodes'), sent('product')]).toEqual([2, 8]);
    for (const [id, count] of [
      [few, 2],
      [many, 130],
      [most, 2_048],
    ] as const) {
      const { variants, complete } = live.get(id) ?? fail();
      expect(new Set(variants.map((one) => one.id)).size).toBe(count);
      expect(complete.variants).toBe(true);
    }
    expect((await findOurProduct(client, 'many'))?.variants).toEqual(live.get(many)?.variants);
  });

  test('a store of a version without lists of barcodes is read without them', async () => {
    let asked = 0;
    const olderFetch: typeof fetch = async (url, init) => {
      if (!String(init?.body).includes('barcodes')) return fetch(url, init);
      asked += 1;
      const extensions = { code: 'undefinedField' };
      return Response.json({ errors: [{ message: 'Field ‘barcodes’ doesn’t exist', extensions }] });
    };
    const credentials = { accessToken };
    const client = createShopifyClient(
      { url: store.url, apiVersion, credentials },
      { budget: memoryBudget(store.clock), fetch: olderFetch },
    );
    await ensureIdDefinition(client);
    const { id } = await setProduct(client, toCreateInput(testDraft(), options));
    expect((await readLiveProducts(client, [id])).size).toBe(1);
    expect((await findOurProduct(client, 'id-1'))?.id).toBe(id);
    expect(asked).toBe(1);
  });

  test('the same input again is an update, never a second product', async () => {
    const client = testClient(store);
    await ensureIdDefinition(client);
    const first = await setProduct(client, toCreateInput(testDraft(), options));
    const both = await Promise.all([
      setProduct(client, toCreateInput(testDraft(), options)),
      setProduct(client, toCreateInput(testDraft(), options)),
    ]);
    expect(both).toEqual([first, first]);
    expect(await store.products()).toHaveLength(1);
  });

  test('an update changes what we changed and keeps what the merchant added', async () => {
    const client = testClient(store);
    await ensureIdDefinition(client);
    const { id } = await setProduct(client, toCreateInput(testDraft(), options));
    const rating = { namespace: 'reviews', key: 'rating', type: 'single_line_text_field', value: '4.8' };
    await store.edit(id, { vendor: 'Merchant', tags: ['brass', 'lamp', 'Bestseller'], metafield: rating });
    const live = (await findOurProduct(client, 'id-1')) ?? fail();
    const next = testDraft({ title: 'Lamp', tags: 'lamp', variants: [testVariant({ price: '19' })] });
    const update = planUpdate(next, {
      ...{ externalId: 'id-1', sent: testDraft(), live, seen: live },
      ...{ locationId, collections: [] },
    });
    if (update.kind !== 'update') throw new Error(update.kind);
    await setProduct(client, update.variables);
    const after = (await findOurProduct(client, 'id-1')) ?? fail();
    expect(after).toMatchObject({ title: 'Lamp', vendor: 'Merchant', tags: ['Bestseller', 'lamp'] });
    expect(after.variants).toMatchObject([{ id: live.variants[0]?.id, price: '19.00', sku: 'LAMP-1' }]);
    expect(after.media).toEqual(live.media);
    expect(after.metafields).toContainEqual(rating);
    expect(after.payloadHash).not.toBe(live.payloadHash);
  });

  test('a variant that was taken out of our location differs from one that was never stocked there', async () => {
    const client = testClient(store);
    await ensureIdDefinition(client);
    const { id } = await setProduct(client, toCreateInput(testDraft(), options));
    await store.edit(id, { takenOut: true });
    const at = async (location: string) =>
      (await findOurProduct(client, 'id-1', { locationId: location }))?.variants[0];
    expect(await at(locationId)).toMatchObject({ quantity: null, isTakenOut: true });
    const elsewhere = await at('gid://shopify/Location/2');
    expect([elsewhere?.quantity, elsewhere?.isTakenOut]).toEqual([null, undefined]);
    await store.edit(id, { quantity: 3 });
    expect((await at(locationId))?.quantity).toBe(3);
  });

  test('a refusal is a sentence about this product', async () => {
    const client = testClient(store);
    await ensureIdDefinition(client);
    const refused = await error(
      setProduct(client, toCreateInput(testDraft({ title: 'x'.repeat(256) }), options)),
    );
    expect(refused).toBeInstanceOf(StoreRefused);
    expect(refused).toMatchObject({
      message: 'Shopify rejected the product: title is too long (maximum is 255 characters).',
      scope: 'request',
      code: 'INVALID_PRODUCT',
    });
  });

  test('the definition is made once, and one of another type is refused', async () => {
    const client = testClient(store);
    await Promise.all([ensureIdDefinition(client), ensureIdDefinition(client)]);
    await ensureIdDefinition(client);
    expect((await store.stats()).requests.metafieldDefinitionCreate).toBeLessThanOrEqual(2);

    const other = await startStore();
    const definition = {
      name: 'x',
      namespace: 'scd',
      key: 'external_id',
      ownerType: 'PRODUCT',
      type: 'url',
    } as const;
    await testClient(other).request('metafieldDefinitionCreate', { definition });
    expect(await error(ensureIdDefinition(testClient(other)))).toMatchObject({
      name: 'StoreRefused',
      scope: 'store',
      code: 'DEFINITION_TYPE',
    });
    await other.stop();
  });
});

test('a push reads the stock location and the collections that accept products', async () => {
  const client = testClient(store);
  expect(await findStockLocationId(client)).toBe(locationId);
  const collections = await readCollections(client);
  expect(collections.map((one) => [one.title, one.smart])).toEqual([
    ['All Products', true],
    ['Clearance', false],
    ['Home page', false],
    ['New arrivals', false],
  ]);
  const ids = findManualCollectionIds(collections, ['all products', ' clearance ', 'Nowhere']);
  expect(ids).toEqual([collections[1]?.id]);
  await ensureIdDefinition(client);
  await setProduct(client, toCreateInput(testDraft(), { ...options, collectionIds: ids }));
  expect((await store.products())[0]?.collectionIds).toEqual(ids);
});

describe('a lost answer', () => {
  test.each(['drop-after', 'truncated'])(
    '%s: the effect is found by our id and not repeated',
    async (kind) => {
      const client = testClient(store);
      await ensureIdDefinition(client);
      await store.fault({ kind, operation: 'productSet' });
      const lost = await error(setProduct(client, toCreateInput(testDraft(), options)));
      expect(lost).toBeInstanceOf(StoreUnavailable);
      const live = await findOurProduct(client, 'id-1');
      expect(decideResend(live, { draft: testDraft(), baseline: null })).toBe('record');
      expect(await store.products()).toHaveLength(1);
    },
  );

  test('drop-before: nothing was stored, and it is sent again', async () => {
    const client = testClient(store);
    await ensureIdDefinition(client);
    await store.fault({ kind: 'drop-before', operation: 'productSet' });
    expect(await error(setProduct(client, toCreateInput(testDraft(), options)))).toMatchObject({
      reason: 'network',
    });
    const live = await findOurProduct(client, 'id-1');
    expect(decideResend(live, { draft: testDraft(), baseline: null })).toBe('send');
  });

  test('a slow answer is a time-out, an abort has the caller’s reason', async () => {
    const client = testClient(store);
    await store.fault({ kind: 'delay', delayMs: 600_000, times: 2 });
    expect(await error(client.request('shop', {}, { timeoutMs: 20 }))).toMatchObject({ reason: 'timeout' });
    const abort = new AbortController();
    const asked = error(client.request('shop', {}, { signal: abort.signal }));
    const reason = new Error('stopping');
    abort.abort(reason);
    expect(await asked).toBe(reason);
  });
});

describe('the quota', () => {
  test('THROTTLED is repeated through the budget, with the store’s numbers', async () => {
    const budget = memoryBudget(store.clock);
    const client = testClient(store, { accessToken }, budget);
    await store.fault({ kind: 'throttled', operation: 'shop', times: 3 });
    expect((await client.request('shop', {})).shop.currencyCode).toBe('CAD');
    expect((await store.stats()).throttled).toBe(3);
    expect(budget.open).toBe(0);
  });

  test('a caller is asked before each time that a request is sent, and may stop it', async () => {
    const client = testClient(store);
    await client.request('shop', {});
    const answered = async () => (await store.stats()).requests.shop ?? 0;
    const before = await answered();
    await store.fault({ kind: 'throttled', operation: 'shop', times: 2 });
    const asked: string[] = [];
    await client.request('shop', {}, { beforeSend: async () => void asked.push('shop') });
    expect([asked.length, (await answered()) - before]).toEqual([3, 3]);
    const slow = new Error('The database was slow.');
    expect(await error(client.request('shop', {}, { beforeSend: () => Promise.reject(slow) }))).toBe(slow);
    const lost = new AbortController();
    const { signal } = lost;
    const stop = async () => lost.abort(slow);
    expect(await error(client.request('shop', {}, { signal, beforeSend: stop }))).toBe(slow);
    expect((await answered()) - before).toBe(3);
  });

  test('a quota that stays used up is left to the caller', async () => {
    await store.fault({ kind: 'throttled', operation: 'shop', times: 4 });
    expect(await error(testClient(store).request('shop', {}))).toMatchObject({
      name: 'StoreUnavailable',
      reason: 'throttled',
      waitMs: 0,
    });
  });

  test('more than the bucket’s points are sent at the store’s rate, without being throttled', async () => {
    const budget = memoryBudget(store.clock);
    const client = testClient(store, { accessToken }, budget);
    await ensureIdDefinition(client);
    const fromMs = store.clock.now();
    for (let n = 0; n < 300; n += 1) {
      await setProduct(client, toCreateInput(testDraft(), { ...options, externalId: `id-${n}` }));
    }
    // 300 products of 13 points are 3,900; the bucket gave 2,000 of them at once and 100 a second after.
    expect((await store.stats()).throttled).toBe(0);
    expect(budget.waits).toBeGreaterThan(0);
    expect(store.clock.now() - fromMs).toBeGreaterThan(18_000);
    expect(await store.products()).toHaveLength(300);
  });
});

describe('access', () => {
  test('an app’s token is requested once, shared, and renewed before it expires', async () => {
    const client = testClient(store, appCredentials);
    await Promise.all([client.request('shop', {}), client.request('shop', {}), client.request('shop', {})]);
    expect((await store.stats()).tokensGranted).toBe(1);
    store.clock.pass(23 * 3_600_000);
    await client.request('shop', {});
    expect((await store.stats()).tokensGranted).toBe(1);
    store.clock.pass(56 * 60_000);
    await client.request('shop', {});
    expect((await store.stats()).tokensGranted).toBe(2);
  });

  test('a refused token is renewed, also if the next one is refused, but not for ever', async () => {
    const client = testClient(store, appCredentials);
    await client.request('shop', {});
    await store.fault({ kind: 'unauthorized' });
    await client.request('shop', {});
    expect(await store.stats()).toMatchObject({ tokensGranted: 2, refused: 1 });
    await store.fault({ kind: 'unauthorized', times: 2 });
    await client.request('shop', {});
    expect(await store.stats()).toMatchObject({ tokensGranted: 4, refused: 3 });
    await store.fault({ kind: 'unauthorized', times: 4 });
    expect(await error(client.request('shop', {}))).toMatchObject({ scope: 'store', code: 'UNAUTHORIZED' });
  });

  test('a wrong static token or secret is an error of the whole store', async () => {
    expect(await error(testClient(store, { accessToken: 'shpat_wrong' }).request('shop', {}))).toMatchObject({
      message: 'The store doesn’t accept the access token.',
      scope: 'store',
    });
    const wrong = testClient(store, { clientId: 'client-id', clientSecret: 'wrong' });
    expect(await error(wrong.request('shop', {}))).toMatchObject({
      scope: 'store',
      code: 'app_not_installed',
    });
  });

  test('the token is sent only over https or to this machine', () => {
    const create = (url: string) =>
      createShopifyClient(
        { url, apiVersion, credentials: { accessToken } },
        { budget: memoryBudget(store.clock) },
      );
    expect(() => create('http://shop.example')).toThrow('must start with https://');
    expect(create('https://shop.myshopify.com/admin').store.url).toBe('https://shop.myshopify.com');
  });
});

test.each([
  [{ kind: 'status', status: 503 }, { reason: 'server' }],
  [
    { kind: 'status', status: 429, retryAfter: '2.0' },
    { reason: 'throttled', waitMs: 2000 },
  ],
  [{ kind: 'status', status: 423 }, { reason: 'locked' }],
  [{ kind: 'html' }, { reason: 'server' }],
])('%j may be tried again', async (fault, expected) => {
  await store.fault({ ...fault, times: 4 });
  const thrown = await error(testClient(store).request('shop', {}));
  expect(thrown).toBeInstanceOf(StoreUnavailable);
  expect(thrown).toMatchObject(expected);
});

test('a store that does not exist is unreachable', async () => {
  const gone = await startStore();
  await gone.stop();
  expect(await error(testClient(gone).request('shop', {}))).toMatchObject({ reason: 'network' });
});

function fail(): never {
  throw new Error('expected a product');
}
