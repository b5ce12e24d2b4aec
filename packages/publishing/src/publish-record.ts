import type { Db } from '@draftshelf/core/connection/database';
import { insertLedgerEntries, type LedgerEntry } from '@draftshelf/core/push/ledger';
import {
  type AdoptedListing,
  adoptListing,
  type ReadBaseline,
  recordBaselines,
  recordSent,
  type SentListing,
} from '@draftshelf/core/push/listings';
import { removeCarriedOut } from '@draftshelf/core/push/previews/push-choices';
import { type Arrived, insertStates } from '@draftshelf/core/push/pushed-states';
import { endSendingOf } from '@draftshelf/core/push/sending';
import { recordKeys } from '@draftshelf/core/push/store/product-keys';
import type { ScannedSync } from '@draftshelf/core/scanner/scanned-products';
import type { Outcome, OutcomeCode } from '@draftshelf/domain/imports/outcome';
import type { ProductKey } from '@draftshelf/domain/products/product-keys';

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
  /** `sent`: the store has the payload. `ended`: it does not. `seen`: a newer state of an unchanged product. */
  listing:
    | ({ kind: 'sent' } & Omit<SentListing, 'ourId'>)
    | { kind: 'ended' }
    | ({ kind: 'seen' } & Omit<ReadBaseline, 'ourId'>)
    | ({ kind: 'adopted' } & Omit<AdoptedListing, 'ourId'>)
    | null;
  /** False: the product has arrived and is decided again. The caller counts no outcome yet. */
  isFinal: boolean;
};

/** The version of a scanned product in the shop; null: unknown. A write that arrived late may have had any version. */
export function scannedSyncOf(
  shop: string,
  { result: { outcome, storeProductId }, isFinal }: PublishRecord,
  version: number,
): ScannedSync | null {
  if (outcome === 'skipped' || outcome === 'failed' || storeProductId === null) return null;
  return { shop, version: isFinal ? version : null, storeProductId };
}

export type LedgerOf = Pick<LedgerEntry, 'origin' | 'import_id' | 'product' | 'run'>;

export type RecordOfCaller = { record: PublishRecord; ledger: LedgerOf; keys: readonly ProductKey[] };

/** Stores the listings, keys and ledger entries of records. Call it in the transaction that stores the outcomes. */
export async function storeRecords(trx: Db, shop: string, records: readonly RecordOfCaller[]): Promise<void> {
  const sorted = records.toSorted((a, b) => (a.record.ourId < b.record.ourId ? -1 : 1));
  const sent: SentListing[] = [];
  const ended: string[] = [];
  const seen: ReadBaseline[] = [];
  const arrived: Arrived[] = [];
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
  await recordSent(trx, shop, sent, await insertStates(trx, shop, arrived));
  await endSendingOf(trx, shop, ended);
  await recordBaselines(trx, shop, seen);
  const isInStoreNow = ({ listing, isFinal }: PublishRecord) =>
    isFinal && listing && listing.kind !== 'ended';
  const carriedOut = sorted.flatMap(({ record }) => (isInStoreNow(record) ? [record.ourId] : []));
  await removeCarriedOut(trx, shop, carriedOut);
  const inStore = records.filter(({ record: { listing } }) => listing !== null && listing.kind !== 'ended');
  await recordKeys(
    trx,
    shop,
    inStore.map(({ record: { ourId }, ledger, keys }) => ({
      ourId,
      importId: ledger.import_id ?? null,
      keys,
    })),
  );
  await insertLedgerEntries(
    trx,
    records.map(({ record, ledger }) => ({
      ...ledger,
      shop,
      our_id: record.ourId,
      effect: record.result.outcome,
      store_product_id: record.result.storeProductId,
      payload_hash: record.payloadHash,
      cause: record.cause ?? record.result.message,
    })),
  );
}
