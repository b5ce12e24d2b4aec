import { expect, it } from 'vitest';
import { describeLibraryCount, nothingFoundWords, weightWords } from './product-card.tsx';

it('a weight is shown with its unit, and one that is not known is not shown', () => {
  expect(weightWords({ value: 2, unit: 'lb' })).toBe('2 lb');
  expect(weightWords({ value: 0, unit: 'lb' })).toBeNull();
});

it('the count names the whole library, or the matches of a search', () => {
  expect(describeLibraryCount('2', '')).toBe('2 product(s) scanned');
  expect(describeLibraryCount('2', 'vase')).toBe('2 product(s) found');
});

it('a library without a match names its filters, and how many products were looked through if there are more', () => {
  expect(nothingFoundWords({ search: '', status: 'synced' }, null)).toBe('There are no synced products.');
  expect(nothingFoundWords({ search: 'vase', status: '' }, null)).toBe('No products match “vase”.');
  expect(nothingFoundWords({ search: '', status: 'synced' }, 1_000)).toBe(
    'There are no synced products among the 1,000 shown.',
  );
});
