import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import {
  externalIdKey,
  type FileSetInput,
  ourNamespace,
  type ProductSetIdentifier,
  type ProductSetInput,
  type ProductSetVariables,
  type VariantSetInput,
} from './documents.ts';
import {
  type IntendedProduct,
  type IntendedVariant,
  intendedProduct,
  ourMetafields,
} from './intended-product.ts';
import { type SettableField, setValue, valueAt } from './product/field.ts';
import { productFieldList, variantFieldList } from './product/fields.ts';

export type CreateOptions = {
  externalId: string;
  /** The location of the quantities. Null (no location, or no permission to read it): quantities are not set. */
  locationId: string | null;
  /** Only manual collections: the store refuses to add a product to a smart one. */
  collectionIds: readonly string[];
};

/**
 * The upsert that creates a complete product. Use it only for products that are not in the store: if the id already
 * exists there, the upsert overwrites everything.
 */
export function createInput(draft: DraftProduct, options: CreateOptions): ProductSetVariables {
  const intended = intendedProduct(draft);
  const input: ProductSetInput = {
    ...givenValues(productFieldList, intended),
    tags: intended.tags,
    productOptions: productOptionsInput(intended.options),
    variants: intended.variants.map((variant) => newVariantInput(variant, options.locationId)),
    metafields: [...ourMetafields(options.externalId, draft), ...intended.metafields],
  };
  if (intended.images.length > 0) input.files = intended.images.map(newFileInput);
  if (options.collectionIds.length > 0) input.collections = [...options.collectionIds];
  return { identifier: identifierOf(options.externalId), input };
}

/** Identifies our product in the store: by our id, in a metafield that Shopify keeps unique. */
export function identifierOf(externalId: string): ProductSetIdentifier {
  return { customId: { namespace: ourNamespace, key: externalIdKey, value: externalId } };
}

/** The options of a product, each with its values, in order. */
export function productOptionsInput(
  options: IntendedProduct['options'],
): NonNullable<ProductSetInput['productOptions']> {
  return options.map(({ name, values }) => ({ name, values: values.map((value) => ({ name: value })) }));
}

/** A variant that the store does not have yet. */
export function newVariantInput(variant: IntendedVariant, locationId: string | null): VariantSetInput {
  const input: VariantSetInput = {
    optionValues: optionValuesInput(variant),
    ...givenValues(variantFieldList, variant),
  };
  if (locationId !== null && variant.tracked) {
    input.inventoryQuantities = [{ locationId, name: 'available', quantity: variant.quantity }];
  }
  return input;
}

/** What the store takes for the values that there are. */
function givenValues(fields: readonly SettableField[], said: object): object {
  const input = {};
  for (const field of fields) {
    const value = valueAt(said, field.key);
    if (value !== null && value !== '') setValue(input, field, value);
  }
  return input;
}

/** The value of a variant for each option. */
export function optionValuesInput(
  variant: Pick<IntendedVariant, 'options'>,
): VariantSetInput['optionValues'] {
  return variant.options.map(({ name, value }) => ({ optionName: name, name: value }));
}

/** An image that the store does not have yet. The store downloads it from its URL. */
export function newFileInput(image: IntendedProduct['images'][number]): FileSetInput {
  return {
    originalSource: image.src,
    contentType: 'IMAGE',
    ...(image.alt === null ? {} : { alt: image.alt }),
  };
}
