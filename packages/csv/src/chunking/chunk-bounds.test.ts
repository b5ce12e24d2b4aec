import { expect, test } from 'vitest';
import type { Dialect } from '../dialect.ts';
import { readLimitsDefault as limits } from '../limits.ts';
import { type DataRow, readRows, readTable } from '../read-table.ts';
import { type ChunkBounds, chunker } from './chunk-bounds.ts';

/** Chunks rows of 10 bytes each: a letter unlike the one before starts a product, '.' is an ignored row. */
function chunk(letters: string, options: { bytesMax?: number; rowsMax?: number }) {
  const chunks: ChunkBounds[] = [];
  const splitRows: number[] = [];
  const rowChunker = chunker({ ...options, onChunk: (bounds) => chunks.push(bounds) });
  [...letters].forEach((letter, index) => {
    const byteFrom = 100 + index * 10;
    const splits = rowChunker.add({
      row: index + 1,
      line: index + 2,
      byteFrom,
      byteTo: byteFrom + 10,
      startsProduct: letter !== '.' && letter !== letters.slice(0, index).replaceAll('.', '').at(-1),
      ignored: letter === '.',
    });
    if (splits) splitRows.push(index + 1);
  });
  rowChunker.end();
  return { chunks, splitRows, totals: rowChunker.totals() };
}

test('chunks have bytes, line, row and product', () => {
  const { chunks, totals } = chunk('aabcd', { rowsMax: 3 });
  expect(chunks).toEqual([
    { byteFrom: 100, byteTo: 130, firstLine: 2, firstRow: 1, rows: 3, firstProduct: 1, products: 2 },
    { byteFrom: 130, byteTo: 150, firstLine: 5, firstRow: 4, rows: 2, firstProduct: 3, products: 2 },
  ]);
  expect(totals).toEqual({ rows: 5, products: 4 });
});

test('rows before the first product are in its chunk and do not count as a product', () => {
  const chunks: ChunkBounds[] = [];
  const rowChunker = chunker({ onChunk: (bounds) => chunks.push(bounds) });
  for (const row of [1, 2, 3]) {
    rowChunker.add({
      row,
      line: row + 1,
      byteFrom: row * 10,
      byteTo: row * 10 + 10,
      startsProduct: row > 1,
      ignored: row === 1,
    });
  }
  rowChunker.end();
  expect(chunks).toEqual([
    { byteFrom: 10, byteTo: 40, firstLine: 2, firstRow: 1, rows: 3, firstProduct: 1, products: 2 },
  ]);
  expect(rowChunker.totals()).toEqual({ rows: 3, products: 2 });
});

test.each([
  ['before a product that no longer fits, by rows', 'aabbcc', { rowsMax: 3 }, [2, 2, 2]],
  ['before a product that no longer fits, by bytes', 'abbbcd', { bytesMax: 40 }, [4, 2]],
  ['exactly full', 'abcdef', { bytesMax: 30 }, [3, 3]],
  ['a product larger than a chunk stays whole', 'abbbbbc', { rowsMax: 2 }, [1, 5, 1]],
  ['a product of far too many bytes is split', 'abbbbbbc', { bytesMax: 10 }, [1, 4, 2, 1]],
  ['nothing', '', {}, []],
])('%s', (_name, letters, options, rows) => {
  expect(chunk(letters, options).chunks.map((bounds) => bounds.rows)).toEqual(rows);
});

test('a product of far too many rows is split, counts twice, and the caller learns where', () => {
  const { chunks, splitRows, totals } = chunk('a'.repeat(13), { rowsMax: 2 });
  expect(chunks.map(({ rows, firstProduct, products }) => [rows, firstProduct, products])).toEqual([
    [8, 1, 1],
    [5, 2, 1],
  ]);
  expect(splitRows).toEqual([9]);
  expect(totals).toEqual({ rows: 13, products: 2 });
});

test('ignored rows that no longer fit after their product make chunks without products', () => {
  const { chunks, splitRows, totals } = chunk(`a${'.'.repeat(11)}b`, { rowsMax: 1 });
  expect(chunks.map(({ rows, firstProduct, products }) => [rows, firstProduct, products])).toEqual([
    [4, 1, 1],
    [4, 2, 0],
    [4, 2, 0],
    [1, 2, 1],
  ]);
  expect(splitRows).toEqual([5, 9]);
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

test('the chunks, read one by one, give the rows of the whole file', () => {
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
    const chunks: ChunkBounds[] = [];
    const rowChunker = chunker({ rowsMax, onChunk: (bounds) => chunks.push(bounds) });
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
        rowChunker.add({
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
    rowChunker.end();

    for (const { byteFrom, byteTo, firstLine, firstRow, rows } of chunks) {
      const before = parts.length;
      const reader = readRows({
        dialect,
        limits,
        headers,
        startByte: byteFrom,
        startLine: firstLine,
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
