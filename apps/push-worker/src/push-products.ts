import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { lockAgainstEdits, setImportShop } from '@draftshelf/core/imports/imports';
import { findListings, isSentOrBeingSent, type VersionedListing } from '@draftshelf/core/push/listings';
import { readOutcomes } from '@draftshelf/core/push/outcomes';
import type { PushRun } from '@draftshelf/core/push/push-run';
import { refreshDefinitions } from '@draftshelf/core/push/store/metafield-definitions';
import { readProductRows } from '@draftshelf/core/review/effective-rows';
import type { ScannedVersion } from '@draftshelf/core/scanner/scanned-products';
import { applyCurrentProducts } from '@draftshelf/core/scanner/store-values';
import { findStockChoice } from '@draftshelf/core/suppliers/supplier-pushes';
import { storeProductProgress } from '@draftshelf/core/work/claim-chunk';
import { currentRows, type RunOfRows, readParseRun } from '@draftshelf/core/work/runs';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { keysOf, type ProductKey } from '@draftshelf/domain/products/product-keys';
import {
  type BuildProducts,
  type BuiltProduct,
  buildProducts,
  createBuildByNumber,
} from '@draftshelf/publishing/build-product';
import { matchImport } from '@draftshelf/publishing/match-import';
import { matchProducts } from '@draftshelf/publishing/match-products';
import type { ProductToPublish } from '@draftshelf/publishing/publish-context';
import { publishProduct } from '@draftshelf/publishing/publish-product';
import type { PublishRecord, PushRecorder } from '@draftshelf/publishing/publish-record';
import type { OpenPhoto } from '@draftshelf/publishing/stage-photos';
import type { StoreSession } from '@draftshelf/publishing/store-session';
import type { ChunkWork } from '@draftshelf/queues/run-chunk';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import { readProductDefinitions } from '@draftshelf/shopify/product-definitions';
import { findProductIds } from '@draftshelf/shopify/products';
import { carryOutChunk, getProductRange } from './carry-out.ts';
import { createStampReader, type PushStore, type ReadStamp } from './push-reads.ts';

export type PushProductsDeps = {
  recorder: PushRecorder;
  /** Allowed hosts of pictures. Empty if all hosts are allowed. */
  imageHosts: readonly string[];
  openPhoto: OpenPhoto;
};

type PushContext = Pick<PushProductsDeps, 'recorder' | 'openPhoto'> & {
  work: ChunkWork;
  store: PushStore;
  readAt: Date;
  /** Versions of scanned products, by our id. */
  scanned: ReadonlyMap<string, ScannedVersion>;
  build: BuildProducts;
  listings: ReadonlyMap<string, VersionedListing>;
  matched: (product: BuiltProduct) => ProductToPublish;
  readStamp: ReadStamp;
  /** Aborted if products that wait for their turn must no longer be sent. */
  signal: AbortSignal;
};

/** Pushes the products of a chunk. Skips products that already have an outcome in this run. */
export async function pushProducts(
  work: ChunkWork,
  run: PushRun,
  store: PushStore,
  { recorder, imageHosts, openPhoto }: PushProductsDeps,
): Promise<void> {
  const { chunk, import: record, database } = work;
  const { session } = store;
  const { shop } = session;
  const { db } = database;
  await setImportShop(db, record.id, session);
  await definitionsOfRun(db, record, { run: chunk.run, session });
  const { products, readAt, scanned } = await readDue(work, run);
  await storeProductProgress(db, chunk, getProductRange(chunk).products - products.length);
  const options = { draftMode: run.draftMode, currency: session.currency, imageHosts };
  const build: BuildProducts = (grouped) => buildProducts(db, record, grouped, options);
  const built = await build(products);
  const ourIds = built.map(({ ourId }) => ourId);
  const listings = await findListings(db, shop, ourIds);
  const fresh = ourIds.filter((ourId) => !isSentOrBeingSent(listings.get(ourId)));
  const inStore = await findProductIds(session.client, fresh);
  const of = currentRows(record);
  const { whenInStore, isChosen, sendNonOverlapping } = run;
  const stockChoice = await findStockChoice(db, record);
  const ofImport = {
    ...{ db, shop, of, build: createBuildByNumber(db, of, build) },
    settings: { whenInStore, isChosen, sendNonOverlapping, stockChoice },
    match: (some: readonly BuiltProduct[]) =>
      matchProducts(db, session, record.id, some, { signal: work.signal, updatesCopy: true }),
  };
  const matched = await matchImport(ofImport, built, { listings, inStore });
  const shared = { work, store, recorder, openPhoto, readAt, scanned, build, listings, matched };
  const push = (signal: AbortSignal) => {
    const readStamp = createStampReader(db, { record, run: chunk.run }, store.reads, signal);
    return built.map((product) => pushProduct({ ...shared, readStamp, signal }, product));
  };
  await carryOutChunk(work, store, push, async () => {
    const outcomes = await readOutcomes(db, of, getProductRange(chunk));
    return [...outcomes.values()].map((outcome) => outcome.our_id);
  });
}

/** Pushes a product. Returns the id under which it was published if it was written, else null. */
async function pushProduct(context: PushContext, product: BuiltProduct): Promise<string | null> {
  const { work, store, recorder, openPhoto, readAt, readStamp, signal } = context;
  const { import: record, chunk, database } = work;
  const { session, gate, reads } = store;
  const { number, ourId } = product;
  const found = context.listings.get(ourId) ?? null;
  let now = { product, scanned: context.scanned.get(ourId) };
  const rebuild = async () => {
    now = await readNow(context, now.product);
    return now.product;
  };
  const matched = context.matched(product);
  const toPublish = now.scanned ? { ...matched, rebuild } : matched;
  const recordsOf = { import: record, chunk, shop: session.shop };
  const published = await publishProduct(
    {
      ...{ db: database.db, session, sender: { chunk }, matchedAt: readAt, signal, openPhoto },
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

/** Returns the product's keys, even of variants that stay in the store although none of their rows is sent. */
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
  applyCurrentProducts(db, of, await readProductRows(db, of, range));

/**
 * Returns the products that this run still has to decide, by number. Waits for an edit in progress, so that every edit
 * is either in the rows or later than `readAt`. `versions`: products of the scanner's library, with their versions in
 * the rows.
 */
async function readDue({ chunk, import: record, database }: ChunkWork, { retry }: PushRun) {
  const { db } = database;
  const of = currentRows(record);
  const range = getProductRange(chunk);
  const { rows, versions, readAt } = await db.transaction().execute(async (trx) => {
    const readAt = await lockAgainstEdits(trx, record.id);
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

type Read = { of: string; done: Promise<void> };

const latest = new WeakMap<ShopifyClient, Read>();

/** Reads the store's metafield definitions once per run and worker. Throws what the request throws. */
async function definitionsOfRun(
  db: Db,
  record: ImportRecord,
  { run, session: { client, shop } }: { run: number; session: StoreSession },
): Promise<void> {
  const of = `${record.id} ${run}`;
  const before = latest.get(client);
  if (before?.of === of) return before.done;
  const read = async () => {
    const { mapping } = await readParseRun(db, currentRows(record));
    if (mapping.metafields?.length) await refreshDefinitions(db, shop, await readProductDefinitions(client));
  };
  const entry = { of, done: read() };
  latest.set(client, entry);
  entry.done.catch(() => latest.get(client) === entry && latest.delete(client));
  return entry.done;
}
