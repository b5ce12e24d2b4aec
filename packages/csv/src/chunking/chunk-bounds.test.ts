import { expect, test } from 'vitest';
import { type ChunkBounds, createChunker } from './chunk-bounds.ts';

/** Chunks rows of 10 bytes each: a letter unlike the one before starts a product, '.' is an ignored row. */
function chunk(letters: string, options: { bytesMax?: number; rowsMax?: number }) {
  const chunks: ChunkBounds[] = [];
  const splitRows: number[] = [];
  const rowChunker = createChunker({ ...options, onChunk: (bounds) => chunks.push(bounds) });
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
  const rowChunker = createChunker({ onChunk: (bounds) => chunks.push(bounds) });
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
