import type { OutcomeCode } from '@draftshelf/domain/imports/outcome';
import type { DraftProduct, DraftResult } from '@draftshelf/domain/products/draft-product';
import { refusalOf } from '@draftshelf/domain/review/store-limits';
import { findManualCollectionIds } from '@draftshelf/shopify/collections';
import { payloadHash } from '@draftshelf/shopify/payload-hash';
import {
  decideResend,
  hasStatusWriteArrived,
  isAsSent,
  type ResendVerdict,
} from '@draftshelf/shopify/product/as-sent';
import { toCreateInput } from '@draftshelf/shopify/product/create-input';
import { keepStoreCollections } from '@draftshelf/shopify/product/lists/collections';
import {
  buildMetafieldWrites,
  createOurMetafields,
  type MetafieldWrites,
  omitForeignChanges,
  omitUnsavedChanges,
  type ReducedDraft,
} from '@draftshelf/shopify/product/lists/metafields';
import { findStockChanges, type QuantityChange } from '@draftshelf/shopify/product/lists/quantities';
import { canReplaceMetafields, type LiveProduct } from '@draftshelf/shopify/product/live-product';
import { identifyVariants } from '@draftshelf/shopify/product/variant-identity';
import { decideMatch, decideOtherId, decideTakeOver } from './decide-match.ts';
import { composeWriteMessage, decidePushed, deletedMessage, listKeptFieldNames } from './decide-pushed.ts';
import type {
  CompetingRow,
  Decision,
  DecisionOf,
  KeptParts,
  Listing,
  PendingWrite,
  ProductFacts,
  Pushed,
  UnsetReason,
} from './decision.ts';
import { hasGoneTag, mergeOverBase, removeGoneTag } from './draft-source.ts';
import type { KeptDraft } from './keep-sent-parts.ts';
import { decideSkip, getLiveBasis, joinSentences, parseBasisId, toQuestion } from './questions.ts';

/** Returns a product's next step, such as reading a missing fact. Pure. An unchanged product needs only its stamp. */
export function decideProduct(facts: ProductFacts): Decision {
  const { built, listing, match } = facts;
  if (!built.ok && built.reason === 'Left out of the push') return skip('left-out', leftOutMessage);
  if (!built.ok && built.reason === 'Unknown product') return skip('unknown-product', unknownMessage);
  if (!built.ok) return skip('missing-fields', `${built.reason}: ${built.missing.join(', ')}`);
  const refusal = refusalOf(built.product);
  if (refusal !== null) return skip('too-long', refusal);
  if (facts.taker) return skipDuplicate(facts.taker);
  if (listing === undefined) return { kind: 'read', by: 'listing' };
  const { isPartial } = built;
  if (isPartial && !listing?.pushed && !listing?.sending) return skip('not-in-store', notPushed);
  const wanted = wantedDraft(built, listing);
  if (wanted === null && isPartial) return skip('not-in-store', noVariantPushed);
  if (wanted === null) {
    const asked = toQuestion(facts.choices, 'blocked', payloadHash(built.product), ['skip']);
    return decideSkip(asked, {
      message: built.leftOut ? otherOptionsLeftOut : otherOptions,
      storeProductId: listing?.pushed?.storeProductId ?? null,
    });
  }
  const { draft } = wanted;
  // A product that is created again gets the status of a new product.
  const { status, published } = built.product;
  const create = () =>
    isPartial ? skip('not-in-store', notPushed) : decideNew(facts, { ...wanted.own, status, published });
  if (listing?.sending) {
    return decideSent(facts, wanted, listing.pushed, listing.sending, (arrived) =>
      decideProduct({
        ...facts,
        listing: { pushed: arrived, sending: null },
        stamp: undefined,
        unset: undefined,
        unsetMetafields: undefined,
      }),
    );
  }
  if (listing?.pushed) return decidePushed(facts, wanted, listing.pushed, create);
  if (facts.idInStore !== undefined) return decideUnlisted(facts, draft, facts.idInStore);
  const lost = facts.choices.get('lost-answer');
  if (lost?.choice === 'send-again' && facts.live !== null) {
    return decideUnlisted(facts, draft, parseBasisId(lost.basis));
  }
  return match ? decideMatch(facts, draft, match, create) : create();
}

const leftOutMessage = 'Left out of the push. In the store, it stays as it is.';
const unknownMessage = 'No earlier list has this product, and a list of prices and stock creates none.';
const notPushed = 'Not in the store from an earlier push, and a list of prices and stock creates nothing.';
const noVariantPushed =
  'No variant in the store has this SKU or UPC, and a list of prices and stock creates nothing.';
const otherOptions =
  'Variants that the store has from an earlier push have other options. Remove them in the store to change the options.';
const otherOptionsLeftOut =
  'Rows are left out whose variants are in the store with other options. Put them back to change the options.';

function wantedDraft(built: Extract<DraftResult, { ok: true }>, listing: Listing | null): KeptDraft | null {
  const base = listing?.pushed?.rebuiltDraft ?? listing?.sending?.draft;
  const { isPartial } = built;
  const { status, published } = built.product;
  if (!base) return { draft: built.product, own: built.product, gone: 0 };
  const wanted = mergeOverBase(
    built,
    listing?.pushed?.archivedByUndo && !isPartial ? { ...base, status, published } : base,
  );
  const isBack = wanted && !isPartial && hasGoneTag(base) && !hasGoneTag(built.product);
  return isBack ? { ...wanted, draft: removeGoneTag(wanted.draft) } : wanted;
}

/** Adopts a store product without a listing if it equals our payload. Otherwise the operator decides. */
function decideUnlisted(facts: ProductFacts, draft: DraftProduct, storeProductId: string): Decision {
  const { live, choices, store } = facts;
  if (live === undefined) return { kind: 'read', by: 'id', id: storeProductId };
  if (live === null) return { kind: 'wait', message: 'The store is still deleting this product.' };
  const other = decideOtherId(facts, draft, live);
  if (other) return other;
  const { draft: sent, notSent } = keepStoreCollections(draft, store.collections);
  // Older versions wrote a hash of the draft with all of its collections, even those that are not sent.
  const hash = [sent, draft].map(payloadHash).find((one) => one === live.payloadHash);
  if (hash === undefined) {
    const lost = toQuestion(choices, 'lost-answer', getLiveBasis(live));
    if (lost.question.choice === 'send-again') return decideTakeOver(facts, draft, live, lost.question);
    const asked = toQuestion(choices, 'different-content', getLiveBasis(live));
    if (asked.question.choice === 'update') return decideTakeOver(facts, draft, live, asked.question);
    const message = 'Already in the store with different content; left unchanged.';
    return decideSkip(asked, { message, storeProductId });
  }
  const baseline = isAsSent(live, sent, null, null, hash) ? live : null;
  return {
    kind: 'adopt',
    message: composeWriteMessage({ notSent }),
    listing: { storeProductId, handle: live.handle, sent, sentHash: hash, baseline },
  };
}

function decideNew({ ourId, store }: ProductFacts, wanted: DraftProduct): Decision {
  const { draft, notSent } = keepStoreCollections(wanted, store.collections);
  const variables = toCreateInput(draft, {
    externalId: ourId,
    locationId: store.locationId,
    collectionIds: findManualCollectionIds(store.collections, draft.collections ?? []),
  });
  return { kind: 'create', variables, draft, hash: payloadHash(draft), notSent };
}

const skipDuplicate = ({ row, storeProductId }: CompetingRow): Decision => ({
  ...{ kind: 'skip', code: 'duplicate', storeProductId, sendingHash: null },
  message: `The same product of the store as row ${row}, and only that row is sent to it.`,
});

const skip = (code: OutcomeCode, message: string): Decision => ({
  ...{ kind: 'skip', code, message, storeProductId: null, sendingHash: null },
});

/** Decides about a product with a pending write. `decideNext`: decides what follows once that write is recorded. */
function decideSent(
  facts: ProductFacts,
  { draft: wanted, gone }: KeptDraft,
  pushed: Pushed | null,
  sending: PendingWrite,
  decideNext: (arrived: Pushed) => Decision,
): Decision {
  const { live, choices } = facts;
  if (live === undefined) return { kind: 'read', by: 'our-id' };
  // The changes of a stopped undo are handled like changes made in the store.
  if (sending.kind === 'undo') return { kind: 'not-arrived' };
  const written = live && findPendingMetafields(facts, pushed, sending, live);
  const arriving = written ? { ...sending, draft: written.draft } : sending;
  const stock = live && findPendingQuantities(facts, pushed, arriving, live);
  const found = { pushed, sending, written, stock };
  const verdict = verdictOf(facts, found);
  const { hash: sendingHash } = sending;
  if (verdict === 'send') return { kind: 'not-arrived' };
  if (!live) {
    const storeProductId = pushed?.storeProductId ?? null;
    const asked = toQuestion(choices, 'deleted-in-store', storeProductId ?? '');
    if (asked.question.choice === 'create') return { kind: 'not-arrived' };
    return decideSkip(asked, { message: deletedMessage, storeProductId, sendingHash });
  }
  const isNewest = payloadHash(wanted) === sendingHash;
  const record = recordOf({ ...found, sending: arriving }, live, {
    kept: { words: listKeptFieldNames(facts, sending) },
    gone: isNewest ? gone : 0,
  });
  if (verdict === 'record') {
    // After refused metafields, no update follows, because every update would send them again.
    if (isNewest || facts.unsetMetafields) return record;
    const next = decideNext(toPushedProduct(sending, live.id));
    if (isMore(next)) return { ...record, thenDecide: true };
    // No write follows, so the outcome and the message are those of this write, as if its response had arrived.
    return { ...record, message: joinSentences(record.message, next.message) };
  }
  const asked = toQuestion(choices, 'lost-answer', getLiveBasis(live));
  const { question } = asked;
  if (question.choice === 'record') {
    const listing = { ...record.listing, sent: stock?.arrived ?? sending.draft };
    return { ...record, metafields: null, quantities: [], listing, thenDecide: true };
  }
  if (question.choice === 'send-again') return { kind: 'not-arrived' };
  const message = 'Changed in the store while a response was lost; left unchanged.';
  return decideSkip(asked, { message, storeProductId: pushed?.storeProductId ?? null, sendingHash });
}

type Found = {
  pushed: Pushed | null;
  sending: PendingWrite;
  written: PendingMetafields | null;
  stock: PendingStock | null;
};

function verdictOf(facts: ProductFacts, { pushed, sending, written, stock }: Found): ResendVerdict {
  const { live, unset, unsetMetafields } = facts;
  // Metafields and quantities are set only after the store has answered the product's write, so the write has arrived.
  if (live && (unset || unsetMetafields)) return 'record';
  // A taken-over product gets our id after its write, so the id proves that the write has arrived.
  if (live && written && !pushed) return 'record';
  const before = stateBefore(live ?? null, pushed, sending);
  const verdict = decideResend(live ?? null, { draft: sending.draft, baseline: before, kept: sending.kept });
  const isSet = facts.isOfGone && live && before ? hasStatusWriteArrived(live, sending.draft, before) : null;
  if (isSet) return 'record';
  // A write for a gone product changes only its status or tags, so its other parts prove nothing.
  if (isSet === false && verdict === 'record' && live?.payloadHash !== sending.hash) return 'skip';
  if (verdict !== 'send' || !live || !before || !stock || stock.state === 'untouched') return verdict;
  // The hash may have been the same before the write. Then only the quantities show whether the write has arrived.
  if (live.payloadHash !== sending.hash) return verdict;
  return stock.state === 'arrived' ? 'record' : 'skip';
}

function recordOf(
  { pushed, sending, written, stock }: Found,
  live: LiveProduct,
  { kept, gone }: { kept: Pick<KeptParts, 'words'>; gone: number },
): DecisionOf<'record'> {
  const { draft: sent, quantities } = stock ?? { draft: sending.draft, quantities: [] };
  const metafields = written?.writes ?? null;
  const notSent = [...(written?.notSent ?? []), ...(stock?.notSent ?? [])];
  const listing = { storeProductId: live.id, handle: live.handle, sent, sentHash: sending.hash };
  const message = composeWriteMessage({ notSent, kept, gone });
  const isNothing = notSent.length > 0 && pushed && payloadHash(sent) === payloadHash(pushed.rebuiltDraft);
  const isUpdate = sending.kind === null ? pushed !== null : sending.kind === 'update';
  const done = { outcome: isUpdate ? 'updated' : 'created', code: null } as const;
  const result = isNothing ? ({ outcome: 'skipped', code: 'not-sent' } as const) : done;
  return { kind: 'record', ...result, message, metafields, quantities, listing, thenDecide: false };
}

/** Returns the product before a write. Null if the write creates the product, even in place of a deleted one. */
function stateBefore(
  live: LiveProduct | null,
  pushed: Pushed | null,
  { kind, before }: PendingWrite,
): LiveProduct | null {
  if (!pushed) return live && before;
  if (kind === 'create') return live ? null : pushed.baseline;
  return before ?? pushed.baseline;
}

export const toPushedProduct = (
  { draft, hash, rebuiltDraft, before, kept }: PendingWrite,
  storeProductId: string,
): Pushed => ({
  ...{ storeProductId, sent: draft, sentHash: hash, rebuiltDraft, before, kept, baseline: null },
});

const isMore = (next: Decision): next is Exclude<Decision, DecisionOf<'unchanged' | 'skip'>> =>
  next.kind !== 'unchanged' && !(next.kind === 'skip' && next.code === 'not-sent');

/** `draft` is recorded as arrived once `writes` are made. */
type PendingMetafields = ReducedDraft & { writes: MetafieldWrites | null };

/** Maximum number of attempts to set a write's metafields. After the last failure, not even our hash is written. */
const metafieldAttemptsMax = 3;

/**
 * Returns the metafields that a write still has to set one by one, after the product and with our hash last. Null if
 * the write sent the whole list of metafields with the product.
 */
export function findPendingMetafields(
  { ourId, unsetMetafields: unset }: Pick<ProductFacts, 'ourId' | 'unsetMetafields'>,
  pushed: Pushed | null,
  { draft, hash, before, kind }: PendingWrite,
  live: LiveProduct,
): PendingMetafields | null {
  if (!before || kind !== 'update' || canReplaceMetafields(before)) return null;
  const base = pushed?.rebuiltDraft ?? { ...draft, metafields: [] };
  const isRepeated = !unset || (unset.isStale && unset.times === 1);
  const owned = isRepeated
    ? omitForeignChanges(draft, { base, live })
    : omitUnsavedChanges(draft, { base, live }, unset.reason);
  if (unset && unset.times >= metafieldAttemptsMax) return { ...owned, writes: null };
  const writes = buildMetafieldWrites(owned.draft, { base, live, ours: createOurMetafields(ourId, hash) });
  return { ...owned, writes };
}

/** Quantities of a write, which are set after the product in a separate call. */
type PendingStock = {
  /** `arrived`: the store has all new quantities. `untouched`: it has all old quantities. `changed`: any other case. */
  state: 'arrived' | 'untouched' | 'changed';
  quantities: QuantityChange[];
  /** The draft recorded as arrived once the quantities are set. */
  draft: DraftProduct;
  arrived: DraftProduct;
  notSent: string[];
};

/** Used as the refusal of a call whose idempotency key the store has forgotten. */
const forgotten: UnsetReason = { isStale: true, reason: 'changed in the store meanwhile', times: 1 };

/**
 * Returns the quantities to set, or null if there are none. The first attempt sets all with the write's idempotency
 * key, so that the response shows whether the write had set them. If the store has forgotten the key, and in later
 * attempts, only unchanged and stocked quantities are sent, because version 2026-07 refuses a call with any other.
 */
export function findPendingQuantities(
  { store: { locationId }, ...facts }: Pick<ProductFacts, 'store' | 'unset'>,
  pushed: Pushed | null,
  { draft, before, kind, areKeysForgotten }: PendingWrite,
  live: LiveProduct,
): PendingStock | null {
  if (!pushed || !before || kind !== 'update') return null;
  const unset = facts.unset ?? (areKeysForgotten ? forgotten : undefined);
  const changes = (at: LiveProduct, restocks: boolean, refusal: string | null = null) => {
    const sides = { sent: pushed.rebuiltDraft, seen: before, live: at };
    const variants = identifyVariants(draft, sides);
    const isCut = !live.complete.variants;
    return findStockChanges(draft, { variants, locationId, isCut, restocks, refusal });
  };
  const all = changes(before, true).set;
  if (all.length === 0) return null;
  const now = changes(live, !unset);
  if (now.set.length + now.notSent.length === 0) {
    return { state: 'arrived', quantities: [], draft, arrived: draft, notSent: [] };
  }
  const state = isUntouched(all, live) ? 'untouched' : 'changed';
  const refused = changes(live, !unset, unset?.reason ?? 'not set');
  const { draft: arrived } = refused;
  if (!unset) return { state, quantities: all, draft, arrived, notSent: [] };
  const { set, ...rest } = unset.isStale && unset.times === 1 ? now : refused;
  return { state, quantities: set, arrived, ...rest };
}

function isUntouched(changes: readonly QuantityChange[], live: LiveProduct): boolean {
  const quantities = new Map(live.variants.map((one) => [one.inventoryItemId, one.quantity]));
  return changes.every((one) => (quantities.get(one.inventoryItemId) ?? 0) === one.changeFromQuantity);
}
