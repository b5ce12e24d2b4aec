import type { RequestOptions, ShopifyClient } from './client.ts';
import { readPages } from './products.ts';

/** `smart`: filled by rules. The store refuses to add a product to such a collection. */
export type Collection = { id: string; title: string; smart: boolean };

const collectionsMax = 5_000;

/** All collections of the store, ordered by title, at most 5,000. Throws what `request` throws. */
export async function readCollections(
  client: ShopifyClient,
  options?: RequestOptions,
): Promise<Collection[]> {
  const nodes = await readPages(collectionsMax, async (page) => {
    return (await client.request('collections', page, options)).collections;
  });
  return nodes.map(({ id, title, sources }) => ({
    ...{ id, title, smart: !sources.every(({ inclusion }) => inclusion?.conditions.length === 0) },
  }));
}

/** The ids of the manual collections with these titles, ignoring case. Titles that the store lacks are left out. */
export function manualCollectionIds(collections: readonly Collection[], titles: readonly string[]): string[] {
  const wanted = new Set(titles.map((title) => title.trim().toLowerCase()));
  return collections
    .filter((one) => !one.smart && wanted.has(one.title.trim().toLowerCase()))
    .map((one) => one.id);
}
