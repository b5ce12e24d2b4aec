import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import {
  externalIdKey,
  ourNamespace,
  type ProductSetIdentifier,
  type ProductSetInput,
  type ProductSetVariables,
} from '../documents.ts';
import { payloadHash } from '../payload-hash.ts';
import { toStoreInput } from './field.ts';
import { productFieldList } from './fields.ts';
import { toIntendedProduct } from './intended-product.ts';
import { toNewFileInput } from './lists/images.ts';
import { createOurMetafields } from './lists/metafields.ts';
import { toNewVariantInput, toProductOptionsInput } from './lists/variants.ts';

export type CreateOptions = {
  externalId: string;
  /** The location of the quantities. If null (none exists, or the token may not read it), no quantities are set. */
  locationId: string | null;
  /** Ids of manual collections only, because the store refuses to add products to smart ones. */
  collectionIds: readonly string[];
};

/** Returns the upsert that creates a complete product, or overwrites the product that already has our id. */
export function toCreateInput(draft: DraftProduct, options: CreateOptions): ProductSetVariables {
  const intended = toIntendedProduct(draft);
  const input: ProductSetInput = {
    ...toStoreInput(productFieldList, intended),
    tags: intended.tags,
    productOptions: toProductOptionsInput(intended.options),
    variants: intended.variants.map((variant) => toNewVariantInput(variant, options.locationId)),
    metafields: [...createOurMetafields(options.externalId, payloadHash(draft)), ...intended.metafields],
  };
  if (intended.images.length > 0) input.files = intended.images.map(toNewFileInput);
  if (options.collectionIds.length > 0) input.collections = [...options.collectionIds];
  return { identifier: identifyByOurId(options.externalId), input };
}

/** Returns the identifier by our id, which is in a metafield that Shopify keeps unique. */
export function identifyByOurId(externalId: string): ProductSetIdentifier {
  return { customId: { namespace: ourNamespace, key: externalIdKey, value: externalId } };
}
