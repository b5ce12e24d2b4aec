import type { RowValues } from '@draftshelf/domain/canonical-fields';
import type { DraftOptions, DraftProduct } from '@draftshelf/domain/draft-product';
import { buildDraft, type PictureFacts } from './build-draft.ts';
import { keepSentParts } from './keep-sent-parts.ts';

/**
 * Values that a draft was built from, as JSON. A listing has the source of the draft that was sent. `leftOut`: the
 * places of rows that were left out of the push; none if it is absent.
 */
export type DraftSource = {
  rows: RowValues[];
  options: DraftOptions;
  pictures?: PictureFacts;
  leftOut?: number[];
};

/**
 * The draft that this version of the software builds from the values behind `sent`. A release that builds drafts
 * differently therefore causes no update. Quantities and collections are as sent; without a source, returns `sent`.
 */
export function rebuildDraft(sent: DraftProduct, source: DraftSource | null): DraftProduct {
  const built = source && buildDraft(source.rows, source.options, source.pictures, source.leftOut);
  if (!built?.ok) return sent;
  const rebuilt = built.leftOut ? keepSentParts(built.product, built.leftOut, sent) : built.product;
  if (rebuilt?.variants.length !== sent.variants.length) return sent;
  const { collections: _, ...product } = rebuilt;
  return {
    ...product,
    variants: product.variants.map((variant, at) => ({
      ...variant,
      inventory_quantity: sent.variants[at]?.inventory_quantity ?? variant.inventory_quantity,
    })),
    ...(sent.collections ? { collections: sent.collections } : {}),
  };
}
