import type { DraftProduct } from '@draftshelf/domain/draft-product';
import { payloadHash } from '@draftshelf/shopify/canonical-json';
import { decideSending } from '@draftshelf/shopify/decide-sending';
import type { LiveProduct } from '@draftshelf/shopify/product-state';
import { deletedMessage } from './decide-pushed.ts';
import type { Decided, Decision, Listing, ProductFacts, Pushed } from './decision.ts';
import { ask, basisOfLive, skipAsked } from './questions.ts';

type Sending = NonNullable<Listing['sending']>;

/**
 * A product found `sending` is read by our id before anything is sent. `decideNext`: decides about the product as it is
 * once the write that has arrived is recorded.
 */
export function decideSent(
  { live, choices }: ProductFacts,
  wanted: DraftProduct,
  pushed: Pushed | null,
  sending: Sending,
  decideNext: (arrived: Pushed) => Decision,
): Decision {
  if (live === undefined) return { kind: 'read', by: 'our-id' };
  // An undo was stopped: what it has done looks like a change in the store.
  if (sending.kind === 'undo') return { kind: 'not-arrived' };
  const verdict = decideSending(live, {
    draft: sending.draft,
    baseline: stateBefore(live, pushed, sending),
  });
  const { hash: sendingHash } = sending;
  if (verdict === 'send') return { kind: 'not-arrived' };
  if (!live) {
    const storeProductId = pushed?.storeProductId ?? null;
    const asked = ask(choices, 'deleted-in-store', storeProductId ?? '');
    if (asked.question.choice === 'create') return { kind: 'not-arrived' };
    return skipAsked(asked, { message: deletedMessage, storeProductId, sendingHash });
  }
  const arrived = {
    storeProductId: live.id,
    handle: live.handle,
    sent: sending.draft,
    sentHash: sendingHash,
  };
  const outcome = isUpdate(pushed, sending) ? 'updated' : 'created';
  const record = { kind: 'record', outcome, message: null, listing: arrived } as const;
  if (verdict === 'record') {
    if (payloadHash(wanted) === sendingHash) return { ...record, thenDecide: false };
    const next = decideNext(pushedBy(sending, live.id));
    if (isMore(next)) return { ...record, thenDecide: true };
    // The outcome is that of the write: the rest of the draft is named, as when its answer had not been lost.
    return { ...record, message: next.message, thenDecide: false };
  }
  const asked = ask(choices, 'lost-answer', basisOfLive(live));
  const { question } = asked;
  if (question.choice === 'record') return { ...record, thenDecide: true };
  if (question.choice === 'send-again') return { kind: 'not-arrived' };
  const message = 'Changed in the store while a response was lost; left unchanged.';
  return skipAsked(asked, { message, storeProductId: pushed?.storeProductId ?? null, sendingHash });
}

/** The product before the write; null if the write creates it, also in place of one that was deleted. */
function stateBefore(
  live: LiveProduct | null,
  pushed: Pushed | null,
  { kind, before }: Sending,
): LiveProduct | null {
  if (!pushed) return live && before;
  if (kind === 'create') return live ? null : pushed.baseline;
  return before ?? pushed.baseline;
}

const isUpdate = (pushed: Pushed | null, { kind }: Sending) =>
  kind === null ? pushed !== null : kind === 'update';

/** What a listing says once a write that has arrived is recorded, before the product is read again. */
export const pushedBy = ({ draft, hash, rebuiltDraft, kept }: Sending, storeProductId: string): Pushed => ({
  ...{ storeProductId, sent: draft, sentHash: hash, rebuiltDraft, kept, baseline: null },
});

/** Whether there is more to do for a product than what has arrived, or a reason why its newer draft is not sent. */
const isMore = (next: Decision): next is Exclude<Decision, Decided<'unchanged' | 'skip'>> =>
  next.kind !== 'unchanged' && !(next.kind === 'skip' && next.code === 'not-sent');
