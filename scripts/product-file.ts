import { closeSync, openSync, writeSync } from 'node:fs';
import { seededRandom } from '@draftshelf/csv/testing/random';

const words =
  'Oak Chair Lamp Rug Vase Table Mirror Shelf Candle Basket Frame Pillow Stool Bench Clock Tray'.split(' ');
const accented =
  'Chêne Sessel Lämpchen Teppich Bücherregal Kerze Körbchen Kissenhülle Théière Décor Größe'.split(' ');
const header = 'SKU,Title,Description,Price,Compare Price,Cost,Brand,UPC,Category,Qty,Image,Tags';

/** `accented`: with letters beyond ASCII; `quoted`: every cell is quoted, as many shops export them. */
export type ProductFileKind = 'ascii' | 'accented' | 'quoted';

/**
 * Writes a product file of 12 columns; in every twentieth row the description has line ends and doubled quotes. The
 * same arguments give the same bytes.
 */
export function writeProductFile(file: string, rows: number, kind: ProductFileKind): void {
  const vocabulary = kind === 'accented' ? [...words, ...accented] : words;
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => (kind === 'quoted' || /[",\n]/.test(cell) ? quoted(cell) : cell)).join(',')}\n`;
  const below = seededRandom(7);
  const text = (count: number) =>
    Array.from({ length: count }, () => vocabulary[below(vocabulary.length)]).join(' ');
  const descriptor = openSync(file, 'w');
  let lines = line(header.split(','));
  for (let row = 0; row < rows; row += 1) {
    const plain = text(12);
    const description = row % 20 === 0 ? `${plain}\nwith "quotes", and more\n${plain}` : plain;
    const prices = [`${below(999)}.99`, `${below(999)}.49`, `${below(99)}.10`];
    const upc = String(10 ** 11 + below(10 ** 9));
    const title = `${text(4)} ${row}`;
    const places = [`Home / ${text(1)}`, `${below(99)}`, `https://example.com/${row}.jpg`];
    lines += line([`SKU-${row}`, title, description, ...prices, `Acme ${row % 50}`, upc, ...places, 'a, b']);
    if (lines.length < 1024 * 1024) continue;
    writeSync(descriptor, lines);
    lines = '';
  }
  writeSync(descriptor, lines);
  closeSync(descriptor);
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
