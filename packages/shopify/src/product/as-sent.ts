import { metafieldName } from '@draftshelf/domain/base/metafields';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { pairVariants } from '@draftshelf/domain/products/pair-variants';
import { findManualCollectionIds } from '../collections.ts';
import { payloadHash } from '../payload-hash.ts';
import {
  applyKeptValues,
  comparedVariantKeys,
  findDriftedParts,
  hasSameValues,
  type KeptValues,
} from './drifted-fields.ts';
import { hasSentValue, productFieldList, variantFieldList } from './fields.ts';
import { type IntendedVariant, toIntendedProduct } from './intended-product.ts';
import { hasWritten, isBookkeepingMetafield } from './lists/metafields.ts';
import { foldTag, foldTags } from './lists/tags.ts';
import type { LiveProduct, LiveVariant } from './live-product.ts';
import { isEqual, mapById, type UndoStates } from './undo-sides.ts';

export type UnconfirmedWrite = {
  draft: DraftProduct;
  /** The product before the write. Null if the write creates the product or the product was not read before. */
  baseline: LiveProduct | null;
  kept?: KeptValues | null;
};

export type ResendVerdict = 'record' | 'send' | 'skip';

/**
 * Decides what to do about a product whose write has an unknown result, after a crash or a lost response. `live`: the
 * product in the store, or null if the store has none. Returns `record` if our write arrived, `send` if it did not,
 * and `skip` if others have changed or deleted the product, so that the operator decides.
 */
export function decideResend(live: LiveProduct | null, sending: UnconfirmedWrite): ResendVerdict {
  const { draft, baseline, kept = null } = sending;
  if (!live) return baseline ? 'skip' : 'send';
  const hash = payloadHash(draft);
  // If the product already had this hash before the write, the hash does not prove that the write has arrived.
  const isSameHash = baseline?.payloadHash === hash;
  if (live.payloadHash === hash && !isSameHash) return 'record';
  // A write of only the status keeps the hash. A status that changed to ours proves that such a write has arrived.
  if (isSameHash && live.status !== baseline.status && live.status === toIntendedProduct(draft).status)
    return 'record';
  if (baseline && findDriftedParts(live, baseline).length === 0) return 'send';
  return hasDraft(live, draft, { before: baseline, kept }) ? 'record' : 'skip';
}

/**
 * Returns whether a write of only the status or the tags has arrived, which is true if the product has both as sent,
 * whatever else has changed. Null if the write changes neither the status nor the tags.
 */
export function hasStatusWriteArrived(
  live: LiveProduct,
  draft: DraftProduct,
  before: LiveProduct,
): boolean | null {
  const { status, tags } = toIntendedProduct(draft);
  const isThere = (product: LiveProduct) => product.status === status && hasTags(product, tags);
  return isThere(before) ? null : isThere(live);
}

/**
 * Returns whether a product that is read long after our write is still as sent, so that the product can be the
 * baseline. The hash alone does not prove this, because the hash stays the same if a merchant changes the title.
 * `before`: the product before the update. `kept`: fields that the write left alone, which must be as in `before`.
 * `hash`: hash of the draft as sent, if a part of that draft did not arrive.
 */
export function isAsSent(
  live: LiveProduct,
  sent: DraftProduct,
  before: LiveProduct | null = null,
  kept: KeptValues | null = null,
  hash: string | null = null,
): boolean {
  if (live.payloadHash !== (hash ?? payloadHash(sent))) return false;
  if (before && !hasLeft(live, before, kept)) return false;
  return hasDraft(live, sent, { before, kept });
}

/**
 * Takes a product that was read right after our write, and returns the product as the write left it. If a text or a
 * proving field has neither our value nor its earlier value, others changed the field in between. The result then has
 * our value, so that their change counts as drift later, and an empty `updatedAt`, so that the product is read again.
 */
export function stateAfterWrite(live: LiveProduct, sent: DraftProduct, { before, kept }: Left): LiveProduct {
  const intended = toIntendedProduct(sent);
  const others = productFieldList.filter((field) => {
    const { key, isMerchants, rewrites, identity = field.text } = field;
    if (isMerchants || rewrites || key in (kept ?? {}) || hasSentValue(field, live, intended)) return false;
    return before === null || identity(live[key]) !== identity(before[key]);
  });
  const had = mapById(before?.variants ?? []);
  const left = mapById(kept?.variants ?? []);
  const pairs = pairVariants(intended.variants, live.variants, { isOurs: true });
  const ours = new Map(intended.variants.map((one, at) => [pairs[at], one]));
  const variants = live.variants.map((one) => {
    const [wanted, was] = [ours.get(one), had.get(one.id)];
    const changed = provingFields.filter(({ key, text }) => {
      const values = [wanted, was].flatMap((known) => (known ? [text(known[key])] : []));
      return wanted && !(key in (left.get(one.id) ?? {})) && !values.includes(text(one[key]));
    });
    if (changed.length === 0) return one;
    return { ...one, ...Object.fromEntries(changed.map(({ key }) => [key, wanted?.[key]])) };
  });
  if (others.length === 0 && variants.every((one, at) => one === live.variants[at])) return live;
  const texts = Object.fromEntries(others.map(({ key }) => [key, intended[key]]));
  return { ...live, ...texts, variants, updatedAt: '' };
}

type Left = { before: LiveProduct | null; kept: KeptValues | null };

const keysIn = (one: object) => comparedVariantKeys.filter((key) => key in one);

function hasLeft(live: LiveProduct, before: LiveProduct, kept: KeptValues | null): boolean {
  const { variants = [], answers: _, ...parts } = kept ?? {};
  const were = Object.entries(before).filter(([field]) => field in parts);
  const asBefore = { ...live, ...Object.fromEntries(were), complete: before.complete };
  const [is, had] = [mapById(live.variants), mapById(before.variants)];
  return (
    findDriftedParts(live, asBefore).length === 0 &&
    variants.every((one) => {
      const [now, was] = [is.get(one.id), had.get(one.id)];
      return now && was ? hasSameValues(now, was, keysIn(one)) : now === was;
    })
  );
}

/** Returns whether the store has the draft's values, except quantities, images, metafields and non-proving fields. */
function hasDraft(live: LiveProduct, draft: DraftProduct, { before, kept }: Left): boolean {
  const intended = toIntendedProduct(draft);
  const left = mapById(kept?.variants ?? []);
  const inStore = new Set(live.variants.map(({ id }) => id));
  const { variants } = applyKeptValues(live, kept);
  const pairs = pairVariants(intended.variants, variants, { isOurs: true });
  const hasWritten = (one: LiveVariant | undefined, variant: IntendedVariant) => {
    const keys = one ? keysIn(left.get(one.id) ?? {}) : [];
    if (one && !inStore.has(one.id)) return true;
    return hasVariant(
      one,
      variant,
      provingFields.filter(({ key }) => !keys.includes(key)),
    );
  };
  const had = mapById(before?.variants ?? []);
  const ours = new Set(pairs);
  const except = new Set(Object.keys(kept ?? {}));
  const isOthers = (one: LiveVariant) => {
    const was = had.get(one.id);
    return !inStore.has(one.id) || (was !== undefined && hasSameValues(one, was, comparedVariantKeys));
  };
  return (
    productFieldList.every(
      (field) => field.isMerchants || except.has(field.key) || hasSentValue(field, live, intended),
    ) &&
    (except.has('tags') || hasTags(live, intended.tags)) &&
    intended.variants.every((variant, at) => hasWritten(pairs[at], variant)) &&
    variants.every((one) => ours.has(one) || isOthers(one))
  );
}

function hasTags(live: LiveProduct, tags: readonly string[]): boolean {
  const there = foldTags(live.tags);
  return tags.every((tag) => there.has(foldTag(tag)));
}

/** Fields that prove that a write has arrived. */
const provingFields = variantFieldList.filter(({ proves }) => proves);

/** Returns whether the store's variant has the intended values. */
const hasVariant = (
  live: LiveVariant | undefined,
  intended: IntendedVariant,
  fields: typeof variantFieldList,
): boolean => live !== undefined && fields.every(({ key, text }) => text(live[key]) === text(intended[key]));

type Write = Left & Pick<UndoStates, 'sentBefore' | 'collections'> & { sent: DraftProduct };

/**
 * Returns whether a product that was not read back after our write is exactly the result of that write. Unlike
 * `isAsSent`, also compares status, quantities, images, metafields, collections and all variant fields of a new
 * product. `before` is null if we created it. `sentBefore`: the draft that the write replaced. `kept`: fields that the
 * write left as others had changed them.
 */
export function isExactlyAsWritten(
  live: LiveProduct,
  { sent, sentBefore, before, kept, collections }: Write,
): boolean {
  if (!isAsSent(live, sent, before, kept)) return false;
  const intended = toIntendedProduct(sent);
  if (live.status !== intended.status && live.status !== before?.status) return false;
  const had = mapById(before?.variants ?? []);
  const pairs = pairVariants(intended.variants, live.variants, { isOurs: true });
  const wanted = new Map(intended.variants.map((one, at) => [pairs[at], one]));
  const quantitiesAreOurs = live.variants.every((one) => {
    const ours = wanted.get(one);
    const isCounted = ours?.tracked && one.quantity !== null;
    return !isCounted || one.quantity === ours.quantity || one.quantity === had.get(one.id)?.quantity;
  });
  // A created product has all of our values. An updated product keeps other values in fields that the file lacks.
  const hasAllFields = () =>
    intended.variants.every((one, at) => hasVariant(pairs[at], one, variantFieldList));
  if (before === null && !hasAllFields()) return false;
  const tags = foldTags([...(before?.tags ?? []), ...intended.tags]);
  const metafields = new Set([...(before?.metafields ?? []), ...intended.metafields].map(metafieldName));
  const places = new Set([
    ...(before?.collectionIds ?? []),
    ...findManualCollectionIds(collections, sent.collections ?? []),
    ...collections.flatMap(({ id, smart }) => (smart ? [id] : [])),
  ]);
  const ids = (product: LiveProduct | null) => product?.media.map(({ id }) => id);
  return (
    quantitiesAreOurs &&
    live.tags.every((tag) => tags.has(foldTag(tag))) &&
    live.metafields.every((one) => metafields.has(metafieldName(one)) || isBookkeepingMetafield(one)) &&
    hasWritten(live, { sent, sentBefore, before }) &&
    live.collectionIds.every((id) => places.has(id)) &&
    (live.media.length === intended.images.length || isEqual(ids(live), ids(before)))
  );
}
