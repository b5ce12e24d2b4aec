import { formatMetafieldValue } from '@draftshelf/domain/base/metafield-values';
import { metafieldName } from '@draftshelf/domain/base/metafields';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import type { ProductSetInput, VariantSetInput } from '@draftshelf/shopify/documents';
import { readInputValues } from '@draftshelf/shopify/product/field';
import {
  type LiveProductFields,
  type LiveVariantFields,
  productFieldList,
  variantFieldList,
} from '@draftshelf/shopify/product/fields';
import { toIntendedProduct } from '@draftshelf/shopify/product/intended-product';
import {
  applyMetafieldWrites,
  isBookkeepingMetafield,
  type MetafieldWrites,
} from '@draftshelf/shopify/product/lists/metafields';
import type { QuantityChange } from '@draftshelf/shopify/product/lists/quantities';
import type { LiveProduct, SelectedOption } from '@draftshelf/shopify/product/live-product';
import { mapById } from '@draftshelf/shopify/product/undo-sides';
import { optionsText, variantFieldName, variantName } from '@draftshelf/shopify/product/variant-names';

/** A product as the operator compares it: values by part and, within a part, by name. */
export type ShownProduct = {
  parts: Record<string, Record<string, string>>;
  images: { url: string | null; alt: string | null }[];
};

const only = (value: string | null | undefined): Record<string, string> =>
  value === null || value === undefined || value === '' ? {} : { '': value };

/** `name`: the variant's name in the store. If absent, the name is made of the options. */
type ShownVariant = Partial<LiveVariantFields> & {
  name?: string;
  options: readonly SelectedOption[];
  quantity?: number | null | undefined;
};

function variantParts(variants: readonly ShownVariant[]): Record<string, string> {
  const parts: Record<string, string> = {};
  for (const one of variants) {
    const fields: [string, string][] = [
      ['options', optionsText(one)],
      ...variantFieldList.map(({ key, name, text }): [string, string] => [name, text(one[key])]),
      ['quantity', String(one.quantity ?? '')],
    ];
    for (const [field, value] of fields) {
      if (value !== '') parts[variantFieldName(one.name ?? variantName(one), field)] = value;
    }
  }
  return parts;
}

type Listed = {
  tags: readonly string[];
  variants: readonly ShownVariant[];
  metafields: readonly { namespace: string; key: string; value: string; type?: string }[];
};

/** `collections`: titles of the product's collections. */
function partsOf(product: LiveProductFields & Listed, collections: readonly string[]): ShownProduct['parts'] {
  const metafields = product.metafields.filter((one) => !isBookkeepingMetafield(one));
  return {
    ...Object.fromEntries(productFieldList.map(({ key, name, text }) => [name, only(text(product[key]))])),
    tags: only(product.tags.toSorted().join(', ')),
    variants: variantParts(product.variants),
    collections: only(collections.toSorted().join(', ')),
    metafields: Object.fromEntries(metafields.map((one) => [metafieldName(one), formatMetafieldValue(one)])),
  };
}

/** `titles`: titles of collections, by id. */
export function describeLive(live: LiveProduct, titles: ReadonlyMap<string, string>): ShownProduct {
  return {
    parts: partsOf(live, titlesOf(live.collectionIds, titles)),
    images: live.media.map(({ url, alt }) => ({ url, alt })),
  };
}

export function describeDraft(draft: DraftProduct): ShownProduct {
  const next = toIntendedProduct(draft);
  return {
    parts: partsOf(next, draft.collections ?? []),
    images: next.images.map(({ src, alt }) => ({ url: src, alt })),
  };
}

/** Returns the store's product as it will be after an update with this input, these metafields and these quantities. */
export function describeUpdated(
  live: LiveProduct,
  input: ProductSetInput,
  { metafields, quantities }: { metafields: MetafieldWrites | null; quantities: readonly QuantityChange[] },
  titles: ReadonlyMap<string, string>,
): ShownProduct {
  const after = {
    ...{ ...live, ...readInputValues<LiveProductFields>(productFieldList, input) },
    tags: input.tags ?? live.tags,
    variants: variantsAfter(live, input.variants, quantities),
    metafields: input.metafields ?? (metafields ? applyMetafieldWrites(live, metafields) : live.metafields),
  };
  const media = mapById(live.media);
  const images = input.files?.map((file) => {
    if ('originalSource' in file) return { url: file.originalSource, alt: file.alt ?? null };
    const known = media.get(file.id);
    return { url: known?.url ?? null, alt: file.alt ?? known?.alt ?? null };
  });
  return {
    parts: partsOf(after, titlesOf(input.collections ?? live.collectionIds, titles)),
    images: images ?? describeLive(live, titles).images,
  };
}

function variantsAfter(
  live: LiveProduct,
  inputs: readonly VariantSetInput[] | undefined,
  quantities: readonly QuantityChange[],
): ShownVariant[] {
  const counted = new Map(quantities.map((one) => [one.inventoryItemId, one.quantity]));
  const liveById = mapById(live.variants);
  const taken = new Set(live.variants.map(variantName));
  const kept = inputs ?? live.variants.map(({ id }): Partial<VariantSetInput> => ({ id }));
  return kept.map((input) => {
    const known = input.id === undefined ? undefined : liveById.get(input.id);
    const added = input.inventoryQuantities?.[0]?.quantity;
    const set = input.optionValues?.map(({ optionName, name: value }) => ({ name: optionName, value }));
    const options = set ?? known?.options ?? [];
    const name = variantName(known ?? { options });
    return {
      ...{ ...known, ...readInputValues(variantFieldList, input), options },
      // A new variant may have the name of a variant that the same update renames.
      name: !known && taken.has(name) ? `${name} (new)` : name,
      quantity: (known && (counted.get(known.inventoryItemId) ?? known.quantity)) ?? added,
    };
  });
}

const titlesOf = (ids: readonly string[], titles: ReadonlyMap<string, string>): string[] =>
  ids.map((id) => titles.get(id) ?? id);
