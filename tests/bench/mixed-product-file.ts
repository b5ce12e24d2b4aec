import { closeSync, openSync, writeSync } from 'node:fs';
import { seededRandom } from '@draftshelf/csv/testing/random';

/** Search texts for the file of mixed rows. */
export const sought = {
  /** In two of seven rows. */
  common: 'lamp',
  /** In one of 20,000 rows. */
  rare: 'zephyr',
  /** In no row of the first nine tenths, and in all others. */
  late: 'clearance',
  nowhere: 'kwyjibo',
} as const;

const words = 'Oak Chair Lamp Rug Vase Table Mirror Shelf Candle Basket Frame Pillow Stool Bench'.split(' ');
const lineBreaks = 1024 * 1024;

/** The SKU and the UPC's twelve digits of a row; no other row has these digits. */
export function numbersOf(row: number): { sku: string; upc: string } {
  // Visits all ten-digit numbers without repetition, because the step and their count are coprime.
  const scattered = (BigInt(row) * 6_180_339_887n) % 10_000_000_000n;
  const digits = `1${String(scattered).padStart(10, '0')}`;
  return { sku: `SKU-${String(row).padStart(7, '0')}`, upc: digits + checkDigit(digits) };
}

/**
 * Writes a product file of 12 columns with rows of every class: one of 50 has no price, one of 500 no title, one of
 * 5,000 neither, and one of 100 a wrong check digit. The same arguments give the same bytes.
 */
export function writeMixedProductFile(file: string, rows: number): void {
  const below = seededRandom(7);
  const text = (count: number) => Array.from({ length: count }, () => words[below(words.length)]).join(' ');
  const descriptor = openSync(file, 'w');
  let lines = 'SKU,Title,Description,Price,Compare Price,Cost,Brand,UPC,Category,Qty,Image,Tags\n';
  for (let row = 1; row <= rows; row += 1) {
    const { sku, upc } = numbersOf(row);
    const rare = row % 20_000 === 0 ? ' Zephyr' : '';
    const late = row > rows * 0.9 ? ' Clearance' : '';
    const title = row % 500 === 250 ? '' : `${text(4)}${rare}${late} ${row}`;
    const price = row % 50 === 25 || row % 5000 === 250 ? '' : `${below(999)}.99`;
    const code = row % 100 === 60 ? `${upc.slice(0, -1)}${(Number(upc.at(-1)) + 1) % 10}` : upc;
    lines += `${sku},${title},${text(12)},${price},${below(999)}.49,${below(99)}.10,Acme ${row % 50},${code},Home / ${text(1)},${below(99)},https://example.com/${row}.jpg,"a, b"\n`;
    if (lines.length < lineBreaks) continue;
    writeSync(descriptor, lines);
    lines = '';
  }
  writeSync(descriptor, lines);
  closeSync(descriptor);
}

/** GS1 General Specifications, 7.9: weights 3 and 1 from the right. */
function checkDigit(digits: string): number {
  const sum = [...digits].reduceRight((sum, digit, at) => {
    const weight = (digits.length - at) % 2 === 1 ? 3 : 1;
    return sum + weight * Number(digit);
  }, 0);
  return (10 - (sum % 10)) % 10;
}
