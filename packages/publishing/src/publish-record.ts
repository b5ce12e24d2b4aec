import { type Db, isDatabaseUnavailable } from '@draftshelf/core/connection/database';
import type { ChunkRecord, ImportRecord } from '@draftshelf/core/connection/schema';
import { insertLedgerEntries, type LedgerEntry } from '@draftshelf/core/push/ledger';
import {
  type AdoptedListing,
  adoptListing,
  type NewBaseline,
  recordBaselines,
  recordSentListings,
  type SentListing,
} from '@draftshelf/core/push/listings';
import { recordOutcomes } from '@draftshelf/core/push/outcomes';
import { removeDoneChoices } from '@draftshelf/core/push/previews/push-choices';
import { type ArrivedWrite, insertPushedStates } from '@draftshelf/core/push/pushed-states';
import { endSendingOfProducts, lockClaims } from '@draftshelf/core/push/sending';
import { replaceProductKeys } from '@draftshelf/core/push/store/product-keys';
import {
  recordScannedSync,
  type ScannedSync,
  type ScannedVersion,
} from '@draftshelf/core/scanner/scanned-products';
import { setItemIds } from '@draftshelf/core/suppliers/items';
import type { Outcome, OutcomeCode } from '@draftshelf/domain/imports/outcome';
import type { ProductKey } from '@draftshelf/domain/products/product-keys';
import { PublishStopped } from './publish-errors.ts';

export type PublishResult = {
  outcome: Outcome;
  code: OutcomeCode | null;
  message: string | null;
  storeProductId: string | null;
};

export type PublishRecord = {
  ourId: string;
  result: PublishResult;
  payloadHash: string | null;
  cause: string | null;
  /** `sent`: the store has the payload. `ended`: the store lacks it. `seen`: a newer state of an unchanged product. */
  listing:
    | ({ kind: 'sent' } & Omit<SentListing, 'ourId'>)
    | { kind: 'ended' }
    | ({ kind: 'seen' } & Omit<NewBaseline, 'ourId'>)
    | ({ kind: 'adopted' } & Omit<AdoptedListing, 'ourId'>)
    | null;
  /** False if the product has arrived and is decided again: the caller does not count an outcome yet. */
  isFinal: boolean;
};

/** Returns a product's sync for the scanner, or null. `version` is null if a late write may have sent any version. */
export function toScannedSync(
  shop: string,
  { result: { outcome, storeProductId }, isFinal }: PublishRecord,
  version: number,
): ScannedSync | null {
  if (outcome === 'skipped' || outcome === 'failed' || storeProductId === null) return null;
  return { shop, version: isFinal ? version : null, storeProductId };
}

export type LedgerContext = Pick<LedgerEntry, 'origin' | 'import_id' | 'product' | 'run'>;

export type RecordToStore = { record: PublishRecord; ledger: LedgerContext; keys: readonly ProductKey[] };

/** Stores the listings, keys and ledger entries of records. Call it in the transaction that stores the outcomes. */
export async function storeRecords(trx: Db, shop: string, records: readonly RecordToStore[]): Promise<void> {
  const sorted = records.toSorted((a, b) => (a.record.ourId < b.record.ourId ? -1 : 1));
  const sent: SentListing[] = [];
  const ended: string[] = [];
  const seen: NewBaseline[] = [];
  const arrived: ArrivedWrite[] = [];
  for (const { record, ledger } of sorted) {
    const { ourId, listing } = record;
    if (listing?.kind === 'sent') {
      sent.push({ ourId, ...listing });
      const { import_id: importId = null, run = null } = ledger;
      arrived.push({ ourId, sentHash: listing.sentHash, importId, run });
    }
    if (listing?.kind === 'ended') ended.push(ourId);
    if (listing?.kind === 'seen') seen.push({ ourId, ...listing });
    if (listing?.kind === 'adopted') await adoptListing(trx, shop, { ourId, ...listing });
  }
  await recordSentListings(trx, shop, sent, await insertPushedStates(trx, shop, arrived));
  await endSendingOfProducts(trx, shop, ended);
  await recordBaselines(trx, shop, seen);
  const isInStore = ({ listing }: PublishRecord) => listing !== null && listing.kind !== 'ended';
  const carriedOut = sorted.flatMap(({ record }) =>
    record.isFinal && isInStore(record) ? [record.ourId] : [],
  );
  await removeDoneChoices(trx, shop, carriedOut);
  const keyed = records.flatMap(({ record, ledger: { import_id: importId = null }, keys }) =>
    isInStore(record) ? [{ ourId: record.ourId, importId, keys }] : [],
  );
  await replaceProductKeys(trx, shop, keyed);
  const entries = records.map(({ record, ledger }) => ({
    ...{ ...ledger, shop, our_id: record.ourId, payload_hash: record.payloadHash },
    ...{ effect: record.result.outcome, store_product_id: record.result.storeProductId },
    cause: record.cause ?? record.result.message,
  }));
  await insertLedgerEntries(trx, entries);
}

/** A push run and its claimed chunk: records are stored only while the claim is held. */
type PushOfRecords = { import: ImportRecord; chunk: ChunkRecord; shop: string };

type PushRecord = {
  product: number;
  basedOn: Date;
  keys: readonly ProductKey[];
  record: PublishRecord;
  /** Whether the product is published under the id of a match. */
  hasMatchedId: boolean;
  /** The scanned product and its version that the record is about. Undefined if the product is from a file. */
  scanned: ScannedVersion | undefined;
};

export type PushRecorder = {
  /** Resolves when the record is committed. Throws PublishStopped if the chunk's claim has been lost. */
  record(push: PushOfRecords, record: PushRecord): Promise<void>;
};

type Waiting = { push: PushOfRecords; record: PushRecord; resolve(): void; reject(error: unknown): void };

/** Maximum number of records per transaction. A transaction locks the import's row, for which all workers wait. */
const batchMax = 25;
const batchMsMax = 100;

/**
 * Returns a recorder that stores batches at most 100 ms after their first record, one batch per push run at a time. If
 * a record is lost with the process, its product stays `sending` and is later read from the store.
 */
export function createPushRecorder(db: Db): PushRecorder {
  const runs = new Map<string, Waiting[]>();
  const storing = new Set<string>();

  async function storeAll(run: string): Promise<void> {
    if (storing.has(run)) return;
    storing.add(run);
    try {
      for (;;) {
        const waiting = runs.get(run) ?? [];
        const batch = waiting.splice(0, batchMax);
        if (waiting.length === 0) runs.delete(run);
        if (batch.length === 0) return;
        await storeBatch(db, batch);
      }
    } finally {
      storing.delete(run);
    }
  }

  return {
    record(push, record) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const run = `${push.import.id} ${push.import.rows_run} ${push.chunk.run}`;
      const waiting = runs.get(run) ?? [];
      runs.set(run, waiting);
      waiting.push({ push, record, resolve, reject });
      if (waiting.length === 1) setTimeout(() => void storeAll(run), batchMsMax);
      if (waiting.length >= batchMax) void storeAll(run);
      return promise;
    },
  };
}

/** Stores a batch or, if that fails, its records one by one, so that a bad record does not stop the others. */
async function storeBatch(db: Db, batch: readonly Waiting[]): Promise<void> {
  try {
    const held = await storeHeld(db, batch);
    for (const { push, resolve, reject } of batch) {
      if (held.has(push.chunk)) resolve();
      else reject(new PublishStopped());
    }
  } catch (error) {
    if (batch.length <= 1 || isDatabaseUnavailable(error)) for (const { reject } of batch) reject(error);
    else for (const waiting of batch) await storeBatch(db, [waiting]);
  }
}

/** Stores the records of claims that are still held. Returns the chunks of those claims. */
async function storeHeld(db: Db, batch: readonly Waiting[]): Promise<Set<ChunkRecord>> {
  const push = batch[0]?.push;
  if (!push) throw new Error('An empty batch is stored');
  return db.transaction().execute(async (trx) => {
    const held = await lockClaims(trx, [...new Set(batch.map((waiting) => waiting.push.chunk))]);
    const records = batch.filter((waiting) => held.has(waiting.push.chunk)).map(({ record }) => record);
    if (records.length > 0) await storePushRecords(trx, push, records);
    return held;
  });
}

/** Stores records. Skips outcomes of products that another worker has already decided in this run. */
async function storePushRecords(
  trx: Db,
  { import: { id, rows_run }, chunk: { run }, shop }: PushOfRecords,
  records: readonly PushRecord[],
): Promise<void> {
  await recordScanned(trx, shop, records);
  const outcomes = records
    .filter(({ record }) => record.isFinal)
    .map(({ product, basedOn, record }) => ({ product, basedOn, ourId: record.ourId, ...record.result }));
  const recorded = await recordOutcomes(trx, { importId: id, rowsRun: rows_run, run }, outcomes);
  const matched = records.filter(
    ({ product, record, hasMatchedId }) =>
      hasMatchedId && recorded.has(product) && record.result.outcome !== 'skipped',
  );
  const named = matched.map(({ product, record: { ourId } }) => ({ product, ourId }));
  await setItemIds(trx, { import_id: id, run: rows_run }, named);
  const decided = records.filter(({ product, record }) => !record.isFinal || recorded.has(product));
  const toStore = decided.map(({ product, keys, record }): RecordToStore => {
    return { record, keys, ledger: { origin: 'push', import_id: id, product, run } };
  });
  await storeRecords(trx, shop, toStore);
}

/** Records syncs in the order of ids, the same in all transactions, so that they do not deadlock. */
async function recordScanned(trx: Db, shop: string, records: readonly PushRecord[]): Promise<void> {
  const syncs = records.flatMap(({ record, scanned }) => {
    const sync = scanned && toScannedSync(shop, record, scanned.version);
    return sync ? [{ id: scanned.id, sync }] : [];
  });
  for (const { id, sync } of syncs.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    await recordScannedSync(trx, id, sync);
  }
}
