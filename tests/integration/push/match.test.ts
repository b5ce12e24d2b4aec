import { setMatchChoice } from '@draftshelf/database/push/match-choice';
import { copyProducts } from '@draftshelf/database/store/store-products';
import type { MatchChoice } from '@draftshelf/domain/preferences';
import { pushImport } from '@draftshelf/imports/actions/import-actions';
import { createShopifyClient } from '@draftshelf/shopify/client';
import { readStorePage } from '@draftshelf/shopify/store-pages';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { csvOf } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { type Stack, startStack } from '../../support/stack.ts';

const shop = 'draftshelf-demo.myshopify.com';
const storeToken = 'test-token';

let stack: Stack;
const { reach, push, importOf, calls, outcomes, productsNamed, edit } = pushSteps(() => stack);

beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.close());

let files = 0;
/** An import of products with these SKUs, UPCs and item numbers. */
async function fileOf(rows: readonly (readonly string[])[]): Promise<string> {
  files += 1;
  const csv = csvOf([['Title', 'Price', 'SKU', 'UPC', 'Item #'], ...rows]);
  return (await importOf(csv, String(files).padStart(64, 'e'))).id;
}

async function pushWith(id: string, choice: MatchChoice): Promise<void> {
  await stack.database.db.transaction().execute(async (trx) => {
    const pushed = await pushImport(trx, id, 25);
    if (!pushed.ok) throw new Error(pushed.reason);
    await setMatchChoice(trx, { import_id: id, run: pushed.import.push_run }, choice);
  });
}

/** Creates a product in the store that has nothing of ours, and copies the store. */
async function createByMerchant(title: string, sku: string): Promise<void> {
  const response = await fetch(`${stack.store.url}/admin/api/2026-10/graphql.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-shopify-access-token': storeToken },
    body: JSON.stringify({
      query: `mutation make($input: ProductSetInput!) {
        productSet(input: $input, synchronous: true) { userErrors { message } }
      }`,
      variables: {
        input: {
          title,
          status: 'ACTIVE',
          productOptions: [{ name: 'Title', values: [{ name: 'Default Title' }] }],
          variants: [{ optionValues: [{ optionName: 'Title', name: 'Default Title' }], sku, price: '1' }],
        },
      },
    }),
  });
  expect(await response.json()).toMatchObject({ data: { productSet: { userErrors: [] } } });
  const store = { url: stack.store.url, apiVersion: '2026-10', credentials: { accessToken: storeToken } };
  const budget = { reserve: async (points: number) => ({ points }), report: async () => {} };
  const { products } = await readStorePage(createShopifyClient(store, { budget }), null);
  await copyProducts(stack.database.db, shop, products);
}

it('skips what an earlier import has pushed with the same SKU, UPC or item number, links it, and completes', async () => {
  const first = await fileOf([
    ['By SKU', '1', 'M-1', '', ''],
    ['By UPC', '2', 'M-2', '4006381333931', ''],
    ['By item', '3', 'M-3', '', 'I-3'],
  ]);
  await push(first);
  await reach(first, 'completed');
  const before = await calls();
  const second = await fileOf([
    ['Other name', '9', 'M-1', '', ''],
    ['Other name 2', '9', 'X-2', '04006381333931', ''],
    ['Other name 3', '9', 'X-3', '', 'I-3'],
  ]);
  await push(second);
  expect(await reach(second, 'completed', 'failed')).toMatchObject({
    status: 'completed',
    skipped: 3,
    in_store: 3,
    error_message: null,
  });
  expect(await outcomes(second)).toMatchObject(
    ['SKU', 'UPC', 'item number'].map((key) => ({
      outcome: 'skipped',
      code: 'in-store',
      message: `Already in the store with the same ${key}.`,
    })),
  );
  expect(await calls()).toBe(before);
  const linked = await stack.database.db
    .selectFrom('outcomes')
    .select(['import_id', 'store_product_id'])
    .where('import_id', 'in', [first, second])
    .orderBy('product')
    .execute();
  const idsOf = (id: string) =>
    linked.filter((row) => row.import_id === id).map((row) => row.store_product_id);
  expect(idsOf(second)).toEqual(idsOf(first));
});

it('updates the product under its own id, and creates another one, if the push says so', async () => {
  const first = await fileOf([['Lamp before', '1', 'U-1', '', '']]);
  await push(first);
  await reach(first, 'completed');
  const second = await fileOf([['Lamp after', '5', 'U-1', '', '']]);
  await pushWith(second, 'update');
  expect(await reach(second, 'completed', 'failed')).toMatchObject({ updated: 1, created: 0, in_store: 0 });
  expect(await productsNamed('Lamp')).toMatchObject([{ title: 'Lamp after', variants: [{ price: '5.00' }] }]);
  await pushWith(second, 'update');
  expect(await reach(second, 'completed', 'failed')).toMatchObject({ unchanged: 1 });
  const third = await fileOf([['Lamp new', '5', 'U-1', '', '']]);
  await pushWith(third, 'create');
  expect(await reach(third, 'completed', 'failed')).toMatchObject({ created: 1 });
  expect((await productsNamed('Lamp')).map(({ title }) => title).sort()).toEqual(['Lamp after', 'Lamp new']);
});

it('finds a product that somebody made in the store, and takes it over as it is', async () => {
  await createByMerchant('Vase by the merchant', 'T-1');
  const id = await fileOf([['Vase by us', '8', 'T-1', '', '']]);
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ skipped: 1, in_store: 1 });
  await pushWith(id, 'update');
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: 1 });
  expect(await productsNamed('Vase by')).toMatchObject([
    { title: 'Vase by us', status: 'ACTIVE', variants: [{ price: '8.00', sku: 'T-1' }] },
  ]);
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ unchanged: 1 });
  await edit(id, 1, { title: 'Vase by us, edited' });
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: 1 });
  expect((await productsNamed('Vase by')).map(({ title }) => title)).toEqual(['Vase by us, edited']);
});

it('is not kept by a product that was deleted in the store, nor by equal rows of the same file', async () => {
  const first = await fileOf([['Gone', '1', 'G-1', '', '']]);
  await push(first);
  await reach(first, 'completed');
  const [product] = await productsNamed('Gone');
  await stack.store.edit(product?.id ?? 0, { deleted: true });
  const second = await fileOf([
    ['Back', '1', 'G-1', '', ''],
    ['Back again', '1', 'G-1', '', ''],
  ]);
  await push(second);
  expect(await reach(second, 'completed', 'failed')).toMatchObject({ created: 2, skipped: 0 });
});

it('fails an import whose other products cannot be sent, and says how many are in the store', async () => {
  const first = await fileOf([['Fine', '1', 'F-1', '', '']]);
  await push(first);
  await reach(first, 'completed');
  const second = await fileOf([
    ['Fine', '1', 'F-1', '', ''],
    ['No price', '', 'F-2', '', ''],
  ]);
  await push(second);
  expect((await reach(second, 'failed')).error_message).toBe(
    'No products were pushed: 1 already in the store, 1 skipped (see the rows for reasons).',
  );
});
