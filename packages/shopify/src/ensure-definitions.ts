import type { RequestOptions, ShopifyClient } from './client.ts';
import { externalIdKey, ourNamespace } from './documents.ts';
import { StoreRefused, userErrorsToError } from './errors.ts';

/**
 * Makes sure that the store knows our id's metafield definition and that it is of type `id`; to be called once
 * before the first push to a store. Throws StoreRefused (scope store) where another type holds the name, and what
 * `request` throws.
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
  // Two workers may start at once: TAKEN is as good as created, if the type is right.
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
  throw new StoreRefused(
    `The store uses the metafield ${ourNamespace}.${externalIdKey} for something else (type ${definition.type.name}); it must be of type id.`,
    { scope: 'store', code: 'DEFINITION_TYPE', detail: `definition ${definition.id}`, hadNoEffect: true },
  );
}
