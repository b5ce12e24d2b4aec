import { afterEach, expect, test, vi } from 'vitest';
import { doneWords, nextFixing, storedFixing, storeFixing } from './fixing.ts';

afterEach(() => vi.unstubAllGlobals());

const after = (...counts: number[]) =>
  counts.reduce<ReturnType<typeof nextFixing> | null>(nextFixing, null) ?? { total: 0, open: 0 };
const words = (...counts: number[]) => doneWords(after(...counts), String);

test('rows that were fixed are counted among those that the page has seen', () => {
  expect(words(3)).toBe('0 of 3 done');
  expect(words(3, 2, 2)).toBe('1 of 3 done');
  expect(words(3, 2, 1, 0)).toBe('3 of 3 done');
  expect(after(3, 2, 1, 0).open).toBe(0);
});

test('a row whose fix was undone is not fixed any more', () => {
  expect(words(3, 2, 3)).toBe('0 of 3 done');
  expect(words(4, 3, 2, 3)).toBe('1 of 4 done');
  expect(words(0, 1)).toBe('0 of 1 done');
});

test('a bulk edit of a million rows is one step', () =>
  expect(words(1_000_000, 1)).toBe('999999 of 1000000 done'));

test('a review is kept while another page is shown, and each has its own count', () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
  });
  expect(storedFixing('import-1')).toBeNull();
  storeFixing('import-1', { total: 4, open: 4 });
  storeFixing('import-2', { total: 9, open: 9 });
  storeFixing('import-1', { total: 4, open: 3 });
  expect(doneWords(nextFixing(storedFixing('import-1'), 2), String)).toBe('2 of 4 done');
  expect(storedFixing('import-2')).toEqual({ total: 9, open: 9 });
});
