import { completeChunk, ImportNotRunning } from '@draftshelf/database/chunks/complete-chunk';
import { readDraftMode, readRetry } from '@draftshelf/database/chunks/runs';
import type { Db } from '@draftshelf/database/connection/database';
import { lockForReading, recordShop } from '@draftshelf/database/imports/imports';
import {
  findListings,
  listWithoutBaseline,
  recordBaselines,
  type VersionedListing,
} from '@draftshelf/database/push/listings';
import { ourIdOf } from '@draftshelf/database/push/our-id';
import { readOutcomes } from '@draftshelf/database/push/outcomes';
import { recordStatesAfter } from '@draftshelf/database/push/pushed-states';
import { type EffectiveRow, readProductRows } from '@draftshelf/database/rows/effective-rows';
import type { ChunkRecord, ImportRecord } from '@draftshelf/database/schema';
import type { DraftProduct } from '@draftshelf/domain/draft-product';
import { pauseForStore } from '@draftshelf/imports/actions/import-actions';
import { noteLockedStore } from '@draftshelf/imports/actions/locked-store';
import { buildDraft } from '@draftshelf/publishing/build-draft';
import { PublishLater, PublishStopped } from '@draftshelf/publishing/publish-errors';
import { publishProduct } from '@draftshelf/publishing/publish-product';
import type { StoreSession } from '@draftshelf/publishing/store-session';
import { ReleaseChunk, RetryLater, StageFailed } from '@draftshelf/queues/chunk-errors';
import type { ChunkWork } from '@draftshelf/queues/run-chunk';
import type { CallGate } from '@draftshelf/shopify/call-gate';
import { findProductIds } from '@draftshelf/shopify/products';
import { isAsSent } from '@draftshelf/shopify/sending';
import { StoreRefused, StoreUnavailable } from '@draftshelf/shopify/store-errors';
import type { PushReads } from './push-reads.ts';
import type { PushRecorder } from './push-recorder.ts';

/** Shorter waits are only shown on the import; a wait this long pauses it until the store accepts more. */
const pauseFromMs = 10 * 60 * 1000;

/** What all chunks of a process share. */
export type PushParts = {
  openSession(signal: AbortSignal): Promise<StoreSession>;
  gate: CallGate;
  recorder: PushRecorder;
  readsOf(session: StoreSession): PushReads;
};

/**
 * Pushes a range of products to the store as drafts, as many at a time as the store's rate asks. A pause stops before
 * the next product; those that are being sent end and are recorded. A product that already has an outcome in this run
 * is not touched again.
 */
export async function pushChunk(work: ChunkWork, parts: PushParts): Promise<void> {
  try {
    const session = await parts.openSession(work.signal);
    await pushProducts(work, parts, session);
  } catch (error) {
    if (work.signal.aborted) throw new ReleaseChunk();
    throw await asChunkError(error, work);
  }
}

/** The value of scd.import_source. It is constant, so that pushing the same file from another import changes nothing. */
const importSource = 'draftshelf';

type PushContext = {
  work: ChunkWork;
  parts: PushParts;
  session: StoreSession;
  reads: PushReads;
  draftMode: boolean;
  readAt: Date;
  listings: ReadonlyMap<string, VersionedListing>;
  /** Products of this chunk that the store has under our id, although no listing here says so. */
  unlisted: ReadonlyMap<string, string>;
  /** Aborted when products that wait for their turn must not be sent. */
  signal: AbortSignal;
};

async function pushProducts(work: ChunkWork, parts: PushParts, session: StoreSession) {
  const { chunk, import: record, connection } = work;
  const { db } = connection;
  await recordShop(db, record.id, session);
  const { products, readAt } = await readDue(db, record, chunk);
  const draftMode = await readDraftMode(db, record.id, chunk.run);
  const ourIds = products.flatMap(([, rows]) => (rows[0] ? [ourIdOf(record, rows[0])] : []));
  const listings = await findListings(db, session.shop, ourIds);
  const isKnown = (ourId: string) => {
    const listing = listings.get(ourId);
    return listing !== undefined && (listing.store_product_id !== null || listing.sending !== null);
  };
  const unknown = ourIds.filter((ourId) => !isKnown(ourId));
  const unlisted = await findProductIds(session.client, unknown);
  const stopping = new AbortController();
  const signal = AbortSignal.any([work.signal, stopping.signal]);
  const reads = parts.readsOf(session);
  const context = { work, parts, session, reads, draftMode, readAt, listings, unlisted, signal };
  const written = await allOrFirstError(
    products.map(([number, rows]) => pushProduct(context, number, rows)),
    stopping,
  );
  await readBack(context, new Set(written.flatMap((ourId) => ourId ?? [])));
  await db.transaction().execute((trx) => completeChunk(trx, chunk, {}));
}

/** Waits for all, also after an error: products that are being sent end. Throws the first error. */
async function allOrFirstError<T>(works: readonly Promise<T>[], stopping: AbortController): Promise<T[]> {
  let first: { error: unknown } | undefined;
  const settled = await Promise.allSettled(
    works.map((one) =>
      one.catch((error: unknown) => {
        first ??= { error };
        stopping.abort(new PublishStopped());
        throw error;
      }),
    ),
  );
  if (first) throw first.error;
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** Returns our id of the product if it was written. */
async function pushProduct(
  context: PushContext,
  number: number,
  rows: readonly EffectiveRow[],
): Promise<string | null> {
  const { work, parts, session, reads, draftMode, readAt, listings, unlisted, signal } = context;
  const { import: record, chunk } = work;
  const [first] = rows;
  if (!first) throw new Error(`Product ${number} has no rows`);
  const ourId = ourIdOf(record, first);
  const source = {
    rows: rows.map((row) => row.values),
    options: { draftMode, importSource, currency: session.currency },
  };
  const built = buildDraft(source.rows, source.options);
  const recordsOf = { import: record, chunk, shop: session.shop };
  const published = await publishProduct(
    {
      db: work.database.db,
      session,
      sender: { chunk },
      enter: () => parts.gate.enter(record.id, signal),
      read: async (id) => (await reads.live([id])).get(id) ?? null,
      readStamp: async (id) => (await reads.stamps([id])).get(id) ?? null,
      record: (one) => parts.recorder.record(recordsOf, { product: number, basedOn: readAt, record: one }),
    },
    { ourId, built, source, idInStore: unlisted.get(ourId), match: null, found: listings.get(ourId) ?? null },
  );
  return published.written ? ourId : null;
}

/**
 * The products of a chunk that this run still has to decide, by number, with their rows and the time when these were
 * read. Waits for an edit in progress, so that every edit is either in the rows or later than `readAt`.
 */
async function readDue(
  db: Db,
  record: ImportRecord,
  chunk: ChunkRecord,
): Promise<{ products: [number, EffectiveRow[]][]; readAt: Date }> {
  const range = rangeOf(chunk);
  const { rows, readAt } = await db.transaction().execute(async (trx) => {
    const readAt = await lockForReading(trx, record.id);
    return { rows: await readProductRows(trx, record, range), readAt };
  });
  const outcomes = await readOutcomes(db, record, range);
  const retry = await readRetry(db, record.id, chunk.run);
  const products = [...Map.groupBy(rows, (row) => row.product)]
    .filter(([number]) => {
      const before = outcomes.get(number);
      if (before?.run === chunk.run) return false;
      return !retry || (before !== undefined && retry.onlyOutcomes.includes(before.outcome));
    })
    .sort(([a], [b]) => a - b);
  return { products, readAt };
}

const rangeOf = (chunk: ChunkRecord) => ({
  firstProduct: chunk.first_product ?? 1,
  products: chunk.products ?? 0,
});

/**
 * Reads what the store now has of the products that were written: the baseline for drift and undo. What another worker
 * wrote becomes a baseline only if it still has our values: a merchant may have changed it since.
 */
async function readBack({ work, session, reads }: PushContext, written: ReadonlySet<string>) {
  const { import: record, chunk, database } = work;
  const { db } = database;
  const outcomes = await readOutcomes(db, record, rangeOf(chunk));
  const ourIds = [...outcomes.values()].map((outcome) => outcome.our_id);
  const pushed = await listWithoutBaseline(db, session.shop, ourIds);
  const live = await reads.back(
    pushed.map((one) => ({ id: one.store_product_id, sent: one.sent as DraftProduct })),
  );
  const read = pushed.flatMap((listing) => {
    const baseline = live.get(listing.store_product_id);
    const isOurs =
      baseline && (written.has(listing.our_id) || isAsSent(baseline, listing.sent as DraftProduct));
    return isOurs ? [{ ourId: listing.our_id, baseline }] : [];
  });
  await recordStatesAfter(db, session.shop, read);
  await recordBaselines(db, session.shop, read);
}

/** Turns an error of the store's client into what it means for the chunk. */
async function asChunkError(error: unknown, { import: record, connection }: ChunkWork): Promise<unknown> {
  if (error instanceof PublishStopped) return new ImportNotRunning(record.id, 'push');
  if (error instanceof PublishLater) return new RetryLater(error.message, { waitMs: error.waitMs });
  if (error instanceof StoreRefused) {
    return new StageFailed(error.message, { cause: error });
  }
  if (!(error instanceof StoreUnavailable) || error.reason === 'fault') return error;
  if (error.waitMs !== null && error.waitMs >= pauseFromMs) {
    await pauseForStore(connection.db, record.id, {
      cause: error.message,
      resumeAt: new Date(Date.now() + error.waitMs),
    });
    return new ImportNotRunning(record.id, 'push');
  }
  if (error.reason === 'locked' && (await noteLockedStore(connection.db, record.id, error.message))) {
    return new ImportNotRunning(record.id, 'push');
  }
  // A wait of 0 (a store that throttles although it has points left) would be retried without a pause.
  return new RetryLater(error.message, { waitMs: error.waitMs || undefined, cause: error });
}
