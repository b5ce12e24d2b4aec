import type { KeptPart } from '@draftshelf/domain/push/push-undo';
import type { ProductSetInput, ProductSetVariables } from '../documents.ts';
import { restoreCollections } from './lists/collections.ts';
import { restoreImages } from './lists/images.ts';
import { restoreMetafields } from './lists/metafields.ts';
import { type QuantityChange, restoreQuantities } from './lists/quantities.ts';
import { restoreVariants } from './lists/restored-variants.ts';
import { restoreTags } from './lists/tags.ts';
import { restoreTexts } from './restore-fields.ts';
import type { UndoSides } from './undo-sides.ts';

export type Restored = {
  /** By the store's id; null: there is nothing to set. */
  variables: ProductSetVariables | null;
  quantities: QuantityChange[];
  deleteMetafields: { namespace: string; key: string }[];
  kept: KeptPart[];
  recreatesVariants: number;
  /** Images whose files must be looked for first. If there are any, the others are not final. */
  filesToFind: string[];
};

/** Gives a product its earlier values where the store still has ours. Complete lists keep what others added. */
export function restoreInput(sides: UndoSides, locationId: string | null): Restored {
  const texts = restoreTexts(sides);
  const tags = restoreTags(sides);
  const variants = restoreVariants(sides, locationId);
  const quantities = restoreQuantities(sides, locationId);
  const images = restoreImages(sides);
  const collections = restoreCollections(sides);
  const metafields = restoreMetafields(sides);
  const input: ProductSetInput = {
    ...texts.input,
    ...(tags && { tags }),
    ...variants.set,
    ...(images.set && { files: images.set }),
    ...(collections.set && { collections: collections.set }),
    ...(metafields.set && { metafields: metafields.set }),
  };
  const parts = [texts, variants, quantities, images, collections, metafields];
  return {
    variables: Object.keys(input).length > 0 ? { identifier: { id: sides.live.id }, input } : null,
    quantities: quantities.set,
    deleteMetafields: metafields.remove,
    kept: parts.flatMap(({ kept }) => kept),
    recreatesVariants: variants.recreated,
    filesToFind: images.filesToFind,
  };
}
