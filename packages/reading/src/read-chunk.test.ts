import { readLimitsDefault as limits } from '@draftshelf/csv/limits';
import { seededRandom } from '@draftshelf/csv/testing/random';
import { issuesIn } from '@draftshelf/domain/review/issue-set';
import { fieldGroups } from '@draftshelf/domain/suppliers/list';
import { expect, test } from 'vitest';
import { readChunk } from './read-chunk.ts';
import { type SplitFile, splitStream } from './split-stream.ts';

const header = 'Handle,Title,Variant Price,Option1 Value';

function split(bytes: Uint8Array): SplitFile {
  const splitter = splitStream({ limits });
  for (let at = 0; at < bytes.length; at += 65_536) splitter.push(bytes.subarray(at, at + 65_536));
  const read = splitter.end();
  if (!read) throw new Error('no header');
  return read;
}

/** Splits a file as the upload does and reads every chunk as a worker does, which throws when its counts differ. */
function products(lines: readonly string[]): number[] {
  const bytes = Buffer.from([header, ...lines].join('\n'));
  const { whole, ...run } = split(bytes);
  const read = whole.cuts.map((chunk) => {
    const reading = readChunk(bytes.subarray(chunk.byteFrom, chunk.byteTo), chunk, run, limits);
    const numbers = Array.from(reading.rows(), (row) => row.product).filter((product) => product > 0);
    expect(new Set(numbers).size).toBe(chunk.products);
    return reading.totals();
  });
  expect(read.reduce((sum, { rows }) => sum + rows, 0)).toBe(lines.length);
  expect(read.reduce((sum, totals) => sum + totals.products, 0)).toBe(whole.productNumbers);
  return whole.cuts.map((chunk) => chunk.products);
}

const row = (handle: string, bytes: number) => `${handle},Mug,5,${'x'.repeat(bytes)}`;
const rows = (count: number, handle: string, bytes: number) =>
  Array.from({ length: count }, () => row(handle, bytes));

test('a parent without a price is settled by the rest of its product, and rows keep their order', () => {
  const lines = ['mug,Mug,,', 'Total,,12,', 'mug,,5,S', 'mug,,6,M', 'jug,Jug,,', 'pan,Pan,,', 'pan,,,S'];
  const bytes = Buffer.from([header, ...lines].join('\n'));
  const { whole, ...run } = split(bytes);
  const [chunk] = whole.cuts;
  if (chunk === undefined) throw new Error('no chunk');
  const read = readChunk(bytes.subarray(chunk.byteFrom, chunk.byteTo), chunk, run, limits);
  const found = Array.from(read.rows(), ({ row, class: name, issues }) => [row, name, ...issuesIn(issues)]);
  expect(found).toEqual([
    [1, 'warning', 'parent-without-price'],
    // Ignored.
    [2, 'error'],
    [3, 'valid'],
    [4, 'valid'],
    [5, 'warning', 'price-missing'],
    [6, 'warning', 'parent-without-price'],
    [7, 'warning', 'price-missing'],
  ]);
  expect(read.totals().classes).toEqual({ valid: 0, warning: 3, error: 0 });
});

test('all rows of a product with the same options say so, and rows keep their order', () => {
  const lines = [
    'mug,Mug,5,S',
    'Total,,12,',
    'mug,,6,M',
    'mug,,7,s ',
    'jug,Jug,5,',
    'jug,,6,S',
    'jug,,7,S',
    'pan,Pan,5,S',
  ];
  const bytes = Buffer.from([header, ...lines].join('\n'));
  const { whole, ...run } = split(bytes);
  const [chunk] = whole.cuts;
  if (chunk === undefined) throw new Error('no chunk');
  const read = readChunk(bytes.subarray(chunk.byteFrom, chunk.byteTo), chunk, run, limits);
  const found = Array.from(read.rows(), ({ row, issues }) => [row, ...issuesIn(issues)]);
  expect(found).toEqual([
    ...[[1, 'same-options'], [2], [3], [4, 'same-options']],
    ...[[5], [6, 'same-options'], [7, 'same-options'], [8]],
  ]);
});

test('rows have what identifies them and what is compared, but for lines of totals', () => {
  const lines = ['mug,Mug,5.50,S', 'Total,,12,', 'mug,,6,M', 'mug,MUG,"5,50",S'];
  const bytes = Buffer.from([header, ...lines].join('\n'));
  const { whole, ...run } = split(bytes);
  const items = whole.cuts.flatMap((chunk) => {
    const read = readChunk(bytes.subarray(chunk.byteFrom, chunk.byteTo), chunk, run, limits);
    return Array.from(read.rows(), ({ item }) => item);
  });
  expect(items.map((item) => item?.key ?? null)).toEqual(['h:MUG|S||', null, 'h:MUG|M||', 'h:MUG|S||']);
  expect(items.map((item) => item?.price ?? null)).toEqual([55_000, null, 60_000, 55_000]);
  const [first, , , last] = items;
  const differ = fieldGroups.filter((_, at) => first?.hashes[at] !== last?.hashes[at]);
  expect(differ).toEqual(['text']);
});

/** The rows of a file, as the upload and a worker read them: why they are ignored, and their issues. */
function rowsOf(text: string) {
  const bytes = Buffer.from(text);
  const { whole, ...run } = split(bytes);
  return whole.cuts.flatMap((chunk) => {
    const read = readChunk(bytes.subarray(chunk.byteFrom, chunk.byteTo), chunk, run, limits);
    return Array.from(read.rows(), ({ ignored, issues }) => ignored ?? issuesIn(issues).join(' '));
  });
}

test.each([
  ['the sum of a column', ['A,Soap,3.50,20', 'B,Oil,8.90,12', ',Total,12.40,32'], ['', '', 'totals']],
  ['with decimal commas', ['A,Soap,"3,50",20', 'B,Oil,"8,90",12', ',Total,"12,40 €",'], ['', '', 'totals']],
  ['the sum of pieces beside a value', ['A,Soap,3.50,20', ',Total,70.00,20'], ['', 'totals']],
  [
    'subtotals and their total',
    ['A,Soap,1.10,2', ',Subtotal,1.10,2', 'B,Oil,2.20,3', ',Subtotal,2.20,3', ',Total,3.30,5'],
    ['', 'totals', '', 'totals', 'totals'],
  ],
  ['a name and no price', ['A,Soap,3.50,20', 'Total,,,20'], ['', 'totals']],
  ['a product of that name', ['A,Soap,3.50,20', ',Total,4.10,9', 'B,Oil,8.90,12'], ['', '', '']],
  ['a product of that name at first', [',Total,4.10,9', 'A,Soap,3.50,20'], ['', '']],
  ['a product of that name with a key', ['A,Soap,3.50,20', 'T,Total,3.50,20'], ['', '']],
])('a line of totals is known by its form and its sums: %s', (_what, lines, expected) => {
  expect(rowsOf(['SKU,Title,Price,Stock', ...lines].join('\n'))).toEqual(expected);
});

test('a product split by its size begins again in the next chunk, and so does its limit of rows', () => {
  expect(products([...rows(2200, 'mug', 8200), row('jug', 10)])).toEqual([1, 2]);
});

test('a product with as many rows as the store allows, and a line of totals that stays with it', () => {
  expect(products([...rows(2048, 'mug', 2500), 'Total,,12,'])).toEqual([1]);
  expect(products([...rows(2049, 'mug', 2500), 'Total,,12,'])).toEqual([1, 1]);
});

test('more lines of totals than fit after a product', () => {
  const totals = Array.from({ length: 40_000 }, () => 'Total,,12,');
  expect(products([row('mug', 10), ...totals, row('mug', 10)])).toEqual([1, 0, 1]);
});

const rounds = process.env.TEST_LONG === '1' ? 12 : 3;

test('rows of any size, in products of any length', () => {
  const random = seededRandom(7);
  for (let round = 0; round < rounds; round += 1) {
    const bytesMax = [1_000_000, 300_000, 60_000][round % 3] as number;
    const lines: string[] = [];
    let handle = 'first';
    for (let bytes = 0; bytes < 24 * 1024 * 1024; ) {
      if (random(60) === 0) handle = `handle-${random(5)}`;
      const line = random(12) === 0 ? 'Total,,12,' : row(random(9) === 0 ? '' : handle, random(bytesMax));
      lines.push(line);
      bytes += line.length;
    }
    expect(products(lines).length).toBeGreaterThan(1);
  }
  // It reads up to 288 MB, on a processor that others use as well.
}, 120_000);
