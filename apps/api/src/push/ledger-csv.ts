import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { ourIdOf } from '@draftshelf/core/imports/our-id';
import { type LedgerLine, pageLedger } from '@draftshelf/core/push/ledger';
import {
  type EffectiveRow,
  findRowsOfProducts,
  readRowsByNumber,
} from '@draftshelf/core/review/effective-rows';
import { currentRows } from '@draftshelf/core/work/runs';

/** How many entries are held in memory at a time. */
const linesAtATime = 200;

const header = [
  'Time (UTC)',
  'Store',
  'Push',
  'Product',
  'Title',
  'SKU',
  'Result',
  'Reason',
  'Store product ID',
  'Our product ID',
  'Payload fingerprint',
];

const results: Record<string, string> = {
  created: 'Created in the store',
  updated: 'Updated in the store',
  unchanged: 'Nothing to change',
  skipped: 'Skipped, nothing written',
  failed: 'Refused by the store',
};

/**
 * The ledger of an import as the records of a CSV file: the header, then one line for each result of each product, by
 * product and time. Title and SKU are those that the row has now.
 */
export async function* readLedgerCsv(db: Db, record: ImportRecord): AsyncGenerator<string[]> {
  yield header;
  let after = { product: 0, id: 0 };
  for (;;) {
    const lines = await pageLedger(db, record.id, { after, limit: linesAtATime });
    const rows = await firstRows(db, record, lines);
    for (const line of lines) yield lineOf(line, rows.get(line.our_id));
    const last = lines.at(-1);
    if (!last || lines.length < linesAtATime) return;
    after = { product: last.product, id: last.id };
  }
}

/**
 * The first row of each product by our id: after a re-read, the numbers of older entries are those of other products.
 */
async function firstRows(
  db: Db,
  record: ImportRecord,
  lines: readonly LedgerLine[],
): Promise<Map<string, EffectiveRow>> {
  const products = [...new Set(lines.map(({ product }) => product))].sort((a, b) => a - b);
  const found = await findRowsOfProducts(db, currentRows(record), products);
  const numbers = found.flatMap(({ rows }) => (rows[0] === undefined ? [] : [rows[0]]));
  const rows = await readRowsByNumber(db, currentRows(record), numbers);
  return new Map(rows.map((row) => [ourIdOf(record, row), row]));
}

function lineOf(line: LedgerLine, row: EffectiveRow | undefined): string[] {
  const { store_product_id: id } = line;
  return [
    line.recorded_at.toISOString().slice(0, 19).replace('T', ' '),
    line.shop,
    line.run === null ? 'Single call' : String(line.run),
    String(line.product),
    row?.values.title ?? '',
    row?.values.sku ?? row?.values.itemNumber ?? '',
    results[line.effect] ?? line.effect,
    line.cause ?? '',
    id === null ? '' : id.slice(id.lastIndexOf('/') + 1),
    line.our_id,
    line.payload_hash?.slice(0, 12) ?? '',
  ];
}
