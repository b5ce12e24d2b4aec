import type { DraftProduct, DraftResult } from '@draftshelf/domain/draft-product';
import type { OutcomeCode } from '@draftshelf/domain/outcome';
import { matchText } from '@draftshelf/domain/product-keys';
import { refusalOf } from '@draftshelf/domain/store-limits';
import { payloadHash } from '@draftshelf/shopify/canonical-json';
import { manualCollectionIds } from '@draftshelf/shopify/collections';
import { decideSending, isAsSent } from '@draftshelf/shopify/decide-sending';
import { createInput } from '@draftshelf/shopify/product-set-input';
import { driftedParts, type LiveProduct } from '@draftshelf/shopify/product-state';
import { type Update, updateInput } from '@draftshelf/shopify/product-update-input';
import { takeOver } from '@draftshelf/shopify/take-over';
import type { Decision, Listing, ProductFacts, Pushed } from './decision.ts';
import { keepSentParts } from './keep-sent-parts.ts';

/**
 * Decides what is done with a product in the store. Pure: the same facts lead to the same decision. When a fact is
 * missing, the decision is to read it. For an unchanged product, only the time of its last change is read.
 */
export function decideProduct(facts: ProductFacts): Decision {
  const { built, listing, idInStore } = facts;
  if (!built.ok && built.reason === 'Left out of the push') return skip('left-out', leftOutMessage, null);
  if (!built.ok) return skip('missing-fields', `${built.reason}: ${built.missing.join(', ')}`, null);
  const refusal = refusalOf(built.product);
  if (refusal !== null) return skip('too-long', refusal, null);
  if (listing === undefined) return { kind: 'read', by: 'listing' };
  const draft = wantedDraft(built, listing?.pushed ?? null);
  if (draft === null) return skip('blocked', otherOptions, listing?.pushed?.storeProductId ?? null);
  if (listing?.sending) return decideSent(facts, draft, listing.pushed, listing.sending);
  if (listing?.pushed) return decidePushed(facts, draft, listing.pushed);
  if (idInStore !== undefined) return decideUnlisted(facts, draft, idInStore);
  if (facts.match && facts.match.choice !== 'create') return decideMatch(facts, draft, facts.match);
  return decideNew(facts, draft);
}

/** The same for all, and of what the store has from earlier: it stays. */
const leftOutMessage = 'Left out of the push. Nothing of it is changed in the store.';
const otherOptions =
  'Rows are left out whose variants are in the store with other options. Put them back to change the options.';

/** The draft with all that the store has of left-out rows; null if that is not possible. */
function wantedDraft(
  { product, leftOut }: Extract<DraftResult, { ok: true }>,
  pushed: Pushed | null,
): DraftProduct | null {
  return pushed && leftOut ? keepSentParts(product, leftOut, pushed.rebuiltDraft) : product;
}

/** A product found `sending` is read by our id before anything is sent. */
function decideSent(
  { live }: ProductFacts,
  wanted: DraftProduct,
  pushed: Pushed | null,
  sending: NonNullable<Listing['sending']>,
): Decision {
  if (live === undefined) return { kind: 'read', by: 'our-id' };
  const verdict = decideSending(live, { draft: sending.draft, baseline: pushed?.baseline ?? null });
  if (verdict === 'send') return { kind: 'not-arrived' };
  if (verdict === 'record' && live) {
    return {
      kind: 'record',
      outcome: pushed || sending.kind === 'update' ? 'updated' : 'created',
      listing: {
        storeProductId: live.id,
        handle: live.handle,
        sent: sending.draft,
        sentHash: sending.hash,
      },
      thenDecide: payloadHash(wanted) !== sending.hash,
    };
  }
  const storeProductId = pushed?.storeProductId ?? null;
  const skipped = live
    ? skip('lost-answer', 'Changed in the store while a response was lost; left unchanged.', storeProductId)
    : skip('deleted-in-store', deletedMessage, storeProductId);
  return { ...skipped, sendingHash: sending.hash };
}

const deletedMessage = 'Deleted in the store since the last push.';

/**
 * Sends only our own changes, and only if the product was not changed in the store. A release that builds another draft
 * from the same values causes no update.
 */
function decidePushed(facts: ProductFacts, draft: DraftProduct, pushed: Pushed): Decision {
  const { live, ourId, store } = facts;
  const { storeProductId, sentHash, rebuiltDraft } = pushed;
  const hash = payloadHash(draft);
  if (sentHash === hash || payloadHash(rebuiltDraft) === hash) return decideUnchanged(facts, pushed);
  if (live === undefined) return { kind: 'read', by: 'id', id: storeProductId };
  if (live === null) return skip('deleted-in-store', deletedMessage, storeProductId);
  const baseline = baselineOf(pushed, live);
  if (!baseline) return skip('drifted', 'Changed in the store since the last push.', storeProductId);
  const drifted = driftedParts(live, baseline);
  if (drifted.length > 0) {
    const message = `Changed in the store since the last push (${drifted.join(', ')}); left unchanged.`;
    return skip('drifted', message, storeProductId);
  }
  const { locationId, collections } = store;
  const last = { sent: rebuiltDraft, live, seen: baseline };
  const next = updateInput(draft, { externalId: ourId, ...last, locationId, collections });
  if (next.kind === 'unchanged') return unchanged(storeProductId);
  return updateOf(next, { storeProductId, live, baseline: pushed.baseline ? null : baseline });
}

function updateOf(
  next: Exclude<Update, { kind: 'unchanged' }>,
  {
    storeProductId,
    live,
    baseline,
  }: { storeProductId: string; live: LiveProduct; baseline: LiveProduct | null },
): Decision {
  if (next.kind === 'blocked') return skip('blocked', next.reason, storeProductId);
  if (next.kind === 'not-sent') return skip('not-sent', notSentMessage(next.notSent), storeProductId);
  const { kind, variables, quantities, draft, notSent } = next;
  return { kind, variables, quantities, draft, hash: payloadHash(draft), notSent, baseline, before: live };
}

/** Sentence about changes that were not sent. */
export const notSentMessage = (notSent: readonly string[]) => `Not sent: ${notSent.join(', ')}.`;

/** Reports changes made in the store. Reads the product only if its `updatedAt` moved. */
function decideUnchanged(
  { stamp, live }: ProductFacts,
  { storeProductId, sent, baseline }: Pushed,
): Decision {
  if (baseline) {
    if (stamp === undefined) return { kind: 'read', by: 'stamp', id: storeProductId };
    if (stamp === baseline.updatedAt) return unchanged(storeProductId);
    if (stamp === null) return skip('deleted-in-store', deletedMessage, storeProductId);
  }
  if (live === undefined) return { kind: 'read', by: 'id', id: storeProductId };
  if (live === null) return skip('deleted-in-store', deletedMessage, storeProductId);
  const seen = baseline ?? (isAsSent(live, sent) ? live : null);
  const drifted = seen ? driftedParts(live, seen) : ['unknown fields'];
  if (drifted.length === 0) return { ...unchanged(storeProductId), baseline: live };
  const message = `Changed in the store since the last push (${drifted.join(', ')}).`;
  return { ...unchanged(storeProductId), message };
}

const unchanged = (storeProductId: string) =>
  ({ kind: 'unchanged', storeProductId, message: null, baseline: null }) as const;

/** Without a read-back (its worker died before it), the state is known only if our last write is still in place. */
const baselineOf = ({ baseline, sent }: Pushed, live: LiveProduct): LiveProduct | null =>
  baseline ?? (isAsSent(live, sent) ? live : null);

/**
 * The store has the product under our id, but this database does not know how it got there: the database was restored,
 * or another installation pushed it. A product exactly as we would send it is adopted; any other is left to the
 * operator.
 */
function decideUnlisted({ live }: ProductFacts, draft: DraftProduct, storeProductId: string): Decision {
  if (live === undefined) return { kind: 'read', by: 'id', id: storeProductId };
  if (live === null) return { kind: 'wait', message: 'The store is still deleting this product.' };
  const hash = payloadHash(draft);
  if (live.payloadHash !== hash) {
    const message = 'Already in the store with different content; left unchanged.';
    return skip('different-content', message, storeProductId);
  }
  const baseline = isAsSent(live, draft) ? live : null;
  return {
    kind: 'adopt',
    listing: { storeProductId, handle: live.handle, sent: draft, sentHash: hash, baseline },
  };
}

/**
 * The store has a product with the same key under another id: it is left alone, or taken over and updated. Its status,
 * its images and its values beyond the draft are kept: they are the merchant's work.
 */
function decideMatch(
  facts: ProductFacts,
  draft: DraftProduct,
  { storeProductId, kind, choice }: NonNullable<ProductFacts['match']>,
): Decision {
  const { ourId, live } = facts;
  if (choice === 'skip') return skip('in-store', matchText(kind), storeProductId);
  if (live === undefined) return { kind: 'read', by: 'id', id: storeProductId };
  if (live === null) return decideNew(facts, draft);
  const next = takeOver(draft, { externalId: ourId, live });
  if (next.kind === 'blocked') return skip('blocked', next.reason, storeProductId);
  const { variables } = next;
  const hash = payloadHash(draft);
  return {
    kind: 'update',
    variables,
    quantities: [],
    draft,
    hash,
    notSent: [],
    baseline: null,
    before: live,
  };
}

function decideNew({ ourId, store }: ProductFacts, draft: DraftProduct): Decision {
  const variables = createInput(draft, {
    externalId: ourId,
    locationId: store.locationId,
    collectionIds: manualCollectionIds(store.collections, draft.collections ?? []),
  });
  return { kind: 'create', variables, draft, hash: payloadHash(draft) };
}

const skip = (code: OutcomeCode, message: string, storeProductId: string | null) =>
  ({ kind: 'skip', code, message, storeProductId, sendingHash: null }) as const;
