import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { listOf } from '@draftshelf/domain/base/text-list';
import {
  type DraftOptions,
  type DraftProduct,
  type DraftResult,
  refusedOf,
  type SilentFields,
} from '@draftshelf/domain/products/draft-product';
import { type Said, withSilent } from '@draftshelf/domain/products/silent-fields';
import { goneTag } from '@draftshelf/domain/suppliers/gone';
import { buildDraft, type PictureFacts } from './build-draft.ts';
import { type KeptDraft, keepSentParts } from './keep-sent-parts.ts';
import { partialOver } from './partial-draft.ts';

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

/** The tags of a draft with that tag. */
export const withGoneTag = ({ tags }: DraftProduct): string => [...listOf(tags), goneTag].join(', ');

/** A draft without that tag: a list has its product again. */
export const withoutGoneTag = (draft: DraftProduct): DraftProduct => ({
  ...draft,
  tags: listOf(draft.tags)
    .filter((tag) => tag !== goneTag)
    .join(', '),
});
