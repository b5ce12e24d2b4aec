import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { findImport } from '@draftshelf/core/imports/imports';
import { until } from '../support/fixture.ts';

/** Filling the search of a million rows took 44 s on two busy cores. */
const tasksMsMax = 300_000;

/** The expected result of a file of `bigCsv`, computed without the product. */
export type TrueRow = { row: number; title: string; price: string; sku: string; cells: string[] };

/** Row n of the big file: some cells have commas, quotes and line ends. */
export function trueRow(row: number): TrueRow {
  const title = row % 7 === 0 ? `Vase "No. ${row}",\nblue` : `Vase ${row}`;
  const price = `${(row % 500) + 1}.${String(row % 100).padStart(2, '0')}`;
  const cells = [title, price, `SKU-${row}`, upcOf(row), `A vase, number ${row}.`];
  return { row, title, price, sku: `SKU-${row}`, cells };
}

/** A valid UPC-A for a row number. */
function upcOf(row: number): string {
  const digits = String(row).padStart(11, '0');
  let sum = 0;
  for (let at = 0; at < 11; at += 1) sum += Number(digits[at]) * (at % 2 === 0 ? 3 : 1);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** A file of `rows` products; each has a UPC and lacks image and brand, so enrich processes all of them. */
export function bigCsv(rows: number): string {
  const quote = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = ['Title,Price,SKU,UPC,Description'];
  for (let row = 1; row <= rows; row += 1) lines.push(trueRow(row).cells.map(quote).join(','));
  return `${lines.join('\n')}\n`;
}

/** All differences from the expected result, in words; empty if rows, products and counters are exactly right. */
export async function differences(database: OpenDatabase, importId: string, rows: number): Promise<string[]> {
  const wrong: string[] = [];
  const record = await findImport(database.db, importId);
  const expected = {
    status: 'processed',
    parsed_rows: rows,
    processed_products: rows,
    valid_products: rows,
    warning_products: 0,
    error_products: 0,
    open_chunks: 0,
    enrich_rows: rows,
    enriched_rows: rows,
  };
  for (const [column, value] of Object.entries(expected)) {
    const is = record?.[column as keyof typeof expected];
    if (is !== value) wrong.push(`${column} is ${is}, should be ${value}`);
  }
  let seen = 0;
  for (let after = 0; ; after += 10_000) {
    const page = await database.db
      .selectFrom('rows')
      .select(['row', 'title', 'price', 'sku', 'cells'])
      .where('import_id', '=', importId)
      .where('row', '>', after)
      .orderBy('row')
      .limit(10_000)
      .execute();
    for (const row of page) {
      seen += 1;
      if (JSON.stringify(row) !== JSON.stringify(trueRow(seen)) && wrong.length < 10) {
        wrong.push(`row ${seen} differs: ${JSON.stringify(row)}`);
      }
    }
    if (page.length < 10_000) break;
  }
  if (seen !== rows) wrong.push(`${seen} rows, should be ${rows}`);
  const open = () =>
    database.db
      .selectFrom('chunks')
      .select(['id', 'task', 'state'])
      .where('import_id', '=', importId)
      .where('state', '<>', 'done')
      .execute();
  // Search is filled once the rows are processed, which takes a while for a large file.
  const isOpen = ({ task, state }: { task: string | null; state: string }) =>
    task !== null && state !== 'dead';
  await until('the tasks have ended', async () => !(await open()).some(isOpen), tasksMsMax).catch(
    (error: Error) => wrong.push(error.message),
  );
  const left = await open();
  if (left.length > 0) wrong.push(`chunks left: ${JSON.stringify(left.slice(0, 5))}`);
  return wrong;
}
