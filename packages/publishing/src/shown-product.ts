import type { DraftProduct } from '@draftshelf/domain/draft-product';
import {
  externalIdKey,
  ourNamespace,
  type ProductSetInput,
  payloadKey,
  type VariantSetInput,
} from '@draftshelf/shopify/documents';
import { intendedProduct } from '@draftshelf/shopify/intended-product';
import type { LiveProduct, SelectedOption } from '@draftshelf/shopify/product-state';
import type { QuantityChange } from '@draftshelf/shopify/stock-changes';

/** A product as the operator compares it: values by part and, within a part, by name. */
export type ShownProduct = {
  parts: Record<string, Record<string, string>>;
  images: { url: string | null; alt: string | null }[];
};

const nameOf = (options: readonly SelectedOption[]): string =>
  options
    .map(({ value }) => value)
    .filter((value) => value !== 'Default Title')
    .join(' / ');

const only = (value: string | null | undefined): Record<string, string> =>
  value === null || value === undefined || value === '' ? {} : { '': value };

const labelled = (variant: string, field: string) => (variant === '' ? field : `${variant} · ${field}`);

type ShownVariant = {
  name: string;
  price?: string | null | undefined;
  compareAt?: string | null | undefined;
  sku?: string | null | undefined;
  barcode?: string | null | undefined;
  cost?: string | null | undefined;
  quantity?: number | null | undefined;
};

/** An amount as the store shows it: 9 and 9.5 are 9.00 and 9.50. */
const amount = (value: string | null | undefined) =>
  value?.match(/^\d+(\.\d)?$/) ? `${value}${value.includes('.') ? '0' : '.00'}` : value;

function variantParts(variants: readonly ShownVariant[]): Record<string, string> {
  const parts: Record<string, string> = {};
  for (const { name, quantity, ...of } of variants) {
    const fields = {
      price: amount(of.price),
      'compare-at price': amount(of.compareAt),
      SKU: of.sku,
      UPC: of.barcode,
      cost: amount(of.cost),
      quantity: quantity === null || quantity === undefined ? null : String(quantity),
    };
    for (const [field, value] of Object.entries(fields)) {
      if (value !== null && value !== undefined && value !== '') parts[labelled(name, field)] = value;
    }
  }
  return parts;
}

/** They identify the product and its payload, and are not values of it. */
const ownKeys: readonly string[] = [externalIdKey, payloadKey];

const metafieldParts = (metafields: readonly { namespace: string; key: string; value: string }[]) =>
  Object.fromEntries(
    metafields
      .filter(({ namespace, key }) => !(namespace === ourNamespace && ownKeys.includes(key)))
      .map(({ namespace, key, value }) => [`${namespace}.${key}`, value]),
  );

/** The store's product as it is. `titles`: the titles of collections, by id. */
export function shownLive(live: LiveProduct, titles: ReadonlyMap<string, string>): ShownProduct {
  return {
    parts: {
      title: only(live.title),
      description: only(live.descriptionHtml),
      vendor: only(live.vendor),
      type: only(live.productType),
      status: only(live.status),
      tags: only([...live.tags].sort().join(', ')),
      variants: variantParts(
        live.variants.map((one) => ({ ...one, name: nameOf(one.options), compareAt: one.compareAtPrice })),
      ),
      collections: only(titlesOf(live.collectionIds, titles)),
      metafields: metafieldParts(live.metafields),
    },
    images: live.media.map(({ url, alt }) => ({ url, alt })),
  };
}

/** A draft as it would be created. */
export function shownDraft(draft: DraftProduct): ShownProduct {
  const next = intendedProduct(draft);
  return {
    parts: {
      title: only(next.title),
      description: only(next.descriptionHtml),
      vendor: only(next.vendor),
      type: only(next.productType),
      status: only(next.status),
      tags: only([...next.tags].sort().join(', ')),
      variants: variantParts(
        next.variants.map((one) => ({ ...one, name: nameOf(one.options), compareAt: one.compareAtPrice })),
      ),
      collections: only([...(draft.collections ?? [])].sort().join(', ')),
      metafields: metafieldParts(next.metafields),
    },
    images: next.images.map(({ src, alt }) => ({ url: src, alt })),
  };
}

/** The store's product after an update with this input. */
export function shownAfter(
  live: LiveProduct,
  input: ProductSetInput,
  quantities: readonly QuantityChange[],
  titles: ReadonlyMap<string, string>,
): ShownProduct {
  const before = shownLive(live, titles);
  const given = (part: string, value: string | undefined) =>
    value === undefined ? before.parts[part] : only(value);
  const mediaById = new Map(live.media.map(({ id, url, alt }) => [id, { url, alt }]));
  return {
    parts: {
      title: given('title', input.title) ?? {},
      description: given('description', input.descriptionHtml) ?? {},
      vendor: given('vendor', input.vendor) ?? {},
      type: given('type', input.productType) ?? {},
      status: given('status', input.status) ?? {},
      tags: given('tags', input.tags && [...input.tags].sort().join(', ')) ?? {},
      variants: variantParts(variantsAfter(live, input.variants, quantities)),
      collections: given('collections', input.collections && titlesOf(input.collections, titles)) ?? {},
      metafields: input.metafields ? metafieldParts(input.metafields) : (before.parts.metafields ?? {}),
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
  const kept = inputs ?? live.variants.map(({ id }): Partial<VariantSetInput> => ({ id }));
  return kept.map((input) => {
    const known = input.id === undefined ? undefined : liveById.get(input.id);
    const added = input.inventoryQuantities?.[0]?.quantity;
    return {
      name: known
        ? nameOf(known.options)
        : nameOf(
            (input.optionValues ?? []).map(({ optionName, name }) => ({ name: optionName, value: name })),
          ),
      price: input.price ?? known?.price,
      compareAt: input.compareAtPrice === undefined ? known?.compareAtPrice : input.compareAtPrice,
      sku: input.sku ?? known?.sku,
      barcode: input.barcode === undefined ? known?.barcode : input.barcode,
      cost: input.inventoryItem?.cost === undefined ? known?.cost : input.inventoryItem.cost,
      quantity: (known && (counted.get(known.inventoryItemId) ?? known.quantity)) ?? added,
    };
  });
}

const titlesOf = (ids: readonly string[], titles: ReadonlyMap<string, string>): string =>
  ids
    .map((id) => titles.get(id) ?? id)
    .sort()
    .join(', ');
