import { closeSync, openSync, writeSync } from 'node:fs';

const words =
  'Oak Chair Lamp Rug Vase Table Mirror Shelf Candle Basket Frame Pillow Stool Bench Clock Tray'.split(' ');
const accented =
  'Chêne Sessel Lämpchen Teppich Bücherregal Kerze Körbchen Kissenhülle Théière Décor Größe'.split(' ');
const header = 'SKU,Title,Description,Price,Compare Price,Cost,Brand,UPC,Category,Qty,Image,Tags\n';

/**
 * Writes a product file of 12 columns; in one row of twenty a description has line ends and doubled quotes. The same
 * arguments give the same bytes.
 */
export function writeProductFile(file: string, rows: number, letters: 'ascii' | 'accented'): void {
  const vocabulary = letters === 'ascii' ? words : [...words, ...accented];
  let state = 7;
  const below = (max: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * max);
  };
  const text = (count: number) =>
    Array.from({ length: count }, () => vocabulary[below(vocabulary.length)]).join(' ');
  const descriptor = openSync(file, 'w');
  let lines = header;
  for (let row = 0; row < rows; row += 1) {
    const plain = text(12);
    const description = row % 20 === 0 ? `"${plain}\nwith ""quotes"", and more\n${plain}"` : plain;
    const prices = `${below(999)}.99,${below(999)}.49,${below(99)}.10`;
    const upc = String(10 ** 11 + below(10 ** 9));
    lines += `SKU-${row},${text(4)} ${row},${description},${prices},Acme ${row % 50},${upc},Home / ${text(1)},${below(99)},https://example.com/${row}.jpg,"a, b"\n`;
    if (lines.length < 1024 * 1024) continue;
    writeSync(descriptor, lines);
    lines = '';
  }
  writeSync(descriptor, lines);
  closeSync(descriptor);
}
