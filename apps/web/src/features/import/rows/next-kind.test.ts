import { expect, test } from 'vitest';
import { nextKind } from './next-kind.ts';

const counts = { any: 9, check: 3, 'title-missing': 2, 'sku-too-long': 1, duplicate: 3, 'bad-quote': 4 };

test('kinds come most serious first and round again, without how rows were read', () => {
  expect(nextKind(counts, undefined, 'next')).toBe('title-missing');
  expect(nextKind(counts, 'title-missing', 'next')).toBe('sku-too-long');
  expect(nextKind(counts, 'sku-too-long', 'next')).toBe('duplicate');
  expect(nextKind(counts, 'duplicate', 'next')).toBe('title-missing');
  expect(nextKind(counts, undefined, 'previous')).toBe('duplicate');
  expect(nextKind(counts, 'title-missing', 'previous')).toBe('duplicate');
});

test('a kind without rows is passed, and so is the one that was shown', () => {
  // Its last row has just been fixed.
  expect(nextKind({ ...counts, 'sku-too-long': 0 }, 'sku-too-long', 'next')).toBe('duplicate');
  expect(nextKind(counts, 'bad-quote', 'next')).toBe('title-missing');
  expect(nextKind({ duplicate: 1 }, 'duplicate', 'next')).toBe('duplicate');
  expect(nextKind({}, 'duplicate', 'next')).toBeNull();
});

test('how rows were read comes when nothing else is left', () => {
  const read = { 'bad-quote': 4, nul: 0, 'price-repeated': 1 };
  expect(nextKind(read, 'nul', 'next')).toBe('price-repeated');
  expect(nextKind(read, 'price-repeated', 'next')).toBe('bad-quote');
  expect(nextKind(read, 'bad-quote', 'next')).toBe('price-repeated');
});
