import type { RequestOptions, ShopifyClient } from './client.ts';

/** A product as a list of products shows it. */
export type StoreListProduct = Awaited<ReturnType<typeof readRecentProducts>>[number];

/** The products changed last, newest first; `limit` is at most 250. Throws what `request` throws. */
export async function readRecentProducts(client: ShopifyClient, limit: number, options?: RequestOptions) {
  const { products } = await client.request('products', { first: limit, after: null }, options);
  return products.nodes.map(({ legacyResourceId, media, variants, ...node }) => ({
    ...node,
    /** The number at the end of its id. */
    id: Number(legacyResourceId),
    /** Images that the store has downloaded, at most five. */
    images: media.nodes.flatMap(({ alt, preview }) =>
      preview?.image ? [{ url: preview.image.url, alt }] : [],
    ),
    /** At most ten. */
    variants: variants.nodes.map(({ price, inventoryQuantity }) => ({
      ...{ price, quantity: inventoryQuantity ?? 0 },
    })),
  }));
}
