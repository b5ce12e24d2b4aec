import type { RequestOptions, ShopifyClient } from './client.ts';
import { readPages } from './products.ts';

/** `smart`: the store fills the collection by rules and refuses to add other products. */
export type Collection = { id: string; title: string; smart: boolean };

const collectionsMax = 5_000;

/** Returns all collections of the store, ordered by title, at most 5,000. Throws what `request` throws. */
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

/** Returns the ids of manual collections with these titles, ignoring case. Skips titles that the store lacks. */
export function findManualCollectionIds(
  collections: readonly Collection[],
  titles: readonly string[],
): string[] {
  const wanted = new Set(titles.map((title) => title.trim().toLowerCase()));
  return collections
    .filter((one) => !one.smart && wanted.has(one.title.trim().toLowerCase()))
    .map((one) => one.id);
}
