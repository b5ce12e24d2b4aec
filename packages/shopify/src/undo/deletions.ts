import type { RequestOptions, ShopifyClient } from '../client.ts';
import type { UserError } from '../replies.ts';
import { StoreRefused, userErrorsToError } from '../store-errors.ts';

/**
 * Deletes a product for good; one that is gone counts as deleted, so a repeat is safe. Throws StoreRefused or
 * StoreUnavailable for other userErrors, and what `request` throws.
 */
export async function deleteProduct(
  client: ShopifyClient,
  id: string,
  options?: RequestOptions,
): Promise<'deleted' | 'gone'> {
  const { deletedProductId, userErrors } = (await client.request('productDelete', { id }, options))
    .productDelete;
  if (deletedProductId !== null) return 'deleted';
  if (userErrors.some(isGone)) return 'gone';
  const error = userErrorsToError(userErrors, { nowMs: client.now(), hadNoEffect: true });
  if (error) throw error;
  throw new StoreRefused('Unexpected response from the store: neither a deleted product nor an error.', {
    scope: 'request',
    detail: 'productDelete: deletedProductId null, userErrors empty',
    hadNoEffect: false,
  });
}

/** productDelete has no error codes. */
const isGone = ({ message }: UserError) => /does not exist|not found/i.test(message);

/** Deletes metafields of a product; missing ones are no error. Throws as `deleteProduct` does. */
export async function deleteMetafields(
  client: ShopifyClient,
  id: string,
  metafields: readonly { namespace: string; key: string }[],
  options?: RequestOptions,
): Promise<void> {
  const variables = { metafields: metafields.map((one) => ({ ownerId: id, ...one })) };
  const { userErrors } = (await client.request('metafieldsDelete', variables, options)).metafieldsDelete;
  const error = userErrorsToError(userErrors, { nowMs: client.now(), hadNoEffect: false });
  if (error) throw error;
}
