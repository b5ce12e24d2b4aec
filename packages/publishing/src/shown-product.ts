import { metafieldText } from '@draftshelf/domain/base/metafield-values';
import { metafieldName } from '@draftshelf/domain/base/metafields';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import type { ProductSetInput, VariantSetInput } from '@draftshelf/shopify/documents';
import { takenValues } from '@draftshelf/shopify/product/field';
import {
  type LiveProductFields,
  type LiveVariantFields,
  productFieldList,
  variantFieldList,
} from '@draftshelf/shopify/product/fields';
import { intendedProduct } from '@draftshelf/shopify/product/intended-product';
import {
  isBookkeeping,
  type MetafieldWrites,
  metafieldsAfter,
} from '@draftshelf/shopify/product/lists/metafields';
import type { QuantityChange } from '@draftshelf/shopify/product/lists/quantities';
import type { LiveProduct, SelectedOption } from '@draftshelf/shopify/product/live-product';
import { optionsText, variantFieldName, variantName } from '@draftshelf/shopify/product/variant-names';

/** A product as the operator compares it: values by part and, within a part, by name. */
export type ShownProduct = {
  parts: Record<string, Record<string, string>>;
  images: { url: string | null; alt: string | null }[];
};

const only = (value: string | null | undefined): Record<string, string> =>
  value === null || value === undefined || value === '' ? {} : { '': value };

/** `name`: its name in the store. */
type ShownVariant = Partial<LiveVariantFields> & {
  name: string;
  options: readonly SelectedOption[];
  quantity?: number | null | undefined;
};

function variantParts(variants: readonly ShownVariant[]): Record<string, string> {
  const parts: Record<string, string> = {};
  for (const { name, quantity, ...values } of variants) {
    const fields: [string, string][] = [
      ['options', optionsText(values)],
      ...variantFieldList.map(({ key, name, text }): [string, string] => [name, text(values[key])]),
      ['quantity', String(quantity ?? '')],
    ];
    for (const [field, value] of fields) {
      if (value !== '') parts[variantFieldName(name, field)] = value;
    }
  }
  return parts;
}

const metafieldParts = (
  metafields: readonly { namespace: string; key: string; value: string; type?: string }[],
) =>
  Object.fromEntries(
    metafields.filter((one) => !isBookkeeping(one)).map((one) => [metafieldName(one), metafieldText(one)]),
  );

const textParts = (product: LiveProductFields): ShownProduct['parts'] =>
  Object.fromEntries(productFieldList.map(({ key, name, text }) => [name, only(text(product[key]))]));

/** `titles`: the titles of collections, by id. */
export function shownLive(live: LiveProduct, titles: ReadonlyMap<string, string>): ShownProduct {
  return {
    parts: {
      ...textParts(live),
      tags: only([...live.tags].sort().join(', ')),
      variants: variantParts(live.variants.map((one) => ({ ...one, name: variantName(one) }))),
      collections: only(titlesOf(live.collectionIds, titles)),
      metafields: metafieldParts(live.metafields),
    },
    images: live.media.map(({ url, alt }) => ({ url, alt })),
  };
}

export function shownDraft(draft: DraftProduct): ShownProduct {
  const next = intendedProduct(draft);
  return {
    parts: {
      ...textParts(next),
      tags: only([...next.tags].sort().join(', ')),
      variants: variantParts(next.variants.map((one) => ({ ...one, name: variantName(one) }))),
      collections: only([...(draft.collections ?? [])].sort().join(', ')),
      metafields: metafieldParts(next.metafields),
    },
    images: next.images.map(({ src, alt }) => ({ url: src, alt })),
  };
}

/** Shows the store's product after an update with this input, and further calls. */
export function shownAfter(
  live: LiveProduct,
  input: ProductSetInput,
  { metafields, quantities }: { metafields: MetafieldWrites | null; quantities: readonly QuantityChange[] },
  titles: ReadonlyMap<string, string>,
): ShownProduct {
  const before = shownLive(live, titles);
  const given = (part: string, value: string | undefined) =>
    value === undefined ? before.parts[part] : only(value);
  const mediaById = new Map(live.media.map(({ id, url, alt }) => [id, { url, alt }]));
  return {
    parts: {
      ...textParts({ ...live, ...takenValues(productFieldList, input) }),
      tags: given('tags', input.tags && [...input.tags].sort().join(', ')) ?? {},
      variants: variantParts(variantsAfter(live, input.variants, quantities)),
      collections: given('collections', input.collections && titlesOf(input.collections, titles)) ?? {},
      metafields: metafieldParts(
        input.metafields ?? (metafields ? metafieldsAfter(live, metafields) : live.metafields),
      ),
    },
    images: input.files
      ? input.files.map((file) => {
          if ('originalSource' in file) return { url: file.originalSource, alt: file.alt ?? null };
          const known = mediaById.get(file.id);
          return { url: known?.url ?? null, alt: file.alt ?? known?.alt ?? null };
        })
      : before.images,
  };
}

function variantsAfter(
  live: LiveProduct,
  inputs: readonly VariantSetInput[] | undefined,
  quantities: readonly QuantityChange[],
): ShownVariant[] {
  const counted = new Map(quantities.map((one) => [one.inventoryItemId, one.quantity]));
  const liveById = new Map(live.variants.map((one) => [one.id, one]));
  const taken = new Set(live.variants.map(variantName));
  const kept = inputs ?? live.variants.map(({ id }): Partial<VariantSetInput> => ({ id }));
  return kept.map((input) => {
    const known = input.id === undefined ? undefined : liveById.get(input.id);
    const added = input.inventoryQuantities?.[0]?.quantity;
    const set = input.optionValues?.map(({ optionName, name: value }) => ({ name: optionName, value }));
    const options = set ?? known?.options ?? [];
    const name = variantName(known ?? { options });
    return {
      ...{ ...known, ...takenValues(variantFieldList, input), options },
      // The name of one that is renamed by the same update.
      name: !known && taken.has(name) ? `${name} (new)` : name,
      quantity: (known && (counted.get(known.inventoryItemId) ?? known.quantity)) ?? added,
    };
  });
}

const titlesOf = (ids: readonly string[], titles: ReadonlyMap<string, string>): string =>
  ids
    .map((id) => titles.get(id) ?? id)
    .sort()
    .join(', ');
