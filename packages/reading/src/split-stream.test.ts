import { ReadLimitError, readLimitsDefault } from '@draftshelf/csv/limits';
import { readFile } from '@draftshelf/csv/read-file';
import { readRows } from '@draftshelf/csv/read-table';
import { createGrouper, groupingOf } from '@draftshelf/domain/products/grouping';
import { mapHeaders } from '@draftshelf/domain/reading/mapping/header-mapping';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import { expect, test } from 'vitest';
import { type SplitFile, splitStream } from './split-stream.ts';

function readInPieces(text: string, pieceBytes: number): SplitFile | undefined {
  const bytes = Buffer.from(text);
  const reading = splitStream({ limits: readLimitsDefault });
  for (let at = 0; at < bytes.length; at += pieceBytes) reading.push(bytes.subarray(at, at + pieceBytes));
  return reading.end();
}

const grouped = [
  'Handle;Title;Variant Price;Option1 Value',
  'mug;Mug;5,00;Red',
  'mug;;5,00;Blue',
  ';;;Green',
  'jug;Jug;7,00;',
  '',
  'Total;;12,00;',
].join('\r\n');

test.each([1, 7, 64, 1_000_000])('pieces of %i bytes give the same rows and chunks', (pieceBytes) => {
  const read = readInPieces(grouped, pieceBytes);
  expect(read?.dialect.delimiter).toBe(';');
  expect(read?.headers).toEqual(['Handle', 'Title', 'Variant Price', 'Option1 Value']);
  expect(read?.whole).toEqual({
    rows: 5,
    products: 2,
    productNumbers: 2,
    cuts: [
      {
        byteFrom: 42,
        byteTo: Buffer.byteLength(grouped),
        firstLine: 2,
        firstRow: 1,
        rows: 5,
        firstProduct: 1,
        products: 2,
      },
    ],
  });
  expect(read?.test).toMatchObject({ rows: 3, products: 1, cuts: [{ rows: 3, byteFrom: 42, byteTo: 86 }] });
});

test.each([
  ['Handle', 'Title', 'SKU', 'Price'],
  ['Parent SKU', 'Title', 'SKU', 'Price'],
  ['Handle', 'Parent SKU', 'Title', 'SKU', 'Price'],
])('the few cells that are decoded give the same groups as all cells: %s, %s, %s', (...headers) => {
  const mapping = mapHeaders(headers);
  // All rows made of a few values, each after every other.
  const values = ['', 'a', 'b'];
  let rows: string[][] = [[]];
  for (const header of headers) {
    const choices = header === 'Price' ? ['1'] : values;
    rows = rows.flatMap((row) => choices.map((value) => [...row, value]));
  }
  const sequence = rows.flatMap((first) => rows.flatMap((second) => [first, second]));
  const groups = createGrouper(groupingOf(mapping));
  const products = sequence.filter((row) => groups(readRowValues(row, mapping)).startsProduct);
  const text = [headers, ...sequence].map((row) => row.join(',')).join('\n');
  expect(readInPieces(text, 65_536)?.whole).toMatchObject({
    rows: sequence.length,
    productNumbers: products.length,
  });
});

test.each([
  ['Handle', 'Option1 Value'],
  ['SKU', 'Parent SKU'],
])(
  'repaired rows belong to the product that they name, also when a chunk is read alone: %s, %s',
  (key, second) => {
    const text = 'x'.repeat(4000);
    const rows = Array.from({ length: 3000 }, (_, row) => {
      const product = `A-${1000 + Math.floor(row / 3)}`;
      const keys = key === 'Handle' ? [product, 'M'] : [`V-${1000 + row}`, product];
      const cells = [
        ...keys,
        `Oak ${'lamp'.padEnd(4 + (row % 40), 'p')}${row % 7 ? '' : ','} ${text}`,
        '9.50',
        'https://example.com/a',
      ];
      // Every fifth row has an extra separator in front, every eleventh lacks one.
      if (row % 5 === 4) return ['', ...cells.with(2, '"Oak, lamp"')].join(',');
      return row % 11 === 10 ? `${cells.slice(0, 2)},${cells[2]}${cells[3]},${cells[4]}` : cells.join(',');
    });
    const bytes = Buffer.from(`${[key, second, 'Title', 'Price', 'Image'].join(',')}\n${rows.join('\n')}\n`);
    const read = readInPieces(bytes.toString(), 65_536);
    if (!read) throw new Error('no header');
    const whole: unknown[] = [];
    const groups = createGrouper(groupingOf(read.mapping));
    let products = 0;
    const reading = readFile({
      limits: readLimitsDefault,
      onHeader: () => {},
      onRow({ row, record, cellsAsRead }) {
        const cells = record.cells();
        if (groups(readRowValues(cells, read.mapping)).startsProduct) products += 1;
        whole.push({ row, cells, cellsAsRead });
      },
    });
    reading.push(bytes);
    reading.end();
    expect(read.whole).toMatchObject({ rows: 3000, products });
    expect(products).toBe(1000);
    expect(read.whole.cuts.length).toBeGreaterThan(1);
    const inChunks = read.whole.cuts.flatMap((cut) => {
      const found: unknown[] = [];
      const scanner = readRows({
        dialect: read.dialect,
        limits: readLimitsDefault,
        headers: read.headers,
        startByte: cut.byteFrom,
        startLine: cut.firstLine,
        firstRow: cut.firstRow,
        onRow: ({ row, record, cellsAsRead }) => void found.push({ row, cells: record.cells(), cellsAsRead }),
      });
      scanner.push(bytes.subarray(cut.byteFrom, cut.byteTo));
      scanner.end();
      return found;
    });
    expect(inChunks).toEqual(whole);
  },
);

test('without a grouping column every row is a product', () => {
  const read = readInPieces('name,cost\nMug,5\n,\nJug,\n,7\n', 5);
  expect(read?.whole).toMatchObject({ rows: 3, products: 3 });
});

test('a file larger than its head is split by the same reader', () => {
  const line = `${'x'.repeat(200)},1\n`;
  const read = readInPieces(`title,price\n${line.repeat(50_000)}`, 65_536);
  expect(read?.whole).toMatchObject({ rows: 50_000, products: 50_000 });
  expect(read?.whole.cuts.length).toBe(7);
  expect(read?.whole.cuts.at(-1)?.byteTo).toBe(12 + 50_000 * line.length);
});

test.each(['', '\n\n', ' , \n'])('%j has no header', (text) => {
  expect(readInPieces(text, 10)).toBeUndefined();
});

test('a header alone has no rows', () => {
  expect(readInPieces('title,price\n', 10)?.whole).toEqual({
    rows: 0,
    products: 0,
    productNumbers: 0,
    cuts: [],
  });
});

test('limits are enforced', () => {
  const reading = splitStream({ limits: { ...readLimitsDefault, rowsMax: 2 } });
  reading.push(Buffer.from('title,price\na,1\nb,2\nc,3\n'));
  expect(() => reading.end()).toThrow(ReadLimitError);
});

test('amounts are read by the proof of any row, however far behind the head', () => {
  const rows = Array.from({ length: 4000 }, (_, row) => `Chair ${row},1.299`);
  const open = readInPieces(`Name,Price\n${rows.join('\n')}\n`, 4096);
  expect(open?.mapping.questions).toMatchObject([{ column: 1, cells: 4000 }]);
  const proven = readInPieces(`Name,Price\n${rows.join('\n')}\nStool,"12,50"\n`, 4096);
  expect(proven?.mapping).toMatchObject({ decimalComma: [1] });
  expect(proven?.mapping.questions).toBeUndefined();
});
