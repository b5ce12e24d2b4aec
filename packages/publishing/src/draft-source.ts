import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { canonicalJson } from '@draftshelf/domain/base/canonical-json';
import { findGtin } from '@draftshelf/domain/base/gtin';
import { splitEntries } from '@draftshelf/domain/base/text-list';
import {
  type DraftOptions,
  type DraftProduct,
  type DraftResult,
  type DraftVariant,
  pickRefusedQuantity,
  type SilentFieldNames,
  type SilentFields,
} from '@draftshelf/domain/products/draft-product';
import { optionValuesOf, setOptionValues } from '@draftshelf/domain/products/option-values';
import { fillSilentFields, type ProductFacts } from '@draftshelf/domain/products/silent-fields';
import { goneTag } from '@draftshelf/domain/suppliers/gone';
import { normalizeText } from '@draftshelf/domain/suppliers/plain-value';
import { isOwn } from '@draftshelf/shopify/product/lists/metafields';
import { buildDraft, type PictureFacts } from './build-draft.ts';
import { type KeptDraft, keepSentParts } from './keep-sent-parts.ts';

/** Values from which a draft was built, stored as JSON with its listing. `leftOut`: indexes of left-out rows. */
export type DraftSource = {
  rows: RowValues[];
  options: DraftOptions;
  pictures?: PictureFacts;
  leftOut?: number[];
  /** Absent if an older version stored the source: its drafts had values for all fields. */
  said?: ProductFacts;
};

/** Returns the silent fields of a draft, or undefined if the draft has values for all fields. */
export const getSilentFields = (built: DraftResult): SilentFields | undefined =>
  built.ok ? built.silent : undefined;

/** Adds the silent fields and missing variants of `base` to a draft. Null if the two have incompatible options. */
export function mergeOverBase(
  { product, leftOut, silent, isPartial }: Extract<DraftResult, { ok: true }>,
  base: DraftProduct,
): KeptDraft | null {
  if (isPartial && silent) return partialOver(product, silent.ofOurs, base);
  const isOurs = leftOut === undefined;
  const draft = silent ? fillSilentFields(product, silent.ofOurs, base, { isOurs }) : product;
  return keepSentParts(draft, leftOut, base);
}

/**
 * Rebuilds a sent draft with this version of the software, so that a release that builds drafts differently causes no
 * update. Quantities, collections, the tag of gone products and the store's metafields are copied from `sent`, because
 * the store may have refused some of the source's values.
 */
export function rebuildDraft(sent: DraftProduct, source: DraftSource | null): DraftProduct {
  const built =
    source && buildDraft(source.rows, source.options, source.pictures, source.leftOut, source.said);
  if (!built?.ok) return sent;
  const rebuilt = mergeOverBase(built, sent)?.draft;
  if (rebuilt?.variants.length !== sent.variants.length) return sent;
  const { collections: _, ...product } = rebuilt;
  return {
    ...product,
    variants: product.variants.map((variant, at) => ({
      ...variant,
      inventory_quantity: sent.variants[at]?.inventory_quantity ?? variant.inventory_quantity,
      ...pickRefusedQuantity(sent.variants[at]),
    })),
    ...(sent.collections ? { collections: sent.collections } : {}),
    metafields: withMetafieldsOf(sent, product),
    ...(hasGoneTag(sent) && !hasGoneTag(product) ? { tags: addGoneTag(product) } : {}),
  };
}

function withMetafieldsOf(sent: DraftProduct, { metafields }: DraftProduct): DraftProduct['metafields'] {
  const [own, arrived] = [metafields.filter(isOwn), sent.metafields.filter((one) => !isOwn(one))];
  const built = metafields.filter((one) => !isOwn(one));
  return canonicalJson(built) === canonicalJson(arrived) ? metafields : [...own, ...arrived];
}

export const hasGoneTag = ({ tags }: DraftProduct): boolean => splitEntries(tags).includes(goneTag);

export const addGoneTag = ({ tags }: DraftProduct): string => [...splitEntries(tags), goneTag].join(', ');

export const removeGoneTag = (draft: DraftProduct): DraftProduct => ({
  ...draft,
  tags: splitEntries(draft.tags)
    .filter((tag) => tag !== goneTag)
    .join(', '),
});

/** Applies a list of prices and stock to the product as last sent. Returns null if no row matches a variant. */
function partialOver(draft: DraftProduct, silence: SilentFieldNames, base: DraftProduct): KeptDraft | null {
  const rows = rowsOfVariants(draft, base);
  if (rows.size === 0) return null;
  const named = base.variants.filter((variant) => rows.has(variant));
  const at = named.map((variant) => rows.get(variant) ?? 0);
  const own = fillSilentFields(
    {
      ...draft,
      ...(base.options && { options: base.options }),
      variants: named.map((variant, place) => ({
        ...setOptionValues(draft.variants[at[place] ?? 0] ?? variant, optionValuesOf(variant)),
        title: variant.title,
      })),
      metafields: draft.metafields.filter(({ key }) => !silence.metafields.includes(key)),
    },
    { ...silence, variants: at.map((row) => silence.variants[row] ?? []) },
    base,
  );
  const changed = new Map(named.map((variant, place) => [variant, own.variants[place]]));
  const variants = base.variants.map((variant) => changed.get(variant) ?? variant);
  const isNamed = new Set(at);
  const absent = draft.variants.flatMap((variant, row) => (isNamed.has(row) ? [] : [nameOf(variant)]));
  return { draft: { ...own, variants }, own, gone: 0, absent };
}

const nameOf = ({ sku, barcode, title }: DraftVariant): string => sku || barcode || title;

/** Functions that return a key of a variant, the best kind first. Undefined if a variant has no key of that kind. */
const keysOf = [
  ({ sku }: DraftVariant) => normalizeText(sku).toUpperCase() || undefined,
  ({ barcode }: DraftVariant) => findGtin(barcode)?.gtin,
  (variant: DraftVariant) => {
    const values = optionValuesOf(variant).map((value) => normalizeText(value).toUpperCase());
    return values.length > 0 ? values.join('|') : undefined;
  },
];

function rowsOfVariants(draft: DraftProduct, base: DraftProduct): Map<DraftVariant, number> {
  const rows = new Map<DraftVariant, number>();
  const indexes = keysOf.map((keyOf) => Map.groupBy(base.variants, keyOf));
  for (const [at, row] of draft.variants.entries()) {
    const found = keysOf.flatMap((keyOf, kind) => {
      const key = keyOf(row);
      const [variant, ...others] = (key !== undefined && indexes[kind]?.get(key)) || [];
      return variant && others.length === 0 ? [variant] : [];
    });
    const [variant] = found;
    if (variant && !rows.has(variant)) rows.set(variant, at);
  }
  return rows;
}
