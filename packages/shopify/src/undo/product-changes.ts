import type { RequestOptions, ShopifyClient } from '../client.ts';

/** A change of a product, as the store tells it. `author`, `app`: null if the store does not tell. */
export type ProductChange = { at: string; author: string | null; app: string | null; message: string };

const changesMax = 20;

/**
 * Reads who changed a product, latest first, at most 20 changes; none if it is deleted. The store may tell a change
 * some minutes late. Throws what `request` throws.
 */
export async function readProductChanges(
  client: ShopifyClient,
  id: string,
  options?: RequestOptions,
): Promise<ProductChange[]> {
  const { product } = await client.request('productEvents', { id, first: changesMax }, options);
  return (product?.events.nodes ?? []).map(({ createdAt, author, appTitle, message }) => ({
    at: createdAt,
    author: author ?? null,
    app: appTitle,
    message: withoutTags(message),
  }));
}

/** Messages are HTML with links. */
const withoutTags = (html: string) => html.replace(/<[^<>]*>/g, '');
