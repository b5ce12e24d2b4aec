import { expect, onTestFinished, test, vi } from 'vitest';
import { comparePictures, createPictureMatcher, parsePictureName } from './picture-names.ts';

function matcherOf(entries: readonly string[]) {
  return createPictureMatcher(entries.map((entry, n) => ({ n, entry })));
}

type Product = { keys?: string[]; cells?: string[] };

/** The product, from 1, that each picture is matched to; null: to none. */
function matched(products: readonly Product[], entries: readonly string[]): (number | number[] | null)[] {
  const matcher = matcherOf(entries);
  for (const [at, { keys = [], cells = [] }] of products.entries()) {
    matcher.addRow({ product: at + 1, row: at + 1, keys, cells });
  }
  return matcher.matches().map(({ rows }) => {
    const [first, second] = rows.map(({ product }) => product);
    return second === undefined ? (first ?? null) : rows.map(({ product }) => product);
  });
}
const keysOf = (...keys: string[]): Product[] => keys.map((key) => ({ keys: [key] }));

test.each<[string, string[], string, number | null]>([
  ['the SKU', ['A-100', 'B-200'], 'B-200.jpg', 2],
  ['another case, width and extension', ['A-100', 'ÄB-200'], 'pics/äb－200.PNG', 2],
  ['a GTIN without its leading zero', ['036000291452'], '36000291452.jpg', 1],
  ['other separators', ['A-100', 'AB 12/3'], 'a_100.jpg', 1],
  ['another separator for a slash between digits', ['VS 20/1'], 'vs_20-1.jpg', 1],
  ['a number without the spaces that group it', ['0893 200 1'], '08932001_02.jpg', 1],
  ['a missing separator before letters', ['LAMP-A1'], 'lampa1.jpg', 1],
  ['a numbered picture', ['A100'], 'A100-2.jpg', 1],
  ['a picture numbered with a zero', ['A100'], 'A100_03.webp', 1],
  ['a picture numbered in brackets', ['A100'], 'A100 (4).jpg', 1],
  ['a letter', ['A100'], 'A100-a.jpg', 1],
  ['a view', ['A100'], 'A100-front.jpg', 1],
  ['a numbered GTIN', ['4006381333931'], '4006381333931_1.jpg', 1],
  ['the SKU that looks like a second picture', ['A', 'A-2'], 'A-2.jpg', 2],
  ['the folder', ['A-100', 'B-200'], 'pictures/B-200/IMG_0017.jpg', 2],
  ['the folder of a numbered file, although a product has the number', ['1', 'B-200'], 'B-200/1.jpg', 2],
  ['a name and a folder that agree', ['A-100', 'B-200'], 'B-200/B-200-2.jpg', 2],
  ['a Windows path', ['B-200'], 'pictures\\B-200\\x.jpg', 1],
  // Unsure is unmatched.
  ['no key', ['A-100'], 'logo.png', null],
  ['the beginning of a key', ['A-100-RED'], 'A-100.jpg', null],
  ['a key of two products', ['A-100', 'A-100'], 'A-100.jpg', null],
  ['keys that differ in separators', ['A-B12', 'AB-12'], 'ab12.jpg', null],
  ['another product with such an end', ['AB', 'AB-10', 'AB-11'], 'AB-12.jpg', null],
  ['a number that may be an end', ['12'], '1-2.jpg', null],
  ['a decimal point', ['K 25'], 'K 2.5.jpg', null],
  ['a folder with a number that may be an end', ['47111'], '4711-1/front.jpg', null],
  ['a key that may be a numbered picture', ['100', '1002'], '100-2.jpg', 1],
  ['a name and a folder that differ', ['A-100', 'B-200'], 'B-200/A-100.jpg', null],
  ['a single character left', ['A'], 'A-3.jpg', null],
  ['a year', ['LAMP'], 'LAMP-2026.jpg', null],
  ['an empty name', ['', ' '], '.jpg', null],
])('a picture named by %s', (_case, keys, entry, expected) => {
  expect(matched(keysOf(...keys), [entry])).toEqual([expected]);
});

test('a number that several folders have numbers their pictures, also if their products are not in the list', () => {
  expect(matched(keysOf('1'), ['X-1/1.jpg', 'X-2/1.jpg'])).toEqual([null, null]);
  expect(matched(keysOf('1'), ['pictures/1.jpg', 'pictures/2.jpg'])).toEqual([1, null]);
  expect(matched(keysOf('1'), ['X-1/1.jpg', '1.png'])).toEqual([null, 1]);
});

test('rows of one product are one product, and the first row with the key gets the picture', () => {
  const matcher = matcherOf(['lamp.jpg', 'L-S-2.jpg']);
  matcher.addRow({ product: 1, row: 2, keys: ['lamp', 'L-S'], cells: [] });
  matcher.addRow({ product: 1, row: 3, keys: ['lamp', 'L-M'], cells: [] });
  expect(matcher.matches()).toEqual([
    { n: 0, rows: [{ product: 1, row: 2 }], reason: null },
    { n: 1, rows: [{ product: 1, row: 2 }], reason: null },
  ]);
});

test('a cell that names a file decides, also for several products', () => {
  const products: Product[] = [
    { keys: ['one'], cells: ['lamp.jpg; sub/2.png', 'https://example.com/3.png'] },
    { keys: ['two'], cells: ['images\\lamp.JPG'] },
    { keys: ['three'], cells: ['vase'] },
  ];
  const entries = ['list/images/lamp.jpg', 'sub/2.png', 'other/2.png', '3.png', 'vase.webp', 'two.png'];
  expect(matched(products, entries)).toEqual([[1, 2], 1, null, null, 3, 2]);
  // A file of this name is in two folders.
  expect(matched([{ cells: ['2.png'] }], ['a/2.png', 'b/2.png'])).toEqual([null, null]);
  // The extension tells which one.
  expect(matched([{ cells: ['vase.png'] }], ['vase.jpg', 'vase.png'])).toEqual([null, 1]);
});

test('pictures are in the order of their numbers, those without one and the main one first', () => {
  const entries = ['a-10.jpg', 'a_2.jpg', 'a.jpg', 'a-back.jpg', 'a-main.png', 'a (3).jpg', 'a-c.jpg'];
  const sorted = entries.map(parsePictureName).toSorted(comparePictures);
  expect(sorted.map(({ path }) => path)).toEqual([
    ...['a-main.png', 'a.jpg', 'a_2.jpg', 'a-back.jpg', 'a-c.jpg', 'a (3).jpg', 'a-10.jpg'],
  ]);
});

test('the reason says what was missing or unsure', () => {
  const matcher = matcherOf(['x.jpg', 'twice.jpg']);
  for (const product of [1, 2, 3]) matcher.addRow({ product, row: product, keys: ['twice'], cells: [] });
  expect(matcher.matches().map(({ reason }) => reason)).toEqual([
    'No product has this name as its SKU, UPC, item number or handle.',
    'The picture may belong to any of 3 products.',
  ]);
});

test('a path in a cell is compared with a few pictures, however many have its end', () => {
  let compared = 0;
  const matcher = matcherOf(Array.from({ length: 4_000 }, (_, n) => `d${n}/1.jpg`));
  const { startsWith } = String.prototype;
  const count = vi.spyOn(String.prototype, 'startsWith').mockImplementation(function (this: string, ...args) {
    compared += 1;
    return startsWith.apply(this, args);
  });
  onTestFinished(() => count.mockRestore());
  matcher.addRow({ product: 1, row: 1, keys: [], cells: ['1,'.repeat(2_000), 'd7/1.jpg'] });
  expect(compared).toBeLessThan(1_000);
  expect(
    matcher
      .matches()
      .filter(({ rows }) => rows.length > 0)
      .map(({ n }) => n),
  ).toEqual([7]);
});

test('a path in a cell finds its picture among 10,000', () => {
  const matcher = matcherOf(Array.from({ length: 10_000 }, (_, n) => `d${n}/1.jpg`));
  matcher.addRow({ product: 1, row: 1, keys: [], cells: ['d7654/1.jpg'] });
  expect(
    matcher
      .matches()
      .filter(({ rows }) => rows.length > 0)
      .map(({ n }) => n),
  ).toEqual([7_654]);
});

test('of a cell, the first 100 paths are read', () => {
  const cell = (before: number) => `${'x.jpg,'.repeat(before)}a.jpg`;
  expect(matched([{ cells: [cell(99)] }], ['a.jpg'])).toEqual([1]);
  expect(matched([{ cells: [cell(100)] }], ['a.jpg'])).toEqual([null]);
});
