import { completeChunk, ImportNotRunning } from '@draftshelf/database/chunks/complete-chunk';
import { readRetry } from '@draftshelf/database/chunks/runs';
import type { Db } from '@draftshelf/database/connection/database';
import { lockForReading, readStatus, recordShop } from '@draftshelf/database/imports/imports';
import { findListed, listWithoutBaseline, recordBaselines } from '@draftshelf/database/push/listings';
import { readMatchChoice } from '@draftshelf/database/push/match-choice';
import { ourIdOf } from '@draftshelf/database/push/our-id';
import { readOutcomes } from '@draftshelf/database/push/outcomes';
import { type EffectiveRow, readProductRows } from '@draftshelf/database/rows/effective-rows';
import type { ChunkRecord, ImportRecord } from '@draftshelf/database/schema';
import { readSettings } from '@draftshelf/database/settings';
import type { StoreMatch } from '@draftshelf/database/store/product-keys';
import { copyProducts } from '@draftshelf/database/store/store-products';
import type { DraftProduct, DraftResult } from '@draftshelf/domain/draft-product';
import type { MatchChoice } from '@draftshelf/domain/preferences';
import { keysOf, type ProductKey } from '@draftshelf/domain/product-keys';
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
import { copyOf } from '@draftshelf/shopify/store-pages';
import { matchProducts, withMatch } from './match-products.ts';
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
  readAt: Date;
  /** Products of this chunk that the store has under our id, although no listing here says so. */
  unlisted: ReadonlyMap<string, string>;
  /** Products of this chunk that the store has under another id. */
  matches: ReadonlyMap<string, StoreMatch>;
  whenInStore: MatchChoice;
  /** Our ids of products whose writes were answered in this chunk: the next read shows the result of our write. */
  written: Set<string>;
};

async function pushProducts(work: ChunkWork, session: StoreSession) {
  const { chunk, import: record, connection, signal } = work;
  const { db } = connection;
  if (record.shop !== session.shop) await recordShop(db, record.id, session.shop);
  const { products, readAt } = await readDue(db, record, chunk);
  const { draftMode } = await readSettings(db);
  const built = products.flatMap(([number, rows]) =>
    rows[0] ? [buildProduct(record, number, rows, draftMode)] : [],
  );
  const listed = await findListed(
    db,
    session.shop,
    built.map(({ ourId }) => ourId),
  );
  const fresh = built.filter(({ ourId }) => !listed.has(ourId));
  const unlisted = await findProductIds(
    session.client,
    fresh.map(({ ourId }) => ourId),
  );
  const unknown = built.filter(({ ourId }) => !unlisted.has(ourId));
  const matches = await matchProducts(db, session, record.id, unknown);
  const whenInStore = await readMatchChoice(db, { import_id: record.id, run: chunk.run });
  const written = new Set<string>();
  const context: PushContext = { work, session, readAt, unlisted, matches, whenInStore, written };
  for (const product of built) {
    if (signal.aborted) throw new ReleaseChunk();
    if ((await readStatus(db, record.id)) !== 'uploading') throw new ImportNotRunning(record.id, 'push');
    await pushProduct(context, product);
  }
  await readBack(context, rangeOf(chunk));
  await db.transaction().execute((trx) => completeChunk(trx, chunk, {}));
}

/** A product of the chunk: its draft or why there is none, and its keys. */
type BuiltProduct = { number: number; ourId: string; built: DraftResult; keys: ProductKey[] };

function buildProduct(
  record: ImportRecord,
  number: number,
  rows: readonly EffectiveRow[],
  draftMode: boolean,
): BuiltProduct {
  const [first] = rows;
  if (!first) throw new Error(`Product ${number} has no rows`);
  const values = rows.map((row) => row.values);
  const built = buildDraft(values, { draftMode, importSource, currency: record.currency });
  const keys = built.ok ? keysOf(built.product, values) : [];
  return { number, ourId: ourIdOf(record, first), built, keys };
}

async function pushProduct(context: PushContext, { number, ourId, built, keys }: BuiltProduct) {
  const { work, session, readAt, unlisted, matches, whenInStore, written } = context;
  const { db } = work.connection;
  const product = withMatch(
    { ourId, built, idInStore: unlisted.get(ourId) },
    matches.get(ourId),
    whenInStore,
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
              { product: number, basedOn: readAt, keys, record },
            ]),
          ),
    },
    product,
  );
  if (published.written) written.add(product.ourId);
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
  await copyProducts(db, session.shop, [...live.values()].map(copyOf));
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
