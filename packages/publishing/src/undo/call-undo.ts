import { type ChunkClaim, endSending, type StoreWrite } from '@draftshelf/core/push/sending';
import type { UndoAction } from '@draftshelf/domain/push/undo-actions';
import type { CallPermit } from '@draftshelf/shopify/call-gate';
import type { RequestOptions } from '@draftshelf/shopify/client';
import { requestCost } from '@draftshelf/shopify/cost';
import { payloadHash } from '@draftshelf/shopify/payload-hash';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { deleteProduct, setProduct } from '@draftshelf/shopify/products';
import { StoreRefused } from '@draftshelf/shopify/store-errors';
import { createMetafieldCalls, createQuantityCalls, sendProduct } from '../call-store.ts';
import type { StoreSession } from '../store-session.ts';
import type { UndoRun } from './record-undone.ts';
import type { UndoDecisionOf } from './undo-decision.ts';
import type { ProductToUndo } from './undo-facts.ts';

/** Stored while a product is being undone, so that the next claim can continue if the current claim is lost. */
export type UndoMark = { action: UndoAction; handsBack: boolean };

/** `from`: the product before the first attempt of this undo. `isFirst`: this is the first attempt. */
type Begins = { known: ProductToUndo; from: LiveProduct | null; mark: UndoMark; isFirst: boolean };

/** `send` resolves with 'stale' if a quantity or metafield has changed since it was read. */
type Call = { points: number; send(options: RequestOptions): Promise<unknown> };

/**
 * Commits that the product is being undone, then makes the calls. Returns `changed` if the listing, a quantity or a
 * metafield has changed. If a call is refused after another one took effect, returns the refusal; throws other
 * refusals. Reverts the commit only if no write of the undo can have arrived.
 */
export async function sendUndo(
  { db, session, chunk, turn }: UndoRun & { session: StoreSession; turn: CallPermit },
  { known, from, mark, isFirst }: Begins,
  decision: UndoDecisionOf<'delete' | 'archive' | 'restore'>,
): Promise<'written' | 'changed' | StoreRefused> {
  const { ourId } = known.stored;
  const calls = callsOf(session, chunk, known, decision);
  if (calls.length === 0) return 'written';
  const undo: StoreWrite & { ourId: string } = {
    ...{ ourId, payload: mark, payloadHash: payloadHash(mark), source: null, kind: 'undo' },
    ...{ before: from, version: known.listing?.version ?? null },
    claims: { keys: from ? [{ kind: 'product', value: from.id }] : [], since: null },
  };
  const points = calls.map((call) => call.points);
  const send = async (options: () => RequestOptions): Promise<'written' | 'changed' | StoreRefused> => {
    const sentAt = performance.now();
    for (const [at, call] of calls.entries()) {
      const takeBack = async () => {
        if (isFirst && at === 0) await endSending(db, { chunk }, { shop: session.shop, ourId });
      };
      const answer = await call.send(options()).catch(async (error: unknown) => {
        if (!(error instanceof StoreRefused)) throw error;
        if (at > 0 && error.scope === 'request') return error;
        if (error.scope === 'store' && error.hadNoEffect) await takeBack();
        throw error;
      });
      if (answer instanceof StoreRefused) return answer;
      if (answer !== 'stale') continue;
      await takeBack();
      return 'changed';
    }
    turn.answered((performance.now() - sentAt) / calls.length);
    return 'written';
  };
  const sent = await sendProduct({ db, session, sender: { chunk }, turn }, undo, points, send);
  return typeof sent === 'string' ? 'changed' : sent.answer;
}

function callsOf(
  session: StoreSession,
  chunk: ChunkClaim,
  { storeProductId }: ProductToUndo,
  decision: UndoDecisionOf<'delete' | 'archive' | 'restore'>,
): Call[] {
  const { client } = session;
  if (decision.kind === 'delete') {
    const id = storeProductId ?? '';
    return [
      {
        points: requestCost('productDelete', { id }),
        send: (options) => deleteProduct(client, id, options),
      },
    ];
  }
  const calls: Call[] = [];
  const { variables } = decision;
  if (variables) {
    calls.push({
      points: requestCost('productSet', variables),
      send: (options) => setProduct(client, variables, options),
    });
  }
  if (decision.kind === 'archive') return calls;
  const { quantities, metafields } = decision;
  calls.push(...createQuantityCalls(session, quantities, { undo: storeProductId, chunk: chunk.id }));
  return [...calls, ...createMetafieldCalls(session, storeProductId ?? '', metafields)];
}
