import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import {
  externalIdKey,
  ourNamespace,
  type ProductSetIdentifier,
  type ProductSetInput,
  type ProductSetVariables,
} from '../documents.ts';
import { payloadHash } from '../payload-hash.ts';
import { givenValues } from './field.ts';
import { productFieldList } from './fields.ts';
import { intendedProduct } from './intended-product.ts';
import { newFileInput } from './lists/images.ts';
import { ourMetafields } from './lists/metafields.ts';
import { newVariantInput, productOptionsInput } from './lists/variants.ts';

export type CreateOptions = {
  externalId: string;
  /** The location of the quantities. Null (no location, or no permission to read it): quantities are not set. */
  locationId: string | null;
  /** Only manual collections: the store refuses to add a product to a smart one. */
  collectionIds: readonly string[];
};

/** The upsert that creates a complete product. If the store has the id already, it overwrites everything. */
export function createInput(draft: DraftProduct, options: CreateOptions): ProductSetVariables {
  const intended = intendedProduct(draft);
  const input: ProductSetInput = {
    ...givenValues(productFieldList, intended),
    tags: intended.tags,
    productOptions: productOptionsInput(intended.options),
    variants: intended.variants.map((variant) => newVariantInput(variant, options.locationId)),
    metafields: [...ourMetafields(options.externalId, payloadHash(draft)), ...intended.metafields],
  };
  if (intended.images.length > 0) input.files = intended.images.map(newFileInput);
  if (options.collectionIds.length > 0) input.collections = [...options.collectionIds];
  return { identifier: identifierOf(options.externalId), input };
}

/** Identifies our product in the store: by our id, in a metafield that Shopify keeps unique. */
export function identifierOf(externalId: string): ProductSetIdentifier {
  return { customId: { namespace: ourNamespace, key: externalIdKey, value: externalId } };
}
