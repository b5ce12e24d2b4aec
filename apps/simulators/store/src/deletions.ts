import { GraphQLError } from 'graphql';
import type { Catalogue, StoredMetafield, StoredProduct } from './catalogue.ts';
import { numberOfGid } from './gid.ts';

export type MetafieldIdentifier = { ownerId: string; namespace: string; key: string };

/** productDelete: for good, with variants, inventory, metafields and images. A repeated call is refused. */
export function productDelete(
  { input, synchronous }: { input: { id: string }; synchronous: boolean },
  catalogue: Catalogue,
): object {
  if (!synchronous) {
    throw new GraphQLError('The store simulator supports only the synchronous productDelete.', {
      extensions: { code: 'NOT_SIMULATED' },
    });
  }
  const product = catalogue.products.get(numberOfGid('Product', input.id) ?? -1);
  if (!product) {
    const userErrors = [{ field: ['id'], message: 'Product does not exist' }];
    return { deletedProductId: null, productDeleteOperation: null, userErrors };
  }
  catalogue.deleteProduct(product.id);
  return { deletedProductId: input.id, productDeleteOperation: null, userErrors: [] };
}

/** metafieldsDelete of products: null in place of a metafield that does not exist, which is no error. */
export function metafieldsDelete(
  metafields: readonly MetafieldIdentifier[],
  { catalogue, nowMs }: { catalogue: Catalogue; nowMs: number },
): object {
  const deletedMetafields = metafields.map((identifier) => {
    const owner = catalogue.products.get(numberOfGid('Product', identifier.ownerId) ?? -1);
    const found = owner?.metafields.find((one) => isMeant(one, identifier));
    if (!owner || !found) return null;
    catalogue.putProduct(without(owner, found, nowMs));
    return { __typename: 'MetafieldIdentifier', ...identifier };
  });
  return { deletedMetafields, userErrors: [] };
}

const isMeant = (one: StoredMetafield, { namespace, key }: MetafieldIdentifier) =>
  one.namespace === namespace && one.key === key;

const without = (product: StoredProduct, metafield: StoredMetafield, nowMs: number): StoredProduct => ({
  ...product,
  metafields: product.metafields.filter((one) => one !== metafield),
  updatedAtMs: nowMs,
});
