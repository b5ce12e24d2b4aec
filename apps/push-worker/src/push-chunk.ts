import type { Db } from '@draftshelf/core/connection/database';
import { lockForReading, setImportShop } from '@draftshelf/core/imports/imports';
import { findListings, isKnown, type VersionedListing } from '@draftshelf/core/push/listings';
import { readOutcomes } from '@draftshelf/core/push/outcomes';
import { readCarriedOut } from '@draftshelf/core/push/previews/push-undos';
import { type PushRun, readPushRun } from '@draftshelf/core/push/push-run';
import { type EffectiveRow, readProductRows } from '@draftshelf/core/review/effective-rows';
import type { ScannedVersion } from '@draftshelf/core/scanner/scanned-products';
import { withProductsOfNow } from '@draftshelf/core/scanner/store-values';
import { findStockChoice } from '@draftshelf/core/suppliers/supplier-pushes';
import { lockHeld, noteProgress } from '@draftshelf/core/work/claim-chunk';
import { completeChunk, ImportNotRunning } from '@draftshelf/core/work/complete-chunk';
import { pauseForStore } from '@draftshelf/core/work/import-actions';
import { noteLockedStore } from '@draftshelf/core/work/locked-store';
import { currentRows, type RunOfRows } from '@draftshelf/core/work/runs';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { keysOf, type ProductKey } from '@draftshelf/domain/products/product-keys';
import { isStorageUnavailable } from '@draftshelf/object-storage/object-errors';
import { type BuiltProduct, buildProducts } from '@draftshelf/publishing/build-product';
import type { Taker } from '@draftshelf/publishing/decision';
import { findTakers } from '@draftshelf/publishing/find-takers';
import {
  type ChoicesOfPush,
  matchProducts,
  type ProductMatch,
  readChoices,
  withMatch,
} from '@draftshelf/publishing/match-products';
import { PublishLater, PublishStopped } from '@draftshelf/publishing/publish-errors';
import { publishProduct } from '@draftshelf/publishing/publish-product';
import type { PublishRecord } from '@draftshelf/publishing/publish-record';
import type { PushRecorder } from '@draftshelf/publishing/push-recorder';
import { readBack } from '@draftshelf/publishing/read-back';
import type { OpenPhoto } from '@draftshelf/publishing/stage-photos';
import { ReleaseChunk, RetryLater, StageFailed } from '@draftshelf/queues/chunk-errors';
import type { ChunkWork } from '@draftshelf/queues/run-chunk';
import { findProductIds } from '@draftshelf/shopify/products';
import { StoreRefused, StoreUnavailable } from '@draftshelf/shopify/store-errors';
import { changeGone, undoLines } from './carry-out-chunk.ts';
import { allOrFirstError, type Build, buildNumbered, rangeOf } from './chunk-products.ts';
import type { PushStore } from './push-reads.ts';
import { type ReadStamp, sharedStamps } from './shared-stamps.ts';

/** Shorter waits are only shown on the import; a wait this long pauses it until the store accepts more. */
const pauseFromMs = 10 * 60 * 1000;

export type PushParts = {
  recorder: PushRecorder;
  /** Hosts that pictures may be on; empty: any. */
  imageHosts: readonly string[];
  openPhoto: OpenPhoto;
  openStore(work: ChunkWork, run: PushRun): Promise<PushStore>;
};

/**
 * A pause stops before the next product; products that are being sent are completed and recorded. A product that
 * already has an outcome in this run is skipped.
 */
export async function pushChunk(work: ChunkWork, parts: PushParts): Promise<void> {
  try {
    const run = await readPushRun(work.database.db, work.chunk);
    const store = await parts.openStore(work, run);
    const preview =
      run.carriesOut && (await readCarriedOut(work.database.db, work.import.id, work.chunk.run));
    if (preview?.kind === 'undo') await undoLines(work, store, preview);
    else if (preview) await changeGone(work, store, preview, parts.openPhoto);
    else await pushProducts(work, run, store, parts);
  } catch (error) {
    if (work.signal.aborted) throw new ReleaseChunk();
    throw await asChunkError(error, work);
  }
}

type PushContext = {
  work: ChunkWork;
  store: PushStore;
  recorder: PushRecorder;
  openPhoto: OpenPhoto;
  readAt: Date;
  /** By our id. */
  scanned: ReadonlyMap<string, ScannedVersion>;
  build: Build;
  listings: ReadonlyMap<string, VersionedListing>;
  /** Products that the store has under our id, although we have no listing. */
  unlisted: ReadonlyMap<string, string>;
  /** Products that the store has under another id. */
  matches: ReadonlyMap<string, ProductMatch>;
  /** The rows that take the matches of others. */
  takers: ReadonlyMap<string, Taker>;
  choices: ChoicesOfPush;
  readStamp: ReadStamp;
  /** Aborted when products that wait for their turn must not be sent. */
  signal: AbortSignal;
};

async function pushProducts(
  work: ChunkWork,
  run: PushRun,
  store: PushStore,
  { recorder, imageHosts, openPhoto }: PushParts,
) {
  const { chunk, import: record, database } = work;
  const { session } = store;
  const { db } = database;
  await setImportShop(db, record.id, session);
  const { products, readAt, scanned } = await readDue(work, run);
  await noteProgress(db, chunk, rangeOf(chunk).products - products.length);
  const options = { draftMode: run.draftMode, currency: session.currency, imageHosts };
  const build: Build = (grouped) => buildProducts(db, record, grouped, options);
  const built = await build(products);
  const ourIds = built.map(({ ourId }) => ourId);
  const listings = await findListings(db, session.shop, ourIds);
  const isFresh = (ourId: string) => {
    const listing = listings.get(ourId);
    return !listing || !isKnown(listing);
  };
  const unlisted = await findProductIds(session.client, ourIds.filter(isFresh));
  const unknown = built.filter(({ ourId }) => !unlisted.has(ourId));
  const match = (some: readonly BuiltProduct[]) =>
    matchProducts(db, session, record.id, some, { signal: work.signal, updatesCopy: true });
  const matches = await match(unknown);
  const { whenInStore, isChosen, sendNonOverlapping } = run;
  const stockChoice = await findStockChoice(db, record);
  const settings = { whenInStore, isChosen, sendNonOverlapping, stockChoice };
  const choices = { ...settings, choices: await readChoices(db, session.shop, ourIds, matches.values()) };
  const of = currentRows(record);
  const ofImport = { db, shop: session.shop, of, settings, match, build: buildNumbered(db, of, build) };
  const takers = await findTakers(ofImport, built, matches, choices);
  const stopping = new AbortController();
  const signal = AbortSignal.any([work.signal, stopping.signal]);
  const readStamp = sharedStamps(db, { record, run: chunk.run }, store.reads, signal);
  const shared = {
    ...{ work, store, recorder, openPhoto, readAt, scanned, build, listings },
    ...{ unlisted, matches, takers, choices, readStamp, signal },
  };
  const pushing = built.map((product) => pushProduct(shared, product));
  const written = await allOrFirstError(pushing, stopping);
  await readChunkBack(shared, new Set(written.flatMap((ourId) => ourId ?? [])));
  await db.transaction().execute((trx) => completeChunk(trx, chunk, {}));
}

/** Returns our id of the product if it was written. */
async function pushProduct(context: PushContext, product: BuiltProduct): Promise<string | null> {
  const { work, store, recorder, readAt, listings, unlisted, matches, choices, readStamp, signal } = context;
  const { import: record, chunk, database } = work;
  const { session, gate, reads } = store;
  const { number, ourId, built, source } = product;
  const found = listings.get(ourId) ?? null;
  let now = { product, scanned: context.scanned.get(ourId) };
  const rebuild = async () => {
    now = await readNow(context, now.product);
    return now.product;
  };
  const taker = context.takers.get(ourId);
  const unmatched = { ourId, built, source, found, idInStore: unlisted.get(ourId), taker };
  const matched = withMatch(unmatched, matches.get(ourId), choices);
  const toPublish = now.scanned ? { ...matched, rebuild } : matched;
  const recordsOf = { import: record, chunk, shop: session.shop };
  const published = await publishProduct(
    {
      ...{ db: database.db, session, sender: { chunk }, matchedAt: readAt, signal },
      openPhoto: context.openPhoto,
      enter: () => gate.enter(record.id, signal),
      read: async (id) => (await reads.live([id])).get(id) ?? null,
      readStamp: (id) => readStamp(number, id),
      record: ({ result, ...one }) => {
        const { note } = now.product;
        const keys = keysInStore(now.product, one.listing, found);
        const noted = { ...one, result: { ...result, message: result.message ?? note } };
        return recorder.record(recordsOf, {
          ...{ product: number, basedOn: readAt, keys, record: noted, scanned: now.scanned },
          hasMatchedId: toPublish.ourId !== ourId,
        });
      },
    },
    toPublish,
  );
  return published.written ? toPublish.ourId : null;
}

/** Includes the keys of variants that stay in the store although no row of them is sent. */
function keysInStore(
  { keys, source }: BuiltProduct,
  listing: PublishRecord['listing'],
  found: VersionedListing | null,
): ProductKey[] {
  if (source.leftOut === undefined && !source.options.isPartial) return keys;
  const sent = listing && 'sent' in listing ? listing.sent : found?.sent;
  return sent ? keysOf(sent as DraftProduct, source.rows) : keys;
}

async function readNow(
  { work: { import: record, database }, build }: PushContext,
  { number }: BuiltProduct,
): Promise<{ product: BuiltProduct; scanned: ScannedVersion | undefined }> {
  const { rows, versions } = await readValues(database.db, currentRows(record), {
    firstProduct: number,
    products: 1,
  });
  const [product] = await build([[number, rows]]);
  if (!product) throw new Error(`Product ${number} has no rows`);
  return { product, scanned: versions.get(product.ourId) };
}

const readValues = async (db: Db, of: RunOfRows, range: { firstProduct: number; products: number }) =>
  withProductsOfNow(db, of, await readProductRows(db, of, range));

/**
 * Returns the products that this run still has to decide, by number. Waits for an edit in progress, so that every
 * edit is either in the rows or later than `readAt`. `scanned`: products of the scanner's library, with the versions
 * in the rows.
 */
async function readDue(
  { chunk, import: record, database }: ChunkWork,
  { retry }: PushRun,
): Promise<{
  products: [number, EffectiveRow[]][];
  readAt: Date;
  scanned: Map<string, ScannedVersion>;
}> {
  const { db } = database;
  const of = currentRows(record);
  const range = rangeOf(chunk);
  const { rows, versions, readAt } = await db.transaction().execute(async (trx) => {
    const readAt = await lockForReading(trx, record.id);
    return { ...(await readValues(trx, of, range)), readAt };
  });
  const outcomes = await readOutcomes(db, of, range);
  const products = [...Map.groupBy(rows, (row) => row.product)]
    .filter(([number]) => {
      const before = outcomes.get(number);
      if (before?.run === chunk.run) return false;
      return !retry || (before !== undefined && retry.onlyOutcomes.includes(before.outcome));
    })
    .sort(([a], [b]) => a - b);
  return { products, readAt, scanned: versions };
}

/** Includes products that an earlier claim has written. */
async function readChunkBack({ work, store }: PushContext, written: ReadonlySet<string>): Promise<void> {
  const { import: record, chunk, database } = work;
  const outcomes = await readOutcomes(database.db, currentRows(record), rangeOf(chunk));
  const ourIds = [...outcomes.values()].map((outcome) => outcome.our_id);
  await readBack(database.db, store.session.shop, ourIds, {
    written,
    read: (products) => store.reads.back(products, record.id),
    // The next claim may have written these products since they were read.
    fence: (trx) => lockHeld(trx, chunk),
  });
}

async function asChunkError(
  error: unknown,
  { chunk, import: record, database }: ChunkWork,
): Promise<unknown> {
  if (error instanceof PublishStopped) return new ImportNotRunning(record.id, 'push');
  if (isStorageUnavailable(error)) {
    return new RetryLater('Object storage is unavailable.', { cause: error, tally: 'storage-errors' });
  }
  if (error instanceof PublishLater) return new RetryLater(error.message, { waitMs: error.waitMs });
  if (error instanceof StoreRefused) return new StageFailed(error.message, { cause: error });
  if (!(error instanceof StoreUnavailable) || error.reason === 'fault') return error;
  const { message, waitMs } = error;
  if (waitMs !== null && waitMs >= pauseFromMs) {
    const pause = (trx: Db) => pauseForStore(trx, chunk, { cause: message, waitMs });
    await database.db.transaction().execute(pause);
    return new ImportNotRunning(record.id, 'push');
  }
  if (error.reason === 'locked') {
    const note = (trx: Db) => noteLockedStore(trx, chunk, message);
    if (await database.db.transaction().execute(note)) return new ImportNotRunning(record.id, 'push');
  }
  // A wait of 0 (a store that throttles although it has points left) would be retried without a pause.
  return new RetryLater(message, { waitMs: waitMs || undefined, cause: error });
}
