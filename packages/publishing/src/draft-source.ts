import type { RowValues } from '@draftshelf/domain/canonical-fields';
import type { DraftOptions, DraftProduct } from '@draftshelf/domain/draft-product';
import { buildDraft, type PictureFacts } from './build-draft.ts';

/** What a draft was built from, as JSON. A listing keeps that of the draft that was sent. */
export type DraftSource = { rows: RowValues[]; options: DraftOptions; pictures?: PictureFacts };

/**
 * What this version of the software would have sent instead of `sent`, from the same values: so a new version that
 * builds other drafts changes nothing by itself. Quantities and collections are those that were really sent. Without a
 * source it is what was sent.
 */
export function sentToday(sent: DraftProduct, source: DraftSource | null): DraftProduct {
  const built = source && buildDraft(source.rows, source.options, source.pictures);
  if (!built?.ok || built.product.variants.length !== sent.variants.length) return sent;
  const { collections: _, ...product } = built.product;
  return {
    ...product,
    variants: product.variants.map((variant, at) => ({
      ...variant,
      inventory_quantity: sent.variants[at]?.inventory_quantity ?? variant.inventory_quantity,
    })),
    ...(sent.collections ? { collections: sent.collections } : {}),
  };
}
