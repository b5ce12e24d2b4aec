import { expect, test } from 'vitest';
import { picturesWords } from '../page/details-sections.tsx';

const none = { matched: 0, unmatched: 0, refused: 0, waiting: 0, products: 0 };

test.each([
  [
    { ...none, matched: 396, products: 390, unmatched: 9, refused: 7 },
    '412 pictures in the file: 396 matched to 390 products · 9 matched nothing · 7 could not be read',
  ],
  [{ ...none, matched: 1, products: 1 }, '1 picture in the file: 1 matched to 1 product'],
  [{ ...none, waiting: 1_200 }, '1,200 pictures in the file: 1,200 still being read'],
])('%j', (counts, words) => {
  expect(picturesWords(counts)).toBe(words);
});
