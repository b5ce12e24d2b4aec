import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { pairVariants } from '@draftshelf/domain/products/pair-variants';
import { payloadHash } from '../payload-hash.ts';
import { hasText, productFieldList, variantFieldList } from './fields.ts';
import { type IntendedProduct, type IntendedVariant, intendedProduct } from './intended-product.ts';
import { foldTag, foldTags } from './lists/tags.ts';
import { driftedParts, type LiveProduct, type LiveVariant } from './live-product.ts';

export type Sending = {
  /** The draft that was sent when the response was lost. */
  draft: DraftProduct;
  /** The listing's baseline; null if the product had never been pushed. */
  baseline: LiveProduct | null;
};

export type SendingVerdict = 'record' | 'send' | 'skip';

/**
 * What to do with a product that is still `sending` after a crash or a lost response, from what the store has now
 * (null: nothing). `record`: our write arrived. `send`: it did not; send it again. `skip`: somebody changed or deleted
 * the product since; the operator decides.
 */
export function decideSending(live: LiveProduct | null, sending: Sending): SendingVerdict {
  const { draft, baseline } = sending;
  if (!live) return baseline ? 'skip' : 'send';
  const hash = payloadHash(draft);
  // If the hash was the same before the write, it proves nothing, because a write may omit metafields.
  const isSameHash = baseline?.payloadHash === hash;
  if (live.payloadHash === hash && !isSameHash) return 'record';
  // Then only the status may have been sent: the store had another one.
  if (isSameHash && live.status !== baseline.status && live.status === intendedProduct(draft).status)
    return 'record';
  if (baseline && driftedParts(live, baseline).length === 0) return 'send';
  return hasDraft(live, draft) ? 'record' : 'skip';
}

/**
 * Whether a product that is read long after it was written is still as it was sent, so that its state can be the
 * baseline. The hash alone is not enough: it stays the same if a merchant changes the title. `before`: the product
 * that was updated; what a product that we took over had beyond the draft is still there. `kept`: fields that the
 * update left as somebody had changed them; they are as before, if that is known. `hash`: of the draft that was being
 * sent, if a part of it did not arrive.
 */
export function isAsSent(
  live: LiveProduct,
  sent: DraftProduct,
  before: LiveProduct | null = null,
  kept: Partial<LiveProduct> | null = null,
  hash: string | null = null,
): boolean {
  if (live.payloadHash !== (hash ?? payloadHash(sent))) return false;
  const fields = new Set(Object.keys(kept ?? {}) as (keyof LiveProduct)[]);
  if (before && !hasFields(live, before, fields)) return false;
  // What a take-over has left need not be as the draft, but as before.
  if (before && before.externalId !== live.externalId) return isTakenOver(live, sent, before);
  return hasDraft(live, sent, fields) || (before !== null && isTakenOver(live, sent, before));
}

type Fields = ReadonlySet<keyof LiveProduct>;
const noFields: Fields = new Set();

/** Whether some fields of a product are as they were before. */
function hasFields(live: LiveProduct, before: LiveProduct, fields: Fields): boolean {
  const were = Object.entries(before).filter(([field]) => fields.has(field as keyof LiveProduct));
  return driftedParts(live, { ...live, ...Object.fromEntries(were), complete: before.complete }).length === 0;
}

/**
 * Whether a product has all values of the draft and is otherwise as it was before, as takeOver leaves it: also in the
 * fields that it has not written of a product that got our id.
 */
function isTakenOver(live: LiveProduct, draft: DraftProduct, before: LiveProduct): boolean {
  const intended = intendedProduct(draft);
  const pairs = ({ variants }: LiveProduct) => pairVariants(intended.variants, variants, { isOurs: false });
  const theirs = (product: LiveProduct) => {
    const ours = new Set(pairs(product));
    return product.variants.filter((one) => !ours.has(one));
  };
  const inStore = pairs(live);
  const had = new Map(before.variants.map((one) => [one.id, one]));
  const gotOurId = before.externalId !== live.externalId;
  const hasOrLeft = (now: LiveVariant | undefined, variant: IntendedVariant) => {
    const was = gotOurId && now ? had.get(now.id) : undefined;
    if (!now || !was) return hasVariant(now, variant);
    return provingFields.every((field) => {
      const { key, text, takeOver } = field;
      const isLeft = text(now[key]) === text(was[key]);
      // One that is only filled was not written where the store had a value.
      if (takeOver === 'fill' && text(was[key]) !== '') return isLeft;
      return hasVariant(now, variant, [field]) || (text(variant[key]) === '' && isLeft);
    });
  };
  const tags = foldTags([...before.tags, ...intended.tags]);
  const asBefore = { ...before, variants: theirs(before) };
  const untouched = ['variants', ...(before.media.length > 0 ? ['images'] : [])];
  const drifted = driftedParts({ ...live, variants: theirs(live) }, asBefore);
  return (
    hasValues(live, intended) &&
    live.tags.every((tag) => tags.has(foldTag(tag))) &&
    intended.variants.every((variant, at) => hasOrLeft(inStore[at], variant)) &&
    !drifted.some((part) => untouched.includes(part))
  );
}

/** Whether the store's product has all values of a draft, except quantities, images, metafields and other fields. */
function hasDraft(live: LiveProduct, draft: DraftProduct, except: Fields = noFields): boolean {
  const intended = intendedProduct(draft);
  const hasVariants = () => {
    const inStore = pairVariants(intended.variants, live.variants, { isOurs: true });
    return (
      live.variants.length === intended.variants.length &&
      intended.variants.every((variant, at) => hasVariant(inStore[at], variant))
    );
  };
  return hasValues(live, intended, except) && (except.has('variants') || hasVariants());
}

function hasValues(live: LiveProduct, intended: IntendedProduct, except: Fields = noFields): boolean {
  const liveTags = foldTags(live.tags);
  const hasTexts = productFieldList.every((field) => {
    const { key, drifts } = field;
    return !drifts || except.has(key) || hasText(field, live, intended);
  });
  return hasTexts && (except.has('tags') || intended.tags.every((tag) => liveTags.has(foldTag(tag))));
}

const provingFields = variantFieldList.filter(({ proves }) => proves);

/** Whether the store's variant has the intended values; by default of the fields that show that a write has arrived. */
export const hasVariant = (
  live: LiveVariant | undefined,
  intended: IntendedVariant,
  fields: typeof variantFieldList = provingFields,
): boolean => live !== undefined && fields.every(({ key, text }) => text(live[key]) === text(intended[key]));
