import type { MetafieldDefinition } from '@draftshelf/domain/base/metafields';
import type { RequestOptions, ShopifyClient } from './client.ts';
import { externalIdKey, ourNamespace } from './documents.ts';
import { readPages } from './products.ts';
import { createStoreRefusal, throwUserErrors } from './store-errors.ts';

/** Maximum number of definitions read. A store has at most 256 definitions of its own and 256 of each app. */
const definitionsMax = 2_000;

/** Returns the store's metafield definitions for products, at most 2,000. Throws what `request` throws. */
export async function readProductDefinitions(
  client: ShopifyClient,
  options?: RequestOptions,
): Promise<MetafieldDefinition[]> {
  const nodes = await readPages(definitionsMax, async (page) => {
    return (await client.request('productDefinitions', page, options)).metafieldDefinitions;
  });
  return nodes.map(({ type, ...one }) => ({ ...one, type: type.name }));
}

const idMetafield = { namespace: ourNamespace, key: externalIdKey };

/**
 * Creates the metafield definition of our id if the store lacks this definition. Call it before the first push. Throws
 * StoreRefused (scope store) if a definition with that name has another type, and what `request` throws.
 */
export async function ensureIdDefinition(client: ShopifyClient, options?: RequestOptions): Promise<void> {
  if (await definitionIsThere(client, options)) return;
  const definition = { name: 'Draftshelf id', ...idMetafield, ownerType: 'PRODUCT', type: 'id' } as const;
  const reply = await client.request('metafieldDefinitionCreate', { definition }, options);
  const { createdDefinition, userErrors } = reply.metafieldDefinitionCreate;
  // Two workers may create the definition at the same time, so TAKEN is no error if the existing type is right.
  const taken = userErrors.some((one) => one.code === 'TAKEN');
  if (taken && (await definitionIsThere(client, options))) return;
  throwUserErrors(client, userErrors, { hadNoEffect: createdDefinition === null });
}

async function definitionIsThere(client: ShopifyClient, options?: RequestOptions): Promise<boolean> {
  const { metafieldDefinitions } = await client.request('metafieldDefinitions', idMetafield, options);
  const [definition] = metafieldDefinitions.nodes;
  if (!definition) return false;
  if (definition.type.name === 'id') return true;
  const message = `The metafield ${ourNamespace}.${externalIdKey} is already used with type ${definition.type.name}; it must be type id.`;
  throw createStoreRefusal(message, 'DEFINITION_TYPE', `definition ${definition.id}`);
}
