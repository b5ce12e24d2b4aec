import { expect, test } from 'vitest';
import { candidatesOf } from './header-candidates.ts';
import { mapHeaders } from './header-mapping.ts';
import { columnNames, headerWords } from './header-words.ts';
import { partialMatchWordsMax, selectNamesToCompare, selectNamesToFind } from './known-names.ts';

/** How many names mapping compares with the words of these headers. */
const comparisons = (headers: readonly string[]): number =>
  headers
    .map(headerWords)
    .reduce(
      (sum, words) => sum + selectNamesToFind(words).length + selectNamesToCompare(words.join('')).length,
      0,
    );

const letters = 'abcdefghijklmnopqrstuvwxyz';
/** As many words as fit into a header; such a file once blocked the api for seconds. */
const oneLetterWords = (header: number): string =>
  Array.from({ length: 90 }, (_, word) => letters[(header + word * 7) % 26]).join(' ');

test('a header of very many words needs no more comparisons than an ordinary one', () => {
  const ordinary = ['Product Title', 'Variant Price', 'Product SKU', 'Image Src', 'Stock on hand'];
  const worst = Array.from({ length: 2000 }, (_, header) => oneLetterWords(header));
  const perOrdinary = comparisons(ordinary) / ordinary.length;
  expect(comparisons(worst) / worst.length).toBeLessThanOrEqual(perOrdinary);
});

test('names are searched inside headers up to the limit', () => {
  const unnamed = Array.from({ length: partialMatchWordsMax - 2 }, () => 'the').join(' ');
  expect(candidatesOf(`${unnamed} product price`, 0)).toMatchObject([{ field: 'price', kind: 'namePart' }]);
  expect(candidatesOf(`the ${unnamed} product price`, 0)).toEqual([]);
});

test('each name is compared once, even if words repeat', () => {
  const names = selectNamesToFind(['price', 'price', 'price']);
  expect(new Set(names).size).toBe(names.length);
});

test('equal headers are numbered, even next to headers that already have such a number', () => {
  expect(columnNames(['a', 'a (2)', 'a', 'a', 'a (2)', ''])).toEqual([
    'a',
    'a (2)',
    'a (3)',
    'a (4)',
    'a (2) (2)',
    'Column 6',
  ]);
});

test('a material next to a title does not name a product, however many there are', () => {
  const columns = mapHeaders([...Array.from({ length: 50 }, () => 'Material'), 'Title']).columns;
  expect(columns.filter(({ field }) => field !== null)).toMatchObject([{ header: 'Title', field: 'title' }]);
});
