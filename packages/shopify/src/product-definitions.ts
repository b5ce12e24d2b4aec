import type { MetafieldDefinition } from '@draftshelf/domain/base/metafields';
import type { RequestOptions, ShopifyClient } from './client.ts';
import { externalIdKey, ourNamespace } from './documents.ts';
import { refusedByStore, userErrorsToError } from './store-errors.ts';

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

/**
 * Creates the metafield definition of our id, before the first push to a store. Throws StoreRefused (scope store) if
 * the name is used with another type, and what `request` throws.
 */
export async function ensureMetafieldDefinitions(
  client: ShopifyClient,
  options?: RequestOptions,
): Promise<void> {
  if (await definitionIsThere(client, options)) return;
  const { metafieldDefinitionCreate: answer } = await client.request(
    'metafieldDefinitionCreate',
    {
      definition: {
        name: 'Draftshelf id',
        namespace: ourNamespace,
        key: externalIdKey,
        ownerType: 'PRODUCT',
        type: 'id',
      },
    },
    options,
  );
  const error = userErrorsToError(answer.userErrors, {
    nowMs: client.now(),
    hadNoEffect: answer.createdDefinition === null,
  });
  if (!error) return;
  // Two workers may start at once: TAKEN is fine if the type is right.
  const taken = answer.userErrors.some((one) => one.code === 'TAKEN');
  if (taken && (await definitionIsThere(client, options))) return;
  throw error;
}

async function definitionIsThere(client: ShopifyClient, options?: RequestOptions): Promise<boolean> {
  const reply = await client.request(
    'metafieldDefinitions',
    { namespace: ourNamespace, key: externalIdKey },
    options,
  );
  const definition = reply.metafieldDefinitions.nodes[0];
  if (!definition) return false;
  if (definition.type.name === 'id') return true;
  const message = `The metafield ${ourNamespace}.${externalIdKey} is already used with type ${definition.type.name}; it must be type id.`;
  throw refusedByStore(message, 'DEFINITION_TYPE', `definition ${definition.id}`);
}
