import type { DraftProduct, DraftVariant } from '@draftshelf/domain/products/draft-product';
import type { MetafieldInput } from '../documents.ts';
import { toStoreValues } from './field.ts';
import {
  type IntendedProductFields,
  type IntendedVariantFields,
  productFieldList,
  variantFieldList,
} from './fields.ts';
import type { SelectedOption } from './live-product.ts';

export type IntendedVariant = IntendedVariantFields & {
  options: SelectedOption[];
  quantity: number;
  /** The file's quantity if it was not sent, because the store's quantity was no longer `last`. Otherwise null. */
  refusedQuantity: { quantity: number; last: number } | null;
};

/** A draft product in the format of the GraphQL Admin API. The draft itself has the format of the REST API. */
export type IntendedProduct = IntendedProductFields & {
  tags: string[];
  options: { name: string; values: string[] }[];
  variants: IntendedVariant[];
  images: { src: string; alt: string | null }[];
  /** The draft's metafields, without our id and the hash. */
  metafields: MetafieldInput[];
};

/** Shopify's option for a product without options. We send it, because options and variants must be sent together. */
const plainOption: SelectedOption = { name: 'Title', value: 'Default Title' };

/** Converts a draft product. Truncates and omits nothing. */
export function toIntendedProduct(draft: DraftProduct): IntendedProduct {
  const optionNames = (draft.options ?? []).map((option) => option.name);
  const variants = draft.variants.map((variant) => intendedVariant(variant, optionNames));
  return {
    ...toStoreValues<IntendedProductFields>(productFieldList, draft),
    tags: splitTags(draft.tags),
    options: collectOptions(variants),
    variants,
    images: draft.images.map((image) => ({ src: image.src, alt: image.alt ?? null })),
    metafields: draft.metafields.map(({ namespace, key, value, type }) => ({ namespace, key, value, type })),
  };
}

function intendedVariant(variant: DraftVariant, optionNames: readonly string[]): IntendedVariant {
  const values = [variant.option1, variant.option2, variant.option3];
  const options = optionNames.map((name, index) => ({ name, value: values[index] ?? '' }));
  return {
    options: options.length > 0 ? options : [plainOption],
    ...toStoreValues<IntendedVariantFields>(variantFieldList, variant),
    quantity: variant.inventory_quantity,
    refusedQuantity: variant.refused_quantity ?? null,
  };
}

/** Returns the options of variants, with values in the order of their first occurrence. */
export function collectOptions(
  variants: readonly { options: SelectedOption[] }[],
): { name: string; values: string[] }[] {
  const byName = Map.groupBy(
    variants.flatMap((variant) => variant.options),
    ({ name }) => name,
  );
  return [...byName].map(([name, all]) => ({ name, values: [...new Set(all.map(({ value }) => value))] }));
}

/** Drops tags that differ only in case, as Shopify does, so that they do not count as a change. */
function splitTags(tags: string): string[] {
  const byFoldedCase = new Map<string, string>();
  for (const tag of tags.split(',').map((one) => one.trim())) {
    if (tag && !byFoldedCase.has(tag.toLowerCase())) byFoldedCase.set(tag.toLowerCase(), tag);
  }
  return [...byFoldedCase.values()];
}
