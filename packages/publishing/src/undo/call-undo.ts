import type { Db } from '@draftshelf/core/connection/database';
import { beginSending, type ClaimHolder, endSending } from '@draftshelf/core/push/sending';
import type { UndoAction } from '@draftshelf/domain/push/undo-actions';
import type { Turn } from '@draftshelf/shopify/call-gate';
import type { RequestOptions } from '@draftshelf/shopify/client';
import { requestPoints } from '@draftshelf/shopify/cost';
import { payloadHash } from '@draftshelf/shopify/payload-hash';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { deleteMetafields, deleteProduct, setProduct, setQuantities } from '@draftshelf/shopify/products';
import { StoreRefused } from '@draftshelf/shopify/store-errors';
import { callsOfSender } from '../call-store.ts';
import { PublishStopped } from '../publish-errors.ts';
import type { StoreSession } from '../store-session.ts';
import type { UndoDecided } from './undo-decision.ts';
import type { KnownProduct, UndonePush } from './undo-facts.ts';

/** Stored while a product is being undone, for the next claim if this one dies. */
export type UndoMark = { action: UndoAction; handsBack: boolean };

type Caller = {
  db: Db;
  session: StoreSession;
  chunk: ClaimHolder;
  push: UndonePush;
  turn: Turn;
};

/** `from`: the product before the first attempt of this undo. `isFirst`: this is the first attempt. */
type Begins = { known: KnownProduct; from: LiveProduct | null; mark: UndoMark; isFirst: boolean };

/** `send` resolves with 'stale' if a quantity has changed since. */
type Call = { points: number; send(options: RequestOptions): Promise<unknown> };

/**
 * Commits that the product is being undone, then calls. Reserves the points first: a product being sent must not
 * wait. `changed`: the listing or a quantity has changed. Returns a refusal after an earlier call's change; throws
 * others. Ends the sending only if no write of the undo may have arrived.
 */
export async function callUndo(
  { db, session, chunk, push: { shop }, turn }: Caller,
  { known, from, mark, isFirst }: Begins,
  decision: UndoDecided<'delete' | 'archive' | 'restore'>,
): Promise<'written' | 'changed' | StoreRefused> {
  const { ourId } = known.stored;
  const calls = callsOf(session, chunk, known, decision);
  if (calls.length === 0) return 'written';
  const reservations: RequestOptions['reservation'][] = [];
  try {
    for (const { points } of calls) reservations.push(await turn.reserve(points));
    const options = callsOfSender(db, { chunk }, { shop, ourId }, performance.now());
    const begun = await beginSending(
      db,
      { chunk },
      {
        ...{ shop, ourId, payload: mark, payloadHash: payloadHash(mark), source: null, kind: 'undo' },
        ...{ before: from, version: known.listing?.version ?? null },
        claims: { keys: from ? [{ kind: 'product', value: from.id }] : [], since: null },
      },
    );
    if (begun.is === 'stopped') throw new PublishStopped();
    if (begun.is !== 'begun') return 'changed';
    const sentAt = performance.now();
    for (const [at, call] of calls.entries()) {
      const takeBack = async () => {
        if (isFirst && at === 0) await endSending(db, { chunk }, { shop, ourId });
      };
      const sent = await call
        .send({ ...options, reservation: reservations.shift() })
        .catch(async (error: unknown) => {
          if (!(error instanceof StoreRefused)) throw error;
          if (at > 0 && error.scope === 'request') return error;
          if (error.scope === 'store' && error.hadNoEffect) await takeBack();
          throw error;
        });
      if (sent instanceof StoreRefused) return sent;
      if (sent !== 'stale') continue;
      await takeBack();
      return 'changed';
    }
    turn.answered((performance.now() - sentAt) / calls.length);
    return 'written';
  } finally {
    for (const reservation of reservations) await turn.unused(reservation);
  }
}

function callsOf(
  { client, shop, locationId }: StoreSession,
  chunk: ClaimHolder,
  { storeProductId }: KnownProduct,
  decision: UndoDecided<'delete' | 'archive' | 'restore'>,
): Call[] {
  if (decision.kind === 'delete') {
    const id = storeProductId ?? '';
    return [
      {
        points: requestPoints('productDelete', { id }),
        send: (options) => deleteProduct(client, id, options),
      },
    ];
  }
  const calls: Call[] = [];
  const { variables } = decision;
  if (variables) {
    calls.push({
      points: requestPoints('productSet', variables),
      send: (options) => setProduct(client, variables, options),
    });
  }
  if (decision.kind === 'archive') return calls;
  if (decision.quantities.length > 0) {
    const at = decision.quantities.map((one) => ({ ...one, locationId: locationId ?? '' }));
    const key = payloadHash({ shop, undo: storeProductId, at, chunk: chunk.id });
    const input = { name: 'available', reason: 'correction', quantities: at } as const;
    calls.push({
      points: requestPoints('inventorySetQuantities', { key, input }),
      send: (options) => setQuantities(client, { key, quantities: at }, options),
    });
  }
  if (decision.deleteMetafields.length > 0) {
    const id = storeProductId ?? '';
    const fields = decision.deleteMetafields;
    const metafields = fields.map((one) => ({ ownerId: id, ...one }));
    calls.push({
      points: requestPoints('metafieldsDelete', { metafields }),
      send: (options) => deleteMetafields(client, id, fields, options),
    });
  }
  return calls;
}
