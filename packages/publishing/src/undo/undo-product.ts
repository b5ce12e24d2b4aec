import type { Db } from '@draftshelf/core/connection/database';
import type { UndoLineRecord } from '@draftshelf/core/connection/schema';
import { insertLedgerEntries } from '@draftshelf/core/push/ledger';
import { findListings, recordSentListings, type VersionedListing } from '@draftshelf/core/push/listings';
import { insertPushedStates } from '@draftshelf/core/push/pushed-states';
import {
  type ChunkClaim,
  endSending,
  findSendingRun,
  lockClaims,
  takeOverSending,
} from '@draftshelf/core/push/sending';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import type { ChoiceIfUnsure, KeptPart, UndoChoice } from '@draftshelf/domain/push/push-undo';
import type { UndoAction } from '@draftshelf/domain/push/undo-actions';
import type { CallPermit } from '@draftshelf/shopify/call-gate';
import { decideResend } from '@draftshelf/shopify/product/as-sent';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { isPartlyRestored } from '@draftshelf/shopify/product/touched-parts';
import { findOurProduct } from '@draftshelf/shopify/products';
import { isDeletedProductError, StoreRefused } from '@draftshelf/shopify/store-errors';
import type { UndoLive } from '@draftshelf/shopify/undo/undo-live';
import { findPendingMetafields, findPendingQuantities } from '../decide-product.ts';
import { PublishLater, PublishStopped } from '../publish-errors.ts';
import { sentElsewhereError, toListingFacts } from '../read-facts.ts';
import type { StoreSession } from '../store-session.ts';
import { sendUndo, type UndoMark } from './call-undo.ts';
import { decideUndo } from './decide-undo.ts';
import { recordUndone, type UndoneProduct, type UndoRun } from './record-undone.ts';
import type { UndoDecision, UndoDecisionOf, UndoFacts, UndoReason } from './undo-decision.ts';
import { type ProductToUndo, type PushToUndo, readKnownProducts } from './undo-facts.ts';

export type UndoContext = UndoRun & {
  session: StoreSession;
  whenUnsure: ChoiceIfUnsure;
  read(id: string): Promise<UndoLive | null>;
  readFiles(ids: readonly string[]): Promise<NonNullable<UndoFacts['filesInStore']>>;
  enter(): Promise<CallPermit>;
};

export type LineToUndo = { line: UndoLineRecord; choice: UndoChoice | null };

const roundsMax = 5;
const pauseMs = 1_000;

/**
 * Undoes the push of one product and records the result. Commits that the product is being sent before each call. If
 * an earlier claim began the undo, the product is decided again, because every write can be repeated. Throws
 * PublishLater, PublishStopped, and the errors of the store's client.
 */
export async function undoProduct(context: UndoContext, product: LineToUndo): Promise<void> {
  const { db, push } = context;
  const ourId = product.line.our_id;
  let turn: CallPermit | undefined;
  try {
    for (let round = 0; round < roundsMax; round += 1) {
      const begun = await takeOverProduct(context, ourId);
      // Facts are read after the wait for a turn, which may be long.
      turn ??= await context.enter();
      const known = (await readKnownProducts(db, push, [ourId])).get(ourId);
      const done = known
        ? await undoKnown(context, product, { known, begun, turn })
        : { ...result('nothing'), now: undefined };
      if (done && (await recordUndone(context, product.line, known, done))) return;
    }
    throw new PublishLater('A product was changed while its push was being undone.', { waitMs: pauseMs });
  } finally {
    turn?.end();
  }
}

/** The state of an undo that was begun by this import. `from`: the product before the undo. */
type Begun = UndoMark & { from: LiveProduct | null };

/**
 * Takes over a product that is being sent. Returns the mark of an undo by this import, or null if there is none. A
 * push's write is resolved first and recorded for the run that was sending it, not for the run that is undone. Throws
 * PublishLater while another sender holds the product.
 */
export async function takeOverProduct(
  {
    db,
    push,
    chunk,
    session,
  }: Pick<UndoContext, 'db' | 'chunk' | 'session'> & { push: Omit<PushToUndo, 'pushRun'> },
  ourId: string,
): Promise<Begun | null> {
  const { shop } = push;
  const listing = (await findListings(db, shop, [ourId])).get(ourId);
  if (!listing?.sending) return null;
  const by = await findSendingRun(db, listing.sending_chunk);
  const isOurs = await takeOverSending(db, { chunk }, { shop, ourId, version: listing.version });
  if (!isOurs) throw sentElsewhereError();
  if (listing.sending_kind === 'undo') {
    if (by?.importId === push.importId) {
      return { ...(listing.sending as UndoMark), from: listing.sending_before as LiveProduct | null };
    }
    await endSending(db, { chunk }, { shop, ourId });
    return null;
  }
  // If an undo's chunk holds a push's write, that chunk took the product over and died: the push run is unknown.
  const { importId, run } = by && by.kind !== 'undo' ? by : { importId: null, run: null };
  const origin = by?.kind === 'gone' ? 'gone' : 'undo';
  await resolveLostWrite(db, session, { chunk, importId, run, origin, listing });
  return null;
}

type Work = { known: ProductToUndo; begun: Begun | null; turn: CallPermit; live: UndoLive | null };

async function undoKnown(
  context: UndoContext,
  { line, choice }: LineToUndo,
  work: Omit<Work, 'live'>,
): Promise<UndoneProduct | null> {
  const { session: store, whenUnsure, read, readFiles } = context;
  const { storeProductId, stored } = work.known;
  const live = storeProductId === null ? null : await read(storeProductId);
  // A restore began with the product as the push had left it, so `from` can replace a missing `after`.
  const after = stored.after ?? (work.begun?.action === 'restore' ? work.begun.from : null);
  const asked = { whenUnsure, choice, chosenAbout: line.message };
  const facts = { ...stored, ...asked, after, live, store, filesInStore: undefined };
  return carryOut(context, { ...work, live }, await decideUndoWithFiles(facts, readFiles));
}

export type FinalUndoDecision = Exclude<UndoDecision, { kind: 'read' }>;

export async function decideUndoWithFiles(
  facts: UndoFacts,
  readFiles: UndoContext['readFiles'],
): Promise<FinalUndoDecision> {
  const decision = decideUndo(facts);
  if (decision.kind !== 'read') return decision;
  if (decision.by === 'live') throw new Error(`${facts.ourId} was decided without its product`);
  const again = decideUndo({ ...facts, filesInStore: await readFiles(decision.ids) });
  if (again.kind === 'read') throw new Error(`The files of ${facts.ourId} were read twice`);
  return again;
}

const result = (action: UndoAction, reason: UndoReason | null = null) => ({
  ...{ action, code: reason?.code ?? null, message: reason?.message ?? null },
  ...{ kept: reason?.kept ?? [], handsBack: false },
});

/** Carries out a decision. Returns null if the facts have changed since they were read: then decide again. */
async function carryOut(
  context: UndoContext,
  work: Work,
  decision: FinalUndoDecision,
): Promise<UndoneProduct | null> {
  const { begun, live } = work;
  switch (decision.kind) {
    case 'gone':
      return { ...result(begun?.action === 'delete' ? 'delete' : 'gone'), now: null };
    case 'nothing':
      return { ...result(begun?.action ?? 'nothing'), handsBack: begun?.handsBack === true, now: live };
    case 'keep':
      // A product that we have handed back no longer has our id, so it looks like a product that is not ours.
      if (begun?.handsBack && decision.code === 'not-ours') {
        return { ...result('restore'), handsBack: true, now: live };
      }
      // An earlier attempt has already restored all parts other than the kept ones.
      if (decision.kept.length > 0 && hasArrived(context, work)) {
        return { ...result('restore', decision), now: live };
      }
      return { ...result('keep', decision), now: live };
    case 'delete':
    case 'archive':
    case 'restore':
      return write(context, work, decision);
  }
}

/** Returns whether at least one part has its value from before the push again. */
function hasArrived({ session }: UndoContext, { known, begun, live }: Work): boolean {
  const { before } = known.stored;
  if (begun?.action !== 'restore' || !begun.from || !before || !live) return false;
  return isPartlyRestored(live, { before, from: begun.from }, session.collections);
}

async function write(
  context: UndoContext,
  work: Work,
  decision: UndoDecisionOf<'delete' | 'archive' | 'restore'>,
): Promise<UndoneProduct | null> {
  const { known, begun, turn, live } = work;
  const { reason, kind } = decision;
  const handsBack = kind === 'restore' && decision.handsBack;
  const mark = { action: kind, handsBack };
  // The product before the first attempt, without changes that others made between two attempts.
  const from = begun?.action === 'restore' ? begun.from : live;
  try {
    const begins = { known, from, mark, isFirst: begun === null };
    const written = await sendUndo({ ...context, turn }, begins, decision);
    if (written === 'changed') return null;
    const now = kind === 'delete' || live === null ? null : await context.read(live.id);
    if (written === 'written') return { ...result(kind, reason), handsBack, now };
    return partlyRestored(known, decision, written, now);
  } catch (error) {
    if (!(error instanceof StoreRefused) || error.scope === 'store') throw error;
    if (isDeletedProductError(error)) return null;
    // An earlier attempt has already restored other parts.
    if (hasArrived(context, work)) return partlyRestored(known, decision, error, live);
    return { ...result('keep', refusedBy(error, [])), now: live };
  }
}

const refusedBy = ({ message }: StoreRefused, kept: KeptPart[]): UndoReason => ({
  ...{ code: 'store-refused', parts: [], kept, message },
});

function partlyRestored(
  { stored }: ProductToUndo,
  decision: UndoDecisionOf<'delete' | 'archive' | 'restore'>,
  error: StoreRefused,
  now: UndoLive | null,
): UndoneProduct {
  const handsBack = decision.kind === 'restore' && decision.handsBack && now?.externalId !== stored.ourId;
  return { ...result('restore', refusedBy(error, decision.reason?.kept ?? [])), handsBack, now };
}

type LeftBehind = {
  /** The chunk that has taken the product over. */
  chunk: ChunkClaim;
  /** The import and the push run that were sending the product. Null if unknown. */
  importId: string | null;
  run: number | null;
  origin: 'undo' | 'gone';
  listing: VersionedListing;
};

/**
 * Resolves a write whose response was lost, by reading the product under our id. If the write arrived, it is recorded
 * so that it can be undone. If others' changes hide whether it arrived, only a write that created the product counts.
 */
export async function resolveLostWrite(
  db: Db,
  session: StoreSession,
  { chunk, importId, run, origin, listing }: LeftBehind,
): Promise<void> {
  const { shop, our_id: ourId, sending, sending_hash: sentHash, sending_source: source } = listing;
  if (!sending || !sentHash) return;
  const live = await findOurProduct(session.client, ourId, session);
  const baseline = listing.baseline as LiveProduct | null;
  const draft = sending as DraftProduct;
  const verdict = decideResend(live, { draft, baseline });
  // A product that we created stays ours even if others have changed it since.
  const isNew = verdict === 'skip' && live !== null && listing.store_product_id === null;
  if (!live || (verdict !== 'record' && !isNew)) {
    await endSending(db, { chunk }, { shop, ourId });
    return;
  }
  await db.transaction().execute(async (trx) => {
    if ((await lockClaims(trx, [chunk])).size === 0) throw new PublishStopped();
    const states = await insertPushedStates(trx, shop, [{ ourId, sentHash, importId, run }]);
    const arrived = { storeProductId: live.id, handle: live.handle, sent: arrivedOf(session, listing, live) };
    await recordSentListings(trx, shop, [{ ourId, ...arrived, sentHash, source }], states);
    await insertLedgerEntries(trx, [
      {
        ...{ origin, shop, our_id: ourId, import_id: importId, product: null, run },
        ...{ effect: listing.sending_kind === 'update' ? 'updated' : 'created', store_product_id: live.id },
        ...{ payload_hash: sentHash, cause: 'The response to the push was lost.' },
      },
    ]);
  });
}

/** Returns the draft that arrived. It lacks metafields and quantities whose separate calls may not have been made. */
function arrivedOf(session: StoreSession, listing: VersionedListing, live: LiveProduct): DraftProduct {
  const { pushed = null, sending } = toListingFacts(listing).listing ?? {};
  if (!sending) return listing.sending as DraftProduct;
  const unsetMetafields = { isStale: false, reason: 'not set', times: 1 };
  const written = findPendingMetafields({ ourId: listing.our_id, unsetMetafields }, pushed, sending, live);
  const draft = written?.draft ?? sending.draft;
  return findPendingQuantities({ store: session }, pushed, { ...sending, draft }, live)?.arrived ?? draft;
}
