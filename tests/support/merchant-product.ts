import { copyProducts } from '@draftshelf/core/push/store/store-products';
import { createShopifyClient, type ShopifyClient } from '@draftshelf/shopify/client';
import { readStorePage } from '@draftshelf/shopify/store-pages';
import { expect } from 'vitest';
import { type Stack, storeToken } from './stack.ts';

/** `product` and `variant`: further fields of the product and of each variant, as productSet takes them. */
export type OfMerchant = { sizes?: readonly string[]; images?: number; product?: object; variant?: object };

/** The demo store's myshopify domain. */
export const demoShop = 'draftshelf-demo.myshopify.com';
const apiVersion = '2026-10';

/** A client of a stack's store without a budget. */
export function storeClient({ store: { url } }: Pick<Stack, 'store'>): ShopifyClient {
  const budget = { reserve: async (points: number) => ({ points }), report: async () => {} };
  return createShopifyClient({ url, apiVersion, credentials: { accessToken: storeToken } }, { budget });
}

/** Brings our copy of the store up to date. */
export async function copyStore(stack: Pick<Stack, 'store' | 'database'>): Promise<void> {
  const client = storeClient(stack);
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof readStorePage>> = await readStorePage(client, after);
    await copyProducts(stack.database.db, demoShop, page.products);
    after = page.next;
  } while (after !== null);
}

/** Creates a product in the store that has nothing of ours, and copies the store. The first variant has the SKU. */
export async function createByMerchant(
  stack: Pick<Stack, 'store' | 'database'>,
  title: string,
  sku: string,
  of: OfMerchant = {},
): Promise<void> {
  const values = of.sizes ?? ['Default Title'];
  const optionName = of.sizes ? 'Size' : 'Title';
  const response = await fetch(`${stack.store.url}/admin/api/${apiVersion}/graphql.json`, {
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
          ...of.product,
          productOptions: [{ name: optionName, values: values.map((name) => ({ name })) }],
          variants: values.map((name, at) => ({
            optionValues: [{ optionName, name }],
            sku: at === 0 ? sku : `${sku}-${name}`,
            price: '1',
            ...of.variant,
          })),
          files: Array.from({ length: of.images ?? 0 }, (_, at) => ({
            originalSource: `https://example.com/${sku}/${at}.jpg`,
            contentType: 'IMAGE',
          })),
        },
      },
    }),
  });
  expect(await response.json()).toMatchObject({ data: { productSet: { userErrors: [] } } });
  await copyStore(stack);
}
