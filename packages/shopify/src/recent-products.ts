import type { RequestOptions, ShopifyClient } from './client.ts';

/** A product as a list of products shows it. */
export type StoreListProduct = {
  /** The number at the end of its id. */
  id: number;
  title: string;
  vendor: string;
  status: string;
  productType: string;
  handle: string;
  updatedAt: string;
  /** Images that the store has downloaded, at most five. */
  images: { url: string; alt: string | null }[];
  /** At most ten. */
  variants: { price: string; quantity: number }[];
};

/** The products changed last, newest first; `limit` is at most 250. Throws what `request` throws. */
export async function readRecentProducts(
  client: ShopifyClient,
  limit: number,
  options?: RequestOptions,
): Promise<StoreListProduct[]> {
  const { products } = await client.request('products', { first: limit, after: null }, options);
  return products.nodes.map((node) => ({
    id: Number(node.legacyResourceId),
    title: node.title,
    vendor: node.vendor,
    status: node.status,
    productType: node.productType,
    handle: node.handle,
    updatedAt: node.updatedAt,
    images: node.media.nodes.flatMap(({ alt, preview }) =>
      preview?.image ? [{ url: preview.image.url, alt }] : [],
    ),
    variants: node.variants.nodes.map(({ price, inventoryQuantity }) => ({
      price,
      quantity: inventoryQuantity ?? 0,
    })),
  }));
}
