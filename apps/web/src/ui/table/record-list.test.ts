import { expect, test } from 'vitest';
import { countPages, listPageNumbers } from './record-table.tsx';

test('a pager shows at most five numbers, with the current one among them, on every page', () => {
  for (let pages = 1; pages <= 40; pages++) {
    for (let current = 1; current <= pages; current++) {
      const numbers = listPageNumbers(current, pages);
      expect(numbers.length).toBe(Math.min(5, pages));
      expect(numbers).toContain(current);
      expect(numbers[0]).toBeGreaterThanOrEqual(1);
      expect(numbers.at(-1)).toBeLessThanOrEqual(pages);
      expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    }
  }
});

test('the current page is in the middle if possible', () => {
  expect(listPageNumbers(20, 40)).toEqual([18, 19, 20, 21, 22]);
  expect(listPageNumbers(1, 40)).toEqual([1, 2, 3, 4, 5]);
  expect(listPageNumbers(40, 40)).toEqual([36, 37, 38, 39, 40]);
});

test('the page count rounds up', () => {
  expect(countPages(0, 25)).toBe(1);
  expect(countPages(25, 25)).toBe(1);
  expect(countPages(26, 25)).toBe(2);
  expect(countPages(1_000_000, 25)).toBe(40_000);
});
