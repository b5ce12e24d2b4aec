import { completeChunk, ImportNotRunning } from '@draftshelf/database/chunks/complete-chunk';
import { readRetry } from '@draftshelf/database/chunks/runs';
import type { Db } from '@draftshelf/database/connection/database';
import { readPictureFacts } from '@draftshelf/database/enrich/picture-facts';
import { lockForReading, readStatus, recordShop } from '@draftshelf/database/imports/imports';
import { findListed, listWithoutBaseline, recordBaseline } from '@draftshelf/database/push/listings';
import { ourIdOf } from '@draftshelf/database/push/our-id';
import { readOutcomes } from '@draftshelf/database/push/outcomes';
import { type EffectiveRow, readProductRows } from '@draftshelf/database/rows/effective-rows';
import type { ChunkRecord, ImportRecord } from '@draftshelf/database/schema';
import { readSettings } from '@draftshelf/database/settings';
import type { DraftProduct } from '@draftshelf/domain/draft-product';
import { pauseForStore } from '@draftshelf/imports/actions/import-actions';
import { ReleaseChunk, RetryLater, StageFailed } from '@draftshelf/queues/chunk-errors';
import type { ChunkWork } from '@draftshelf/queues/run-chunk';
import { findProductIds, readProducts } from '@draftshelf/shopify/products';
import { isAsSent } from '@draftshelf/shopify/sending';
import { StoreRefused, StoreUnavailable } from '@draftshelf/shopify/store-errors';
import { type PushContext, pushProduct } from './push-product.ts';
import type { StoreSession } from './store-session.ts';

/** Shorter waits are only shown on the import; a wait this long pauses it until the store accepts more. */
const pauseFromMs = 10 * 60 * 1000;

/**
 * Pushes a range of products to the store as drafts, one after the other. Checks before each product that the import is
 * still running. A product that already has an outcome in this run is not touched again.
 */
export async function pushChunk(
  work: ChunkWork,
  deps: { openSession(signal: AbortSignal): Promise<StoreSession>; imageHosts: readonly string[] },
): Promise<void> {
  try {
    const session = await deps.openSession(work.signal);
    await pushProducts(work, session, deps.imageHosts);
  } catch (error) {
    if (work.signal.aborted) throw new ReleaseChunk();
    throw await asChunkError(error, work);
  }
}

async function pushProducts(
  { chunk, import: record, connection, signal }: ChunkWork,
  session: StoreSession,
  hosts: readonly string[],
) {
  const { db } = connection;
  if (record.shop !== session.shop) await recordShop(db, record.id, session.shop);
  const { products, readAt } = await readDue(db, record, chunk);
  const { draftMode } = await readSettings(db);
  const context: PushContext = {
    db,
    chunk,
    import: record,
    session,
    draftMode,
    rowsReadAt: readAt,
    pictures: {
      hosts,
      ...(await readPictureFacts(
        db,
        record,
        products.flatMap(([, rows]) => rows),
      )),
    },
    notes: new Map(),
    written: new Set(),
    unlisted: await findUnlisted(
      db,
      session,
      products.flatMap(([, rows]) => (rows[0] ? [ourIdOf(record, rows[0])] : [])),
    ),
  };
  for (const [number, rows] of products) {
    if (signal.aborted) throw new ReleaseChunk();
    if ((await readStatus(db, record.id)) !== 'uploading') throw new ImportNotRunning(record.id, 'push');
    await pushProduct(context, number, rows);
  }
  await readBack(context, rangeOf(chunk));
  await db.transaction().execute((trx) => completeChunk(trx, chunk, {}));
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
  { db, import: record, session, written }: PushContext,
  range: { firstProduct: number; products: number },
) {
  const outcomes = await readOutcomes(db, record, range);
  const ourIds = [...outcomes.values()].map((outcome) => outcome.our_id);
  const pushed = await listWithoutBaseline(db, session.shop, ourIds);
  const live = await readProducts(
    session.client,
    pushed.map((listing) => listing.store_product_id),
  );
  for (const listing of pushed) {
    const baseline = live.get(listing.store_product_id);
    if (!baseline) continue;
    if (!written.has(listing.our_id) && !isAsSent(baseline, listing.sent as DraftProduct)) continue;
    await recordBaseline(db, { shop: session.shop, ourId: listing.our_id, baseline });
  }
}

/** Turns an error of the store's client into what it means for the chunk. */
async function asChunkError(error: unknown, { import: record, connection }: ChunkWork): Promise<unknown> {
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
