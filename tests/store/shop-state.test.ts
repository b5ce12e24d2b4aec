import { toCreateInput } from '@draftshelf/shopify/product/create-input';
import { ensureIdDefinition } from '@draftshelf/shopify/product-definitions';
import { setProduct, setQuantities } from '@draftshelf/shopify/products';
import { testDraft } from '@draftshelf/shopify/testing/drafts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { secondShop } from '../../apps/simulators/store/src/demo-shop.ts';
import { accessToken, apiVersion, startStore, type TestStore, testClient } from './start-store.ts';

const [warehouse, outlet] = ['gid://shopify/Location/72000000001', 'gid://shopify/Location/72000000002'];
const options = (externalId: string) => ({ externalId, locationId: warehouse, collectionIds: [] });

let store: TestStore;
beforeEach(async () => {
  store = await startStore();
});
afterEach(() => store.stop());

async function ask(query: string, variables: object = {}, at = store) {
  const response = await fetch(`${at.url}/admin/api/${apiVersion}/graphql.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-shopify-access-token': accessToken },
    body: JSON.stringify({ query, variables }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: replies of many documents
  return { status: response.status, ...((await response.json()) as { data?: any; errors?: any }) };
}

async function createProduct(externalId = 'id-1', at = store): Promise<string> {
  const client = testClient(at);
  await ensureIdDefinition(client);
  return (await setProduct(client, toCreateInput(testDraft(), options(externalId)))).id;
}

describe('quantities', () => {
  const levels = `query levels($id: ID!) { product(id: $id) { totalInventory variants(first: 1) { nodes {
    inventoryItem { id inventoryLevels(first: 5) {
      nodes { location { id } quantities(names: ["available"]) { name quantity } }
    } }
  } } } }`;
  const set = `mutation set($input: InventorySetQuantitiesInput!, $key: String!) {
    inventorySetQuantities(input: $input) @idempotent(key: $key) {
      inventoryAdjustmentGroup { reason changes { name delta quantityAfterChange } }
      userErrors { code field message }
    }
  }`;

  async function read(id: string) {
    const { product } = (await ask(levels, { id })).data;
    const item = product.variants.nodes[0].inventoryItem;
    const byLocation = Object.fromEntries(
      item.inventoryLevels.nodes.map(
        (one: { location: { id: string }; quantities: { quantity: number }[] }) => [
          one.location.id,
          one.quantities[0]?.quantity,
        ],
      ),
    );
    return { item: item.id as string, total: product.totalInventory, byLocation };
  }
  const input = (
    item: string,
    quantity: number,
    changeFromQuantity?: number | null,
    locationId = warehouse,
  ) => ({
    name: 'available',
    reason: 'correction',
    quantities: [{ inventoryItemId: item, locationId, quantity, changeFromQuantity }],
  });
  const send = async (key: string, given: object) =>
    (await ask(set, { key, input: given })).data.inventorySetQuantities;

  test('are set per location, only from the quantity that was seen', async () => {
    const id = await createProduct();
    const { item, ...before } = await read(id);
    expect(before).toEqual({ total: 7, byLocation: { [warehouse]: 7 } });
    expect((await send('a', input(item, 9, 7))).inventoryAdjustmentGroup).toEqual({
      reason: 'correction',
      changes: [{ name: 'available', delta: 2, quantityAfterChange: 9 }],
    });
    expect((await send('b', input(item, 3, 0, outlet))).userErrors).toEqual([]);
    expect(await read(id)).toMatchObject({ total: 12, byLocation: { [warehouse]: 9, [outlet]: 3 } });
    expect((await send('c', input(item, 1, 7))).userErrors).toMatchObject([
      { code: 'CHANGE_FROM_QUANTITY_STALE', field: ['input', 'quantities', '0', 'changeFromQuantity'] },
    ]);
    expect((await send('d', input(item, 1))).userErrors).toMatchObject([
      { code: 'COMPARE_QUANTITY_REQUIRED' },
    ]);
    expect((await send('e', input(item, 1, null))).userErrors).toEqual([]);
    expect((await read(id)).total).toBe(4);
  });

  test('need an idempotency key, which sets once', async () => {
    const id = await createProduct();
    const { item } = await read(id);
    await send('once', input(item, 9, 7));
    await store.edit(id, { quantity: 5 });
    expect((await send('once', input(item, 9, 7))).userErrors).toEqual([]);
    expect((await read(id)).total).toBe(5);
    expect((await send('once', input(item, 8, 7))).userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH' },
    ]);
    const without = set.replace(', $key: String!', '').replace('@idempotent(key: $key)', '');
    expect((await ask(without, { input: input(item, 9, 5) })).errors).toMatchObject([
      { extensions: { code: 'BAD_REQUEST' } },
    ]);
    expect((await read(id)).total).toBe(5);
  });

  test('are set again by a key that is a day old', async () => {
    const id = await createProduct();
    const { item } = await read(id);
    await send('daily', input(item, 9, 7));
    await store.edit(id, { quantity: 7 });
    store.clock.pass(86_399_000);
    await send('daily', input(item, 9, 7));
    expect((await read(id)).total).toBe(7);
    store.clock.pass(1_000);
    await send('daily', input(item, 9, 7));
    expect((await read(id)).total).toBe(9);
    expect((await send('daily', input(item, 8, 9))).userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH' },
    ]);
  });

  test('a key that was used for others is a refusal that may have had an effect', async () => {
    const id = await createProduct();
    const { item } = await read(id);
    const client = testClient(store);
    const quantities = (quantity: number) => [
      { inventoryItemId: item, locationId: warehouse, quantity, changeFromQuantity: 7 },
    ];
    expect(await setQuantities(client, { key: 'twice', quantities: quantities(9) })).toBe('set');
    await expect(setQuantities(client, { key: 'twice', quantities: quantities(8) })).rejects.toMatchObject({
      name: 'StoreRefused',
      code: 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH',
      hadNoEffect: false,
    });
  });
});

test('collections are read, added, renamed and deleted, and a product keeps those that exist', async () => {
  const titles = async () =>
    (await ask('{ collections(first: 50) { nodes { title } } }')).data.collections.nodes.map(
      (one: { title: string }) => one.title,
    );
  expect(await titles()).toEqual(['All Products', 'Clearance', 'Home page', 'New arrivals']);
  await store.changeCollection({ title: 'Lamps' });
  await store.changeCollection({ id: 'gid://shopify/Collection/73000000002', title: 'Sale' });
  await store.changeCollection({ id: 'gid://shopify/Collection/73000000003', deleted: true });
  expect(await titles()).toEqual(['All Products', 'Sale', 'New arrivals', 'Lamps']);
  const id = await createProduct();
  await store.edit(id, { collectionIds: [2, 3].map((n) => `gid://shopify/Collection/7300000000${n}`) });
  const { product } = (
    await ask('query p($id: ID!) { product(id: $id) { collections(first: 9) { nodes { title } } } }', { id })
  ).data;
  expect(product.collections.nodes).toEqual([{ title: 'Sale' }]);
});

test('a call without the scope for it is denied and has no effect', async () => {
  await createProduct();
  await store.changeShop({ scopes: ['read_products'] });
  const locations = await ask('{ locations(first: 1) { nodes { id } } }');
  expect(locations.errors).toMatchObject([
    {
      message: expect.stringMatching(
        /^Access denied for locations field\. Required access: `read_locations`/,
      ),
      extensions: { code: 'ACCESS_DENIED' },
    },
  ]);
  const client = testClient(store);
  const refused = setProduct(client, toCreateInput(testDraft(), options('id-2')));
  await expect(refused).rejects.toMatchObject({ code: 'ACCESS_DENIED', scope: 'store', hadNoEffect: true });
  expect(await store.products()).toHaveLength(1);
  expect((await ask('{ currentAppInstallation { accessScopes { handle } } }')).data).toEqual({
    currentAppInstallation: { accessScopes: [{ handle: 'read_products' }] },
  });
});

test('the daily limit refuses new variants until the next day, and no updates', async () => {
  await store.changeShop({ dailyVariantsMax: 1 });
  const id = await createProduct('id-1');
  await expect(createProduct('id-2')).rejects.toMatchObject({ reason: 'daily-limit' });
  expect(await createProduct('id-1')).toBe(id);
  store.clock.pass(86_400_000);
  await createProduct('id-2');
  expect(await store.products()).toHaveLength(2);
});

test.each([402, 423, 429])('a storm of %i ends after its time', async (status) => {
  await store.fault({ kind: 'status', status, forMs: 60_000 });
  const shop = async () => (await ask('{ shop { name } }')).status;
  expect([await shop(), await shop(), await shop()]).toEqual([status, status, status]);
  store.clock.pass(60_000);
  expect(await shop()).toBe(200);
});

test('another shop has its own name, currency and products', async () => {
  const other = await startStore({ shop: secondShop() });
  await createProduct();
  const { shop } = (await ask('{ shop { myshopifyDomain currencyCode } }', {}, other)).data;
  expect(shop).toEqual({ myshopifyDomain: 'draftshelf-second.myshopify.com', currencyCode: 'EUR' });
  expect(await other.products()).toEqual([]);
  await other.stop();
});

describe('the edit form of a product page', () => {
  async function open(id: string) {
    const url = `${store.url}/admin/products/${id.slice(id.lastIndexOf('/') + 1)}`;
    const html = await (await fetch(url)).text();
    return { url, token: /name="token" value="([^"]+)"/.exec(html)?.[1] ?? '' };
  }
  const submit = (url: string, fields: Record<string, string>, origin = store.url) =>
    fetch(url, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });

  test('changes the product as somebody else would', async () => {
    const { url, token } = await open(await createProduct());
    const fields = { token, title: 'By hand', price: '3.50', quantity: '2', tags: 'a, b', status: 'ACTIVE' };
    expect((await submit(url, { ...fields, action: 'save' })).status).toBe(303);
    expect(await store.products()).toMatchObject([
      { title: 'By hand', status: 'ACTIVE', tags: ['a', 'b'], variants: [{ price: '3.50', quantity: 2 }] },
    ]);
    expect((await submit(url, { token, action: 'delete' })).headers.get('location')).toBe('/admin/products');
    expect(await store.products()).toEqual([]);
  });

  test('is refused from another site and without its token', async () => {
    const { url, token } = await open(await createProduct());
    const fields = { title: 'Stolen', price: '1', quantity: '1', tags: '', status: 'ACTIVE' };
    expect((await submit(url, { ...fields, token }, 'https://evil.example')).status).toBe(403);
    expect((await submit(url, { ...fields, token: 'guessed' })).status).toBe(403);
    expect((await store.products())[0]?.title).toBe('Brass lamp');
  });
});
