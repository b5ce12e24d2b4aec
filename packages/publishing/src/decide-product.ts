import type { OutcomeCode } from '@draftshelf/domain/imports/outcome';
import type { DraftProduct, DraftResult } from '@draftshelf/domain/products/draft-product';
import { refusalOf } from '@draftshelf/domain/review/store-limits';
import { manualCollectionIds } from '@draftshelf/shopify/collections';
import { payloadHash } from '@draftshelf/shopify/payload-hash';
import { isAsSent } from '@draftshelf/shopify/product/as-sent';
import { createInput } from '@draftshelf/shopify/product/create-input';
import { newCollections } from '@draftshelf/shopify/product/lists/collections';
import { decideMatch, decideOtherId, takeOverOf } from './decide-match.ts';
import { decidePushed, writeMessage } from './decide-pushed.ts';
import { decideSent } from './decide-sent.ts';
import type { Decision, Listing, ProductFacts, Taker } from './decision.ts';
import { draftOver, hasGoneTag, withoutGoneTag } from './draft-source.ts';
import type { KeptDraft } from './keep-sent-parts.ts';
import { ask, basisOfLive, idOfBasis, skipAsked } from './questions.ts';

/** Decides the next step for a product. Pure. A missing fact is read; for an unchanged product only its last change. */
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
    const asked = ask(facts.choices, 'blocked', payloadHash(built.product), ['skip']);
    return skipAsked(asked, {
      message: built.leftOut ? otherOptionsLeftOut : otherOptions,
      storeProductId: listing?.pushed?.storeProductId ?? null,
    });
  }
  const { draft } = wanted;
  // A product that is created again has a new product's status.
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
      }),
    );
  }
  if (listing?.pushed) return decidePushed(facts, wanted, listing.pushed, create);
  if (facts.idInStore !== undefined) return decideUnlisted(facts, draft, facts.idInStore);
  const lost = facts.choices.get('lost-answer');
  if (lost?.choice === 'send-again' && facts.live !== null) {
    return decideUnlisted(facts, draft, idOfBasis(lost.basis));
  }
  return match ? decideMatch(facts, draft, match, create) : create();
}

const leftOutMessage = 'Left out of the push. Nothing of it is changed in the store.';
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
  const wanted = draftOver(
    built,
    listing?.pushed?.archivedByUndo && !isPartial ? { ...base, status, published } : base,
  );
  const isBack = wanted && !isPartial && hasGoneTag(base) && !hasGoneTag(built.product);
  return isBack ? { ...wanted, draft: withoutGoneTag(wanted.draft) } : wanted;
}

/**
 * The product is in the store without a listing: the database was restored, or another installation pushed it. It is
 * adopted if it is exactly as we would send it; otherwise the operator decides.
 */
function decideUnlisted(facts: ProductFacts, draft: DraftProduct, storeProductId: string): Decision {
  const { live, choices, store } = facts;
  if (live === undefined) return { kind: 'read', by: 'id', id: storeProductId };
  if (live === null) return { kind: 'wait', message: 'The store is still deleting this product.' };
  const other = decideOtherId(facts, draft, live);
  if (other) return other;
  const { draft: sent, notSent } = newCollections(draft, store.collections);
  // Older versions wrote the hash of the draft with all collections.
  const hash = [sent, draft].map(payloadHash).find((one) => one === live.payloadHash);
  if (hash === undefined) {
    const lost = ask(choices, 'lost-answer', basisOfLive(live));
    if (lost.question.choice === 'send-again') return takeOverOf(facts, draft, live, lost.question);
    const asked = ask(choices, 'different-content', basisOfLive(live));
    if (asked.question.choice === 'update') return takeOverOf(facts, draft, live, asked.question);
    const message = 'Already in the store with different content; left unchanged.';
    return skipAsked(asked, { message, storeProductId });
  }
  const baseline = isAsSent(live, sent, null, null, hash) ? live : null;
  return {
    kind: 'adopt',
    message: writeMessage({ notSent }),
    listing: { storeProductId, handle: live.handle, sent, sentHash: hash, baseline },
  };
}

function decideNew({ ourId, store }: ProductFacts, wanted: DraftProduct): Decision {
  const { draft, notSent } = newCollections(wanted, store.collections);
  const variables = createInput(draft, {
    externalId: ourId,
    locationId: store.locationId,
    collectionIds: manualCollectionIds(store.collections, draft.collections ?? []),
  });
  return { kind: 'create', variables, draft, hash: payloadHash(draft), notSent };
}

const skipDuplicate = ({ row, storeProductId }: Taker): Decision => ({
  ...{ kind: 'skip', code: 'duplicate', storeProductId, sendingHash: null },
  message: `The same product of the store as row ${row}, and only that row is sent to it.`,
});

const skip = (code: OutcomeCode, message: string): Decision => ({
  ...{ kind: 'skip', code, message, storeProductId: null, sendingHash: null },
});
