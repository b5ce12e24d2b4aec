import { expect, test } from 'vitest';
import {
  applyPressedFilter,
  cycleSort,
  findOpeningFilter,
  formatRowsAddress,
  hasFilterBesideClass,
  hasSameFilter,
  isFiltered,
  normalizeSearchText,
  parseRowNumber,
  pickFiltersAndSort,
  readAddressOrOpening,
  readRowsAddress,
  setAddressPart,
} from './rows-address.ts';

test.each([
  ['', {}],
  ['page=3', { page: 3 }],
  ['class=error', { class: 'error' }],
  [
    'class=warning&issue=duplicate&q=vase&after=120',
    { class: 'warning', issue: 'duplicate', q: 'vase', after: 120 },
  ],
  ['issue=any&before=51', { issue: 'any', before: 51 }],
  ['class=needs-you&outcome=skipped&after=5', { class: 'needs-you', outcome: 'skipped', after: 5 }],
  ['outcome=failed', { outcome: 'failed' }],
  ['class=error&change=dearer&after=5', { class: 'error', change: 'dearer', after: 5 }],
  ['sort=price&page=2', { sort: 'price', page: 2 }],
  ['class=error&sort=-title&after=25', { class: 'error', sort: '-title', after: 25 }],
  ['class=all', { all: true }],
  ['class=all&page=3', { all: true, page: 3 }],
])('%s is read and written alike', (text, address) => {
  expect(readRowsAddress(new URLSearchParams(text))).toEqual(address);
  expect(formatRowsAddress(address as object).toString()).toBe(text);
});

test.each([
  ['class=good&issue=bad&q=ab&page=0', {}],
  ['page=x&after=5&sort=image', {}],
  ['outcome=lost', {}],
  ['change=other-way', {}],
  ['class=all&issue=duplicate', { issue: 'duplicate' }],
  ['class=error&page=3', { class: 'error' }],
  ['class=error&after=5&before=9', { class: 'error', before: 9 }],
])('of %s only what makes sense is taken', (text, address) =>
  expect(readRowsAddress(new URLSearchParams(text))).toEqual(address),
);

test.each([
  [{}, { class: 'error' }, { class: 'error' }],
  [{ page: 4 }, { issue: 'duplicate' }, { issue: 'duplicate' }],
  [{ class: 'error', after: 50 }, { issue: 'duplicate' }, { class: 'error', issue: 'duplicate' }],
  [
    { issue: 'duplicate', q: 'vase', before: 9 },
    { class: 'valid' },
    { class: 'valid', issue: 'duplicate', q: 'vase' },
  ],
  [{ class: 'error', issue: 'duplicate' }, { class: 'error' }, { issue: 'duplicate' }],
  [{ class: 'error', issue: 'duplicate' }, { issue: 'duplicate' }, { class: 'error' }],
  [{ class: 'error', issue: 'duplicate', after: 50 }, { all: true }, {}],
  [{ issue: 'duplicate', outcome: 'skipped', value: 'vendor:a', q: 'vase' }, { all: true }, {}],
  [{ class: 'error', page: 2 }, { outcome: 'skipped' }, { class: 'error', outcome: 'skipped' }],
  [{ outcome: 'skipped', after: 50 }, { outcome: 'failed' }, { outcome: 'failed' }],
  [{ outcome: 'skipped', after: 50 }, { outcome: 'skipped' }, {}],
  [{ all: true, page: 2 }, { class: 'needs-you' }, { class: 'needs-you' }],
  [{ class: 'needs-you' }, { issue: 'duplicate' }, { issue: 'duplicate' }],
] as const)('from %o, a press of %o leads to %o', (now, pressed, next) => {
  expect(applyPressedFilter(now, pressed)).toEqual(next);
});

test('a search keeps the other filters, and one that is cleared leaves none of its own', () => {
  expect(setAddressPart({ class: 'warning', q: 'vase', after: 50 }, 'q', 'jug')).toEqual({
    class: 'warning',
    q: 'jug',
  });
  expect(setAddressPart({ q: 'vase', after: 50 }, 'q', '')).toEqual({});
});

test('a value is one of the filters, and a text that names no field is none', () => {
  expect(readRowsAddress(new URLSearchParams('value=vendor:nike%20&issue=duplicate&after=9'))).toEqual({
    ...{ value: 'vendor:nike ', issue: 'duplicate', after: 9 },
  });
  expect(readRowsAddress(new URLSearchParams('value=nike'))).toEqual({});
  expect(setAddressPart({ class: 'error', value: 'vendor:a', after: 50 }, 'value', 'vendor:')).toEqual({
    ...{ class: 'error', value: 'vendor:' },
  });
  expect(setAddressPart({ value: 'vendor:a' }, 'value', null)).toEqual({});
  expect(hasSameFilter({ value: 'vendor:a' }, { value: 'vendor:b' })).toBe(false);
  expect(isFiltered({ value: 'vendor:' })).toBe(true);
});

test('a change is one of the filters', () => {
  expect(setAddressPart({ class: 'error', change: 'new', after: 50 }, 'change', 'dearer')).toEqual({
    ...{ class: 'error', change: 'dearer' },
  });
  expect(setAddressPart({ q: 'vase', change: 'new' }, 'change', null)).toEqual({ q: 'vase' });
});

test('pages of a filter have the same filter', () => {
  expect(hasSameFilter({ class: 'error', q: 'vase', after: 50 }, { class: 'error', q: 'vase' })).toBe(true);
  expect(hasSameFilter({ class: 'error' }, { class: 'error', q: 'vase' })).toBe(false);
  expect(hasSameFilter({ outcome: 'skipped' }, { outcome: 'failed' })).toBe(false);
  expect(hasSameFilter({ change: 'new' }, { change: 'dearer' })).toBe(false);
});

test.each([
  [{}, false],
  [{ class: 'error', after: 50 }, false],
  [{ class: 'error', q: 'vase' }, true],
  [{ issue: 'duplicate' }, true],
  [{ outcome: 'skipped' }, true],
  [{ change: 'new' }, true],
  [{ value: 'vendor:' }, true],
] as const)('%o selects rows by more than their class: %o', (address, expected) =>
  expect(hasFilterBesideClass(address)).toBe(expected),
);

test('the first page is not in the URL', () => {
  expect(formatRowsAddress({ page: 1 }).toString()).toBe('');
  expect(formatRowsAddress({ class: 'valid', after: 0 }).toString()).toBe('class=valid');
});

test.each([
  ['ab', ''],
  [' ab ', ''],
  ['abc', 'abc'],
  [' 台灯罩 ', '台灯罩'],
  ['🪴🪴', ''],
])('"%s" in the field searches "%s"', (text, wanted) => expect(normalizeSearchText(text)).toBe(wanted));

test.each([
  ['', { class: 'needs-you' }],
  ['report=a', { class: 'needs-you' }],
  ['class=all', { all: true }],
  ['page=2', { page: 2 }],
  ['outcome=skipped', { outcome: 'skipped' }],
])('where the URL is "%s", the page that opened on problems shows %o', (text, shown) =>
  expect(readAddressOrOpening({ class: 'needs-you' }, new URLSearchParams(text))).toEqual(shown),
);

test('the head of a column sorts ascending, descending and as in the file, and filters keep the order', () => {
  const after = (isSecond: boolean) => (now: string | undefined) =>
    cycleSort('price', now as never, isSecond);
  const sorts = [undefined, 'price', '-price', 'price,sku', '-price,sku', 'sku', 'sku,price', 'sku,-price'];
  expect(sorts.map(after(false))).toEqual([
    ...['price', '-price', undefined, '-price,sku', undefined],
    ...['price', 'price', 'price'],
  ]);
  expect(sorts.map(after(true))).toEqual([
    ...['price', '-price', undefined, '-price,sku', undefined],
    ...['sku,price', 'sku,-price', 'sku'],
  ]);
  expect(setAddressPart({ class: 'error', after: 5 }, 'sort', '-sku')).toEqual({
    class: 'error',
    sort: '-sku',
  });
  expect(setAddressPart({ sort: 'sku', page: 3 }, 'sort', undefined)).toEqual({});
  expect(pickFiltersAndSort({ sort: 'sku', page: 3 })).toEqual({ sort: 'sku' });
  expect(applyPressedFilter({ class: 'error', sort: 'sku' }, { all: true })).toEqual({ sort: 'sku' });
  expect(applyPressedFilter({ sort: 'sku', page: 3 }, { class: 'error' })).toEqual({
    sort: 'sku',
    class: 'error',
  });
  expect(hasSameFilter({ sort: 'sku' }, { sort: '-sku' })).toBe(false);
});

test.each([
  ['row 51', 51],
  ['Row #1,204 ', 1204],
  ['row51', 51],
  ['51', null],
  ['rows 51', null],
  ['brown 51', null],
])('“%s” goes to row %s', (text, row) => {
  expect(parseRowNumber(text)).toBe(row);
});

test.each([
  ['queued', 2, 1, { class: 'needs-you' }],
  ['queued', 0, 1, { class: 'needs-you' }],
  // A folder's import waits for a review although nothing is wrong.
  ['queued', 0, 0, {}],
  // Marked as ready: the operator has seen them.
  ['processed', 2, 1, {}],
  ['completed', 2, 1, {}],
  ['processing', 2, 1, {}],
])('%s with %i warnings and %i errors', (status, warningProducts, errorProducts, filter) =>
  expect(findOpeningFilter({ status, warningProducts, errorProducts })).toEqual(filter),
);

test('rows that were left out do not open the list of those that need the operator', () => {
  const record = { status: 'queued', warningProducts: 1, errorProducts: 0 };
  expect(findOpeningFilter(record, 0)).toEqual({});
  expect(findOpeningFilter(record, 1)).toEqual({ class: 'needs-you' });
});
