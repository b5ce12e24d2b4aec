import { getFailedRows, getLedger, getPushSeries, getReport } from '@draftshelf/contract/imports/report';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { deriveOurId } from '@draftshelf/core/imports/our-id';
import { type LedgerLine, readLedgerPage } from '@draftshelf/core/push/ledger';
import { type MissedProduct, readMissedProducts, readRowCells } from '@draftshelf/core/push/missed-products';
import {
  type EffectiveRow,
  findRowsOfProducts,
  readRowsByNumber,
} from '@draftshelf/core/review/effective-rows';
import { currentRows, hasRunEnded, readParseRun } from '@draftshelf/core/work/runs';
import { errorColumnName } from '@draftshelf/csv/own-download';
import { finalStatuses } from '@draftshelf/domain/imports/import-status';
import { conflict } from '../http/refusal.ts';
import type { Api } from '../http/serve.ts';
import { requireUnchangedImport, serveCsv } from '../imports/serve-csv.ts';
import { serveImport, serveSnapshot } from '../imports/serve-import.ts';
import { readImportPushSeries, readReport } from './read-report.ts';

export function serveReport(api: Api): void {
  const { db } = api;
  serveSnapshot(api, getReport, async (trx, record) => {
    const isOver = (finalStatuses as readonly string[]).includes(record.status);
    if (!isOver && !(await hasRunEnded(trx, currentRows(record)))) {
      throw conflict('The file is still being processed, so there’s no report yet.');
    }
    return readReport(trx, record);
  });
  serveImport(api, getPushSeries, async ({ record }) => ({ series: await readImportPushSeries(db, record) }));
  // The CSV is too large for memory, so rows are streamed as they are read, as fast as the client receives them.
  serveCsv(api, getFailedRows, 'failed rows', ({ record }) => {
    if (record.skipped + record.failed === 0) throw conflict('No products were skipped or failed.');
    if (record.rows_removed_at !== null)
      throw conflict('The rows of this import were removed. Choose Read Again first.');
    return readFailedRows(db, record);
  });
  serveCsv(api, getLedger, 'ledger', ({ record }) => readLedgerCsv(db, record));
}

const linesAtATime = 200;

const results: Record<string, string> = {
  created: 'Created in the store',
  updated: 'Updated in the store',
  unchanged: 'Nothing to change',
  skipped: 'Skipped, nothing written',
  failed: 'Refused by the store',
};

const columns: [string, (line: LedgerLine, row: EffectiveRow | undefined) => string][] = [
  ['Time (UTC)', ({ recorded_at }) => recorded_at.toISOString().slice(0, 19).replace('T', ' ')],
  ['Store', ({ shop }) => shop],
  ['Push', ({ run }) => (run === null ? 'Single call' : String(run))],
  ['Product', ({ product }) => String(product)],
  ['Title', (_line, row) => row?.values.title ?? ''],
  ['SKU', (_line, row) => row?.values.sku ?? row?.values.itemNumber ?? ''],
  ['Result', ({ effect }) => results[effect] ?? effect],
  ['Reason', ({ cause }) => cause ?? ''],
  ['Store product ID', ({ store_product_id: id }) => (id === null ? '' : id.slice(id.lastIndexOf('/') + 1))],
  ['Our product ID', ({ our_id }) => our_id],
  ['Payload fingerprint', ({ payload_hash }) => payload_hash?.slice(0, 12) ?? ''],
];

/** Yields the ledger as CSV records by product and time, with the current title and SKU. */
async function* readLedgerCsv(db: Db, record: ImportRecord): AsyncGenerator<string[]> {
  yield columns.map(([name]) => name);
  let after = { product: 0, id: 0 };
  for (;;) {
    const lines = await readLedgerPage(db, record.id, { after, limit: linesAtATime });
    const rows = await firstRows(db, record, lines);
    for (const line of lines) yield columns.map(([, textOf]) => textOf(line, rows.get(line.our_id)));
    const last = lines.at(-1);
    if (!last || lines.length < linesAtATime) return;
    after = { product: last.product, id: last.id };
  }
}

/** Finds first rows by our id: after a re-read, the product numbers in older entries may mean other products. */
async function firstRows(
  db: Db,
  record: ImportRecord,
  lines: readonly LedgerLine[],
): Promise<Map<string, EffectiveRow>> {
  const products = [...new Set(lines.map(({ product }) => product))].sort((a, b) => a - b);
  const found = await findRowsOfProducts(db, currentRows(record), products);
  const numbers = found.flatMap(({ rows }) => (rows[0] === undefined ? [] : [rows[0]]));
  const rows = await readRowsByNumber(db, currentRows(record), numbers);
  return new Map(rows.map((row) => [deriveOurId(record, row), row]));
}

/** Limits of what is in memory at a time. A single row may exceed the limit of bytes. */
const productsAtATime = 200;
const rowsAtATime = 200;
const bytesAtATime = 2 * 1024 * 1024;

const unexplained: Record<MissedProduct['outcome'], string> = { skipped: 'Skipped', failed: 'Failed' };

/** Yields rows of skipped and failed products with the reason, as CSV. Throws if the import changes in the meantime. */
async function* readFailedRows(db: Db, record: ImportRecord): AsyncGenerator<string[]> {
  const of = currentRows(record);
  const { headers } = await readParseRun(db, of);
  yield [...headers, errorColumnName];
  for (let after = 0; ; ) {
    const missed = await readMissedProducts(db, of, { after, limit: productsAtATime });
    const reasons = new Map(
      missed.map(({ product, message, outcome }) => [product, message ?? unexplained[outcome]]),
    );
    for (const part of inParts(await findRowsOfProducts(db, of, [...reasons.keys()]))) {
      for (const { product, cells } of await readRowCells(db, of, part)) {
        yield withReason(cells, headers.length, reasons.get(product) ?? '');
      }
    }
    await requireUnchangedImport(db, record, 'failed rows', ['rows_run', 'push_run']);
    if (missed.length < productsAtATime) return;
    after = missed.at(-1)?.product ?? after;
  }
}

function withReason(cells: readonly string[], columns: number, reason: string): string[] {
  const missing = Array.from({ length: Math.max(0, columns - cells.length) }, () => '');
  return [...cells.slice(0, columns), ...missing, reason, ...cells.slice(columns)];
}

/** Splits rows into parts that fit into memory. The rows of one product may fill several parts. */
function inParts(products: readonly { rows: number[]; bytes: number }[]): number[][] {
  const parts: number[][] = [];
  let part: number[] | undefined;
  let partBytes = 0;
  for (const { rows, bytes } of products) {
    for (const row of rows) {
      if (!part || part.length === rowsAtATime || partBytes > bytesAtATime) {
        part = [];
        partBytes = 0;
        parts.push(part);
      }
      part.push(row);
      partBytes += bytes / rows.length;
    }
  }
  return parts;
}
