import type { MetafieldDefinition } from '@draftshelf/domain/base/metafields';
import type { RequestOptions, ShopifyClient } from './client.ts';

const perPage = 100;
/** A store has at most 256 of its own, and as many of each app. */
const definitionsMax = 2_000;

/** The store's definitions of metafields for products, at most 2,000. Throws what `request` throws. */
export async function readProductDefinitions(
  client: ShopifyClient,
  options?: RequestOptions,
): Promise<MetafieldDefinition[]> {
  const definitions: MetafieldDefinition[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(client, after, options);
    definitions.push(...page.nodes.map(({ type, ...one }) => ({ ...one, type: type.name })));
    after = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null;
  } while (after !== null && definitions.length < definitionsMax);
  return definitions;
}

async function readPage(client: ShopifyClient, after: string | null, options?: RequestOptions) {
  const reply = await client.request('productDefinitions', { first: perPage, after }, options);
  return reply.metafieldDefinitions;
}
