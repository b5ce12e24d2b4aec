import { expect, test } from 'vitest';
import type { Dialect } from '../dialect.ts';
import { readLimitsDefault as limits } from '../limits.ts';
import { type DataRow, readRows, readTable } from '../read-table.ts';
import { type ChunkBounds, chunker } from './chunk-bounds.ts';

/** Cuts rows of 10 bytes each; a letter that differs from the one before starts a product, a point is ignored. */
function cut(letters: string, options: { bytesMax?: number; rowsMax?: number }) {
  const cuts: ChunkBounds[] = [];
  const broken: number[] = [];
  const cutting = chunker({ ...options, onChunk: (made) => cuts.push(made) });
  [...letters].forEach((letter, index) => {
    const byteFrom = 100 + index * 10;
    const breaks = cutting.add({
      row: index + 1,
      line: index + 2,
      byteFrom,
      byteTo: byteFrom + 10,
      startsProduct: letter !== '.' && letter !== letters.slice(0, index).replaceAll('.', '').at(-1),
      ignored: letter === '.',
    });
    if (breaks) broken.push(index + 1);
  });
  cutting.end();
  return { cuts, broken, totals: cutting.totals() };
}

test('cuts know bytes, line, row and product', () => {
  const { cuts, totals } = cut('aabcd', { rowsMax: 3 });
  expect(cuts).toEqual([
    { byteFrom: 100, byteTo: 130, firstLine: 2, firstRow: 1, rows: 3, firstProduct: 1, products: 2 },
    { byteFrom: 130, byteTo: 150, firstLine: 5, firstRow: 4, rows: 2, firstProduct: 3, products: 2 },
  ]);
  expect(totals).toEqual({ rows: 5, products: 4 });
});

test('rows before the first product are in its cut and are no product', () => {
  const cuts: ChunkBounds[] = [];
  const cutting = chunker({ onChunk: (made) => cuts.push(made) });
  for (const row of [1, 2, 3]) {
    cutting.add({
      row,
      line: row + 1,
      byteFrom: row * 10,
      byteTo: row * 10 + 10,
      startsProduct: row > 1,
      ignored: row === 1,
    });
  }
  cutting.end();
  expect(cuts).toEqual([
    { byteFrom: 10, byteTo: 40, firstLine: 2, firstRow: 1, rows: 3, firstProduct: 1, products: 2 },
  ]);
  expect(cutting.totals()).toEqual({ rows: 3, products: 2 });
});

test.each([
  ['before a product that no longer fits, by rows', 'aabbcc', { rowsMax: 3 }, [2, 2, 2]],
  ['before a product that no longer fits, by bytes', 'abbbcd', { bytesMax: 40 }, [4, 2]],
  ['exactly full', 'abcdef', { bytesMax: 30 }, [3, 3]],
  ['a product larger than a cut stays whole', 'abbbbbc', { rowsMax: 2 }, [1, 5, 1]],
  ['a product of far too many bytes does not', 'abbbbbbc', { bytesMax: 10 }, [1, 4, 2, 1]],
  ['nothing', '', {}, []],
])('%s', (_name, letters, options, rows) => {
  expect(cut(letters, options).cuts.map((made) => made.rows)).toEqual(rows);
});

test('a product of far too many rows is cut apart, counts twice, and whoever groups is told', () => {
  const { cuts, broken, totals } = cut('a'.repeat(13), { rowsMax: 2 });
  expect(cuts.map(({ rows, firstProduct, products }) => [rows, firstProduct, products])).toEqual([
    [8, 1, 1],
    [5, 2, 1],
  ]);
  expect(broken).toEqual([9]);
  expect(totals).toEqual({ rows: 13, products: 2 });
});

test('ignored rows that no longer fit behind their product make cuts without products', () => {
  const { cuts, broken, totals } = cut(`a${'.'.repeat(11)}b`, { rowsMax: 1 });
  expect(cuts.map(({ rows, firstProduct, products }) => [rows, firstProduct, products])).toEqual([
    [4, 1, 1],
    [4, 2, 0],
    [4, 2, 0],
    [1, 2, 1],
  ]);
  expect(broken).toEqual([5, 9]);
  expect(totals).toEqual({ rows: 13, products: 2 });
});

const hardRows = [
  'sku-1,plain,1',
  'sku-2,"two\nlines, ""quoted""",2',
  '',
  ',,',
  'sku-3,"never closed,3',
  'sku-4,"Best" Chair,4',
  'sku,name,price',
  'sku-5,Stühle 茶 🪑,5',
  'Total,,15',
  '"sku-6,"open, too",6',
];

test('the cuts, read one by one, give the rows of the whole file', () => {
  const dialect: Dialect = { encoding: 'utf-8', delimiter: ',', quote: '"', bomBytes: 3, headerRecord: 1 };
  const body = Array.from(
    { length: 300 },
    (_, index) => hardRows[(index * 7 + (index >> 3)) % hardRows.length],
  );
  const bytes = new TextEncoder().encode(`\uFEFFStock list\nsku,name,price\n${body.join('\r\n')}`);
  const copy = ({ row, ignored, record }: DataRow) => ({
    row,
    ignored,
    bytes: [record.byteFrom, record.byteTo],
    line: record.line,
    cells: record.cells(),
    issues: [...record.issues],
  });

  for (const rowsMax of [1, 2, 7, 50, 1000]) {
    const whole: ReturnType<typeof copy>[] = [];
    const parts: ReturnType<typeof copy>[] = [];
    const cuts: ChunkBounds[] = [];
    const cutting = chunker({ rowsMax, onChunk: (made) => cuts.push(made) });
    let headers: string[] = [];
    const scanner = readTable({
      dialect,
      limits,
      onHeader: (names) => {
        headers = names;
      },
      onRow: (data) => {
        const { byteFrom, byteTo, line } = data.record;
        whole.push(copy(data));
        cutting.add({
          row: data.row,
          line,
          byteFrom,
          byteTo,
          startsProduct: data.row % 3 !== 0,
          ignored: false,
        });
      },
    });
    scanner.push(bytes);
    scanner.end();
    cutting.end();

    for (const { byteFrom, byteTo, firstLine, firstRow, rows } of cuts) {
      const before = parts.length;
      const reader = readRows({
        dialect,
        limits,
        headers,
        startByte: byteFrom,
        startStack: firstLine,
        firstRow,
        onRow: (data) => {
          parts.push(copy(data));
        },
      });
      reader.push(bytes.subarray(byteFrom, byteTo));
      reader.end();
      expect(parts.length - before).toBe(rows);
    }
    expect(whole.length).toBeGreaterThan(200);
    expect(parts).toEqual(whole);
  }
});
