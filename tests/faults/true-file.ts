import { createHash } from 'node:crypto';
import { csvOf } from '../support/fixture.ts';

/** The expected result of a row of a test file, computed without the product. */
export type TrueRow = {
  row: number;
  class: 'valid' | 'warning' | 'error';
  title: string | null;
  price: string | null;
  sku: string;
  /** It has a UPC and lacks image and brand, so enrich processes it. */
  enrichable: boolean;
  /** The values that enrich finds in its description. */
  brand: string | null;
  cells: string[];
};

/** The expected result of a file. */
export type Truth = { rows: TrueRow[]; csv: string; count: Record<TrueRow['class'], number> };

const header = ['Title', 'Price', 'SKU', 'UPC', 'Description'];

/**
 * A file of `rows` products; `label` makes them different from those of other files in the same store, and `wordy`
 * their descriptions as long as a kilobyte.
 */
export function truthOf(label: string, rows: number, wordy = false): Truth {
  const all = Array.from({ length: rows }, (_, index) => trueRow(label, index + 1, wordy));
  const count = { valid: 0, warning: 0, error: 0 };
  for (const row of all) count[row.class] += 1;
  return { rows: all, csv: csvOf([header, ...all.map((row) => row.cells)]), count };
}

/** The expected result after edits of titles and prices; all edited rows then have a title and a price. */
export function withEdits(truth: Truth, edits: Record<number, { title?: string; price?: string }>): Truth {
  const count = { ...truth.count };
  const rows = truth.rows.map((row) => {
    const edit = edits[row.row];
    if (!edit) return row;
    count[row.class] -= 1;
    count.valid += 1;
    return { ...row, ...edit, class: 'valid' as const };
  });
  return { ...truth, rows, count };
}

/** Some cells with commas, quotes and line ends, some rows without price or without title and price. */
function trueRow(label: string, row: number, wordy: boolean): TrueRow {
  const named = row % 101 !== 0;
  const priced = row % 13 !== 0 && named;
  const title = row % 7 === 0 ? `Vase ${label} "No. ${row}", blue` : `Vase ${label} ${row}`;
  const price = `${(row % 500) + 1}.${String(row % 100).padStart(2, '0')}`;
  const brand = row % 4 === 0 ? `Maker ${row % 9}` : null;
  const sku = `${label}-${row}`;
  const upc = row % 3 === 0 ? '' : upcOf(label, row);
  const words = wordy ? ' Hand-made of blue glass.'.repeat(40) : '';
  const description = `A vase,\nnumber "${row}".${brand ? ` Brand: ${brand}.` : ''}${words}`;
  return {
    row,
    class: priced ? 'valid' : named ? 'warning' : 'error',
    title: named ? title : null,
    price: priced ? price : null,
    sku,
    enrichable: upc !== '',
    brand: upc === '' ? null : brand,
    cells: [named ? title : '', priced ? price : '', sku, upc, description],
  };
}

/** A valid UPC-A for a row of a file: equal ones in two files would be one product of the store. */
function upcOf(label: string, row: number): string {
  const ofLabel = createHash('sha256').update(label).digest().readUInt32BE() % 100_000;
  const digits = String(ofLabel).padStart(5, '0') + String(row).padStart(6, '0');
  let sum = 0;
  for (let at = 0; at < 11; at += 1) sum += Number(digits[at]) * (at % 2 === 0 ? 3 : 1);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
