import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { gtinIn } from '@draftshelf/domain/base/gtin';
import { listOf } from '@draftshelf/domain/base/text-list';
import {
  type DraftOptions,
  type DraftProduct,
  type DraftResult,
  type DraftVariant,
  refusedOf,
  type Silence,
  type SilentFields,
} from '@draftshelf/domain/products/draft-product';
import { optionValuesOf, withOptionValues } from '@draftshelf/domain/products/option-values';
import { type Said, withSilent } from '@draftshelf/domain/products/silent-fields';
import { goneTag } from '@draftshelf/domain/suppliers/gone';
import { plainText } from '@draftshelf/domain/suppliers/plain-value';
import { buildDraft, type PictureFacts } from './build-draft.ts';
import { type KeptDraft, keepSentParts } from './keep-sent-parts.ts';

/**
 * Values that a draft was built from, as JSON. A listing has the source of the draft that was sent. `leftOut`: the
 * places of rows that were left out of the push; none if it is absent.
 */
export type DraftSource = {
  rows: RowValues[];
  options: DraftOptions;
  pictures?: PictureFacts;
  leftOut?: number[];
  /** Absent in sources of older versions, whose drafts said everything. */
  said?: Said;
};

/** The fields that a draft says nothing about; undefined: it says everything. */
export const silentOf = (built: DraftResult): SilentFields | undefined =>
  built.ok ? built.silent : undefined;

/**
 * What the store is to have of a product after an update: the draft, with what `base` has in its silent fields, and the
 * variants of `base` that it does not have. Null if one product cannot have both, or if a list of prices and stock has
 * none of its variants.
 */
export function draftOver(
  { product, leftOut, silent, isPartial }: Extract<DraftResult, { ok: true }>,
  base: DraftProduct,
): KeptDraft | null {
  if (isPartial && silent) return partialOver(product, silent.ofOurs, base);
  const isOurs = leftOut === undefined;
  const draft = silent ? withSilent(product, silent.ofOurs, base, { isOurs }) : product;
  return keepSentParts(draft, leftOut, base);
}

/**
 * The draft that this version of the software builds from the values behind `sent`. A release that builds drafts
 * differently therefore causes no update. Quantities, collections and the tag of products that are gone are as sent;
 * without a source, returns `sent`.
 */
export function rebuildDraft(sent: DraftProduct, source: DraftSource | null): DraftProduct {
  const built =
    source && buildDraft(source.rows, source.options, source.pictures, source.leftOut, source.said);
  if (!built?.ok) return sent;
  const rebuilt = draftOver(built, sent)?.draft;
  if (rebuilt?.variants.length !== sent.variants.length) return sent;
  const { collections: _, ...product } = rebuilt;
  return {
    ...product,
    variants: product.variants.map((variant, at) => ({
      ...variant,
      inventory_quantity: sent.variants[at]?.inventory_quantity ?? variant.inventory_quantity,
      ...refusedOf(sent.variants[at]),
    })),
    ...(sent.collections ? { collections: sent.collections } : {}),
    ...(hasGoneTag(sent) && !hasGoneTag(product) ? { tags: withGoneTag(product) } : {}),
  };
}

/** Whether a draft has the tag of a product that its supplier no longer lists. */
export const hasGoneTag = ({ tags }: DraftProduct): boolean => listOf(tags).includes(goneTag);

export const withGoneTag = ({ tags }: DraftProduct): string => [...listOf(tags), goneTag].join(', ');

/** A draft without that tag: a list has its product again. */
export const withoutGoneTag = (draft: DraftProduct): DraftProduct => ({
  ...draft,
  tags: listOf(draft.tags)
    .filter((tag) => tag !== goneTag)
    .join(', '),
});

/**
 * The product that was sent last, with what a list of prices and stock says of it. `draft`: of the list's rows. Its
 * variants get the values of the rows with their keys; everything else stays. Null if no row has the key of a variant.
 */
function partialOver(draft: DraftProduct, silence: Silence, base: DraftProduct): KeptDraft | null {
  const rows = rowsOfVariants(draft, base);
  if (rows.size === 0) return null;
  const named = base.variants.filter((variant) => rows.has(variant));
  const at = named.map((variant) => rows.get(variant) ?? 0);
  const own = withSilent(
    {
      ...draft,
      ...(base.options && { options: base.options }),
      variants: named.map((variant, place) => ({
        ...withOptionValues(draft.variants[at[place] ?? 0] ?? variant, optionValuesOf(variant)),
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

/** Keys of a variant, the best first; undefined: it has none of this kind. */
const keysOf = [
  ({ sku }: DraftVariant) => plainText(sku).toUpperCase() || undefined,
  ({ barcode }: DraftVariant) => gtinIn(barcode)?.gtin,
  (variant: DraftVariant) => {
    const values = optionValuesOf(variant).map((value) => plainText(value).toUpperCase());
    return values.length > 0 ? values.join('|') : undefined;
  },
];

/** The places of the draft's variants, by the variant of `base` that each is: the first one with its key. */
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
