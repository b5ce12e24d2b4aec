import { payloadHash } from '@draftshelf/shopify/payload-hash';
import { decideSending, type SendingVerdict } from '@draftshelf/shopify/product/as-sent';
import { carriesHash } from '@draftshelf/shopify/product/lists/metafields';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { deletedMessage, keptWords, writeMessage } from './decide-pushed.ts';
import type { Decided, Decision, KeptParts, ProductFacts, Pushed, Sending } from './decision.ts';
import type { KeptDraft } from './keep-sent-parts.ts';
import { type PendingStock, pendingStock } from './pending-stock.ts';
import { ask, basisOfLive, skipAsked } from './questions.ts';

/**
 * Reads a product found `sending` by our id before anything is sent. `decideNext`: decides once its write is
 * recorded.
 */
export function decideSent(
  facts: ProductFacts,
  { draft: wanted, gone }: KeptDraft,
  pushed: Pushed | null,
  sending: Sending,
  decideNext: (arrived: Pushed) => Decision,
): Decision {
  const { live, choices } = facts;
  if (live === undefined) return { kind: 'read', by: 'our-id' };
  // An undo was stopped: its changes look like changes made in the store.
  if (sending.kind === 'undo') return { kind: 'not-arrived' };
  const stock = live && pendingStock(facts, pushed, sending, live);
  const verdict = verdictOf(facts, { pushed, sending, stock });
  const { hash: sendingHash } = sending;
  if (verdict === 'send') return { kind: 'not-arrived' };
  if (!live) {
    const storeProductId = pushed?.storeProductId ?? null;
    const asked = ask(choices, 'deleted-in-store', storeProductId ?? '');
    if (asked.question.choice === 'create') return { kind: 'not-arrived' };
    return skipAsked(asked, { message: deletedMessage, storeProductId, sendingHash });
  }
  const isNewest = payloadHash(wanted) === sendingHash;
  const record = recordOf(pushed, sending, live, {
    stock,
    kept: { words: keptWords(facts, sending) },
    gone: isNewest ? gone : 0,
  });
  if (verdict === 'record') {
    if (isNewest) return record;
    const next = decideNext(pushedBy(sending, live.id));
    if (isMore(next)) return { ...record, thenDecide: true };
    // The outcome is the write's: unsent parts of the draft are named, as if its response had not been lost.
    const sentences = [record.message, next.message].filter((one) => one !== null);
    return { ...record, message: sentences.length > 0 ? sentences.join(' ') : null };
  }
  const asked = ask(choices, 'lost-answer', basisOfLive(live));
  const { question } = asked;
  if (question.choice === 'record') {
    const listing = { ...record.listing, sent: stock?.arrived ?? sending.draft };
    return { ...record, quantities: [], listing, thenDecide: true };
  }
  if (question.choice === 'send-again') return { kind: 'not-arrived' };
  const message = 'Changed in the store while a response was lost; left unchanged.';
  return skipAsked(asked, { message, storeProductId: pushed?.storeProductId ?? null, sendingHash });
}

type Found = { pushed: Pushed | null; sending: Sending; stock: PendingStock | null };

function verdictOf({ live, unset }: ProductFacts, { pushed, sending, stock }: Found): SendingVerdict {
  // The quantities are set when the store has answered the write of the product.
  if (live && unset) return 'record';
  const before = stateBefore(live ?? null, pushed, sending);
  const verdict = decideSending(live ?? null, { draft: sending.draft, baseline: before, kept: sending.kept });
  if (verdict !== 'send' || !live || !before || !stock || stock.state === 'untouched') return verdict;
  // Without a hash, or with the same one before, the quantities prove that the product has arrived.
  if (live.payloadHash !== sending.hash && carriesHash(before)) return verdict;
  return stock.state === 'arrived' ? 'record' : 'skip';
}

function recordOf(
  pushed: Pushed | null,
  sending: Sending,
  live: LiveProduct,
  { stock, kept, gone }: { stock: PendingStock | null; kept: Pick<KeptParts, 'words'>; gone: number },
): Decided<'record'> {
  const { draft: sent, quantities, notSent } = stock ?? { draft: sending.draft, quantities: [], notSent: [] };
  const listing = { storeProductId: live.id, handle: live.handle, sent, sentHash: sending.hash };
  const message = writeMessage({ notSent, kept, gone });
  const isNothing = notSent.length > 0 && pushed && payloadHash(sent) === payloadHash(pushed.rebuiltDraft);
  const done = { outcome: isUpdate(pushed, sending) ? 'updated' : 'created', code: null } as const;
  const result = isNothing ? ({ outcome: 'skipped', code: 'not-sent' } as const) : done;
  return { kind: 'record', ...result, message, quantities, listing, thenDecide: false };
}

/** Null if the write creates the product, also in place of a deleted one. */
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

export const pushedBy = (
  { draft, hash, rebuiltDraft, before, kept }: Sending,
  storeProductId: string,
): Pushed => ({
  ...{ storeProductId, sent: draft, sentHash: hash, rebuiltDraft, before, kept, baseline: null },
});

const isMore = (next: Decision): next is Exclude<Decision, Decided<'unchanged' | 'skip'>> =>
  next.kind !== 'unchanged' && !(next.kind === 'skip' && next.code === 'not-sent');
