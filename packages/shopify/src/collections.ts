import type { RequestOptions, ShopifyClient } from './client.ts';

/** `smart`: filled by rules. The store refuses to add a product to such a collection. */
export type Collection = { id: string; title: string; smart: boolean };

const collectionsPerPage = 100;
const collectionsMax = 5_000;

/** All collections of the store, ordered by title, at most 5,000. Throws what `request` throws. */
export async function readCollections(
  client: ShopifyClient,
  options?: RequestOptions,
): Promise<Collection[]> {
  const collections: Collection[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(client, after, options);
    for (const { id, title, sources } of page.nodes) {
      const manual = sources.every((source) => source.inclusion?.conditions.length === 0);
      collections.push({ id, title, smart: !manual });
    }
    after = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null;
  } while (after !== null && collections.length < collectionsMax);
  return collections;
}

async function readPage(client: ShopifyClient, after: string | null, options?: RequestOptions) {
  const reply = await client.request('collections', { first: collectionsPerPage, after }, options);
  return reply.collections;
}

/** The ids of the manual collections with these titles, ignoring case. Titles that the store lacks are left out. */
export function manualCollectionIds(collections: readonly Collection[], titles: readonly string[]): string[] {
  const wanted = new Set(titles.map((title) => title.trim().toLowerCase()));
  return collections
    .filter((one) => !one.smart && wanted.has(one.title.trim().toLowerCase()))
    .map((one) => one.id);
}
