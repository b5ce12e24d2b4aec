import { completeChunk, ImportNotRunning } from '@draftshelf/database/chunks/complete-chunk';
import { readRetry } from '@draftshelf/database/chunks/runs';
import type { Db } from '@draftshelf/database/connection/database';
import { lockForReading, readStatus, recordShop } from '@draftshelf/database/imports/imports';
import { findListed, listWithoutBaseline, recordBaselines } from '@draftshelf/database/push/listings';
import { ourIdOf } from '@draftshelf/database/push/our-id';
import { readOutcomes } from '@draftshelf/database/push/outcomes';
import { type EffectiveRow, readProductRows } from '@draftshelf/database/rows/effective-rows';
import type { ChunkRecord, ImportRecord } from '@draftshelf/database/schema';
import { readSettings } from '@draftshelf/database/settings';
import type { DraftProduct } from '@draftshelf/domain/draft-product';
import { pauseForStore } from '@draftshelf/imports/actions/import-actions';
import { buildDraft, importSource } from '@draftshelf/publishing/build-draft';
import { PublishLater, PublishStopped } from '@draftshelf/publishing/publish-errors';
import { publishProduct } from '@draftshelf/publishing/publish-product';
import type { StoreSession } from '@draftshelf/publishing/store-session';
import { ReleaseChunk, RetryLater, StageFailed } from '@draftshelf/queues/chunk-errors';
import type { ChunkWork } from '@draftshelf/queues/run-chunk';
import { findProductIds, readProducts } from '@draftshelf/shopify/products';
import { isAsSent } from '@draftshelf/shopify/sending';
import { StoreRefused, StoreUnavailable } from '@draftshelf/shopify/store-errors';
import { storePushRecords } from './push-records.ts';

/** Shorter waits are only shown on the import; a wait this long pauses it until the store accepts more. */
const pauseFromMs = 10 * 60 * 1000;

/**
 * Pushes a range of products to the store as drafts, one after the other. Checks before each product that the import is
 * still running. A product that already has an outcome in this run is not touched again.
 */
export async function pushChunk(
  work: ChunkWork,
  deps: { openSession(work: ChunkWork): Promise<StoreSession> },
): Promise<void> {
  try {
    const session = await deps.openSession(work);
    await pushProducts(work, session);
  } catch (error) {
    if (work.signal.aborted) throw new ReleaseChunk();
    throw await asChunkError(error, work);
  }
}

type PushContext = {
  work: ChunkWork;
  session: StoreSession;
  draftMode: boolean;
  readAt: Date;
  /** Products of this chunk that the store has under our id, although no listing here says so. */
  unlisted: ReadonlyMap<string, string>;
  /** Our ids of products whose writes were answered in this chunk: the next read shows the result of our write. */
  written: Set<string>;
};

async function pushProducts(work: ChunkWork, session: StoreSession) {
  const { chunk, import: record, connection, signal } = work;
  const { db } = connection;
  if (record.shop !== session.shop) await recordShop(db, record.id, session.shop);
  const { products, readAt } = await readDue(db, record, chunk);
  const { draftMode } = await readSettings(db);
  const ourIds = products.flatMap(([, rows]) => (rows[0] ? [ourIdOf(record, rows[0])] : []));
  const unlisted = await findUnlisted(db, session, ourIds);
  const context: PushContext = { work, session, draftMode, readAt, unlisted, written: new Set() };
  for (const [number, rows] of products) {
    if (signal.aborted) throw new ReleaseChunk();
    if ((await readStatus(db, record.id)) !== 'uploading') throw new ImportNotRunning(record.id, 'push');
    await pushProduct(context, number, rows);
  }
  await readBack(context, rangeOf(chunk));
  await db.transaction().execute((trx) => completeChunk(trx, chunk, {}));
}

async function pushProduct(context: PushContext, number: number, rows: readonly EffectiveRow[]) {
  const { work, session, draftMode, readAt, unlisted, written } = context;
  const [first] = rows;
  if (!first) throw new Error(`Product ${number} has no rows`);
  const { db } = work.connection;
  const ourId = ourIdOf(work.import, first);
  const options = { draftMode, importSource, currency: work.import.currency };
  const built = buildDraft(
    rows.map((row) => row.values),
    options,
  );
  const published = await publishProduct(
    {
      db,
      session,
      sender: { chunk: work.chunk },
      record: (record) =>
        db
          .transaction()
          .execute((trx) =>
            storePushRecords(trx, { import: work.import, chunk: work.chunk, shop: session.shop }, [
              { product: number, basedOn: readAt, record },
            ]),
          ),
    },
    { ourId, built, idInStore: unlisted.get(ourId) },
  );
  if (published.written) written.add(ourId);
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

/** Products that the store has under our id, although this database has not recorded them. */
async function findUnlisted(
  db: Db,
  session: StoreSession,
  ourIds: readonly string[],
): Promise<Map<string, string>> {
  const listed = await findListed(db, session.shop, ourIds);
  return findProductIds(
    session.client,
    ourIds.filter((ourId) => !listed.has(ourId)),
  );
}

/**
 * Reads what the store now has of the products that were written: the baseline for drift and undo. What another worker
 * wrote becomes a baseline only if it still has our values: a merchant may have changed it since.
 */
async function readBack(
  { work, session, written }: PushContext,
  range: { firstProduct: number; products: number },
) {
  const { import: record, connection } = work;
  const { db } = connection;
  const outcomes = await readOutcomes(db, record, range);
  const ourIds = [...outcomes.values()].map((outcome) => outcome.our_id);
  const pushed = await listWithoutBaseline(db, session.shop, ourIds);
  const live = await readProducts(
    session.client,
    pushed.map((listing) => listing.store_product_id),
  );
  const read = pushed.flatMap((listing) => {
    const baseline = live.get(listing.store_product_id);
    const isOurs =
      baseline && (written.has(listing.our_id) || isAsSent(baseline, listing.sent as DraftProduct));
    return isOurs ? [{ ourId: listing.our_id, baseline }] : [];
  });
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
  // A wait of 0 (a store that throttles although it has points left) would be retried without a pause.
  return new RetryLater(error.message, { waitMs: error.waitMs || undefined, cause: error });
}
