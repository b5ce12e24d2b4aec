import type { RequestOptions, ShopifyClient } from './client.ts';

/** `smart`: filled by rules; the store refuses a product that is put into it by hand (facts 6). */
export type Collection = { id: string; title: string; smart: boolean };

const collectionsPerPage = 100;
const collectionsMax = 5_000;

/** All collections of the store, by title; of more than 5,000 the first ones. Throws what `request` throws. */
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

/** The ids of the manual collections that go by some titles, in any case; titles that the store lacks are left out. */
export function manualCollectionIds(collections: readonly Collection[], titles: readonly string[]): string[] {
  const wanted = new Set(titles.map((title) => title.trim().toLowerCase()));
  return collections
    .filter((one) => !one.smart && wanted.has(one.title.trim().toLowerCase()))
    .map((one) => one.id);
}
