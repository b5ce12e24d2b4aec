import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { pairVariants } from '@draftshelf/domain/products/pair-variants';
import type { Collection } from '../collections.ts';
import { manualCollectionIds } from '../collections.ts';
import { hasVariant, isAsSent } from './as-sent.ts';
import type { Kept } from './drifted-fields.ts';
import { variantFieldList } from './fields.ts';
import { intendedProduct } from './intended-product.ts';
import { isBookkeeping, metafieldName } from './lists/metafields.ts';
import { foldTag, foldTags } from './lists/tags.ts';
import type { LiveProduct } from './live-product.ts';
import { byId, isSame } from './undo-sides.ts';

/**
 * Whether a product that was not read after our write is what the write must have led to, so that its state now is the
 * one after the write. Stricter than `isAsSent`: it also compares quantities, images, metafields, collections and, of a
 * new product, all fields of its variants. `before`: null if we created it. `kept`: fields that the write left as
 * somebody had changed them; null: none.
 */
export function isAsWritten(
  live: LiveProduct,
  {
    sent,
    before,
    kept,
    collections,
  }: {
    sent: DraftProduct;
    before: LiveProduct | null;
    kept: Kept | null;
    collections: readonly Collection[];
  },
): boolean {
  if (!isAsSent(live, sent, before, kept)) return false;
  const intended = intendedProduct(sent);
  const had = byId(before?.variants ?? []);
  const pairs = pairVariants(intended.variants, live.variants, { isOurs: true });
  const wanted = new Map(intended.variants.map((one, at) => [pairs[at], one]));
  const quantitiesAreOurs = live.variants.every((one) => {
    const ours = wanted.get(one);
    const isCounted = ours?.tracked && one.quantity !== null;
    return !isCounted || one.quantity === ours.quantity || one.quantity === had.get(one.id)?.quantity;
  });
  // What we created has all of our values; what we updated also has those that a file does not say.
  const hasAllFields = () =>
    intended.variants.every((one, at) => hasVariant(pairs[at], one, variantFieldList));
  if (before === null && !hasAllFields()) return false;
  const tags = foldTags([...(before?.tags ?? []), ...intended.tags]);
  const metafields = new Set([...(before?.metafields ?? []), ...intended.metafields].map(metafieldName));
  const places = new Set([
    ...(before?.collectionIds ?? []),
    ...manualCollectionIds(collections, sent.collections ?? []),
    ...collections.flatMap(({ id, smart }) => (smart ? [id] : [])),
  ]);
  const ids = (product: LiveProduct | null) => product?.media.map(({ id }) => id);
  return (
    quantitiesAreOurs &&
    live.tags.every((tag) => tags.has(foldTag(tag))) &&
    live.metafields.every((one) => metafields.has(metafieldName(one)) || isBookkeeping(one)) &&
    live.collectionIds.every((id) => places.has(id)) &&
    (live.media.length === intended.images.length || isSame(ids(live), ids(before)))
  );
}
