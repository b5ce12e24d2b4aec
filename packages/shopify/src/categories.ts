import type { Category } from '@draftshelf/domain/products/categories';
import type { RequestOptions, ShopifyClient } from './client.ts';

/** Finds categories of Shopify's taxonomy, best match first, without archived ones. Throws what `request` throws. */
export async function searchCategories(
  client: ShopifyClient,
  search: string,
  first: number,
  options?: RequestOptions,
): Promise<Category[]> {
  const { taxonomy } = await client.request('categories', { search, first }, options);
  const known = taxonomy?.categories.nodes.filter(({ isArchived }) => !isArchived) ?? [];
  return known.map(({ id, fullName }) => ({ id, name: fullName }));
}
