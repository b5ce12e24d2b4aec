import { addToBatch, checkBatch } from '@draftshelf/contract/scanner/scanner';
import { findRowWithCode } from '@draftshelf/core/review/rows-with-code';
import { lockScannedProduct } from '@draftshelf/core/scanner/scanned-products';
import { addRefusal } from '@draftshelf/core/scanner/update-added-rows';
import { currentRows } from '@draftshelf/core/work/runs';
import type { StoreConnection } from '../access/store-connection.ts';
import type { ApiDatabases } from '../http/databases.ts';
import { type Api, serve } from '../http/serve.ts';
import { findImportOr404, readJob } from '../imports/read-jobs.ts';
import { addedOrRefusal, addedWords, sameSkuWords } from './added-words.ts';
import { scannedLibrary, scannedNotFound } from './scanned-library.ts';

type Deps = ApiDatabases & { store: StoreConnection };

/** Adding products of the scanner's library to imports. */
export function serveScannerBatches(api: Api, { database: { db }, changes, store }: Deps): void {
  const library = scannedLibrary(db, store);
  serve(api, addToBatch, async ({ params: { id }, body: { batchId } }) => {
    const added = await changes.db.transaction().execute(async (trx) => {
      const product = await lockScannedProduct(trx, id);
      if (!product) throw scannedNotFound();
      return addedOrRefusal(trx, product, { importId: batchId, field: 'batchId' });
    });
    const job = await readJob(db, added.import);
    return { success: true as const, message: addedWords(added), product: await library.product(id), job };
  });
  serve(api, checkBatch, async ({ params, query: { sku, product } }) => {
    const record = await findImportOr404(db, params.id);
    const refusal = addRefusal(record);
    const code = { column: 'sku', text: sku ?? '', except: product?.replaceAll('-', '') } as const;
    const row = sku && refusal === null ? await findRowWithCode(db, currentRows(record), code) : undefined;
    return { refusal, sameSku: row === undefined ? null : sameSkuWords(record.filename, row) };
  });
}
