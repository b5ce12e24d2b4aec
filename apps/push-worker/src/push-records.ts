import type { Db } from '@draftshelf/database/connection/database';
import { recordOutcomes } from '@draftshelf/database/push/outcomes';
import type { ChunkRecord, ImportRecord } from '@draftshelf/database/schema';
import type { ProductKey } from '@draftshelf/domain/product-keys';
import { type PublishRecord, storeRecords } from '@draftshelf/publishing/publish-record';

/** A record of a product of a push run. */
export type PushRecord = {
  product: number;
  basedOn: Date;
  keys: readonly ProductKey[];
  record: PublishRecord;
};

/**
 * Stores records of a push run in one transaction: outcomes, listings and ledger entries. Nothing is stored of a
 * product that another worker has decided in this run.
 */
export async function storePushRecords(
  trx: Db,
  of: { import: ImportRecord; chunk: Pick<ChunkRecord, 'run'>; shop: string },
  records: readonly PushRecord[],
): Promise<void> {
  const { id, rows_run } = of.import;
  const final = records.filter(({ record }) => record.isFinal);
  const recorded = await recordOutcomes(
    trx,
    { importId: id, rowsRun: rows_run, run: of.chunk.run },
    final.map(({ product, basedOn, record }) => ({
      product,
      basedOn,
      ourId: record.ourId,
      ...record.result,
    })),
  );
  await storeRecords(
    trx,
    of.shop,
    records
      .filter(({ product, record }) => !record.isFinal || recorded.has(product))
      .map(({ product, keys, record }) => ({
        record,
        keys,
        ledger: { origin: 'push', import_id: id, product, run: of.chunk.run },
      })),
  );
}
