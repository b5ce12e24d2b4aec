import type { Operation } from '@draftshelf/domain/review/operations/operation';
import { expect, test } from 'vitest';
import {
  applyButtonLabel,
  belowCostWords,
  changedCellsWords,
  coveredRowsWords,
  formatPreviewValue,
  formatSignedPercent,
  isLargeChange,
  problemWords,
  validityWords,
} from './preview-words.ts';

const clear: Operation = { kind: 'clear', field: 'price' };
const times: Operation = { kind: 'calculate', field: 'price', by: 'multiply', amount: '1.2' };
const round: Operation = { kind: 'round', field: 'price', to: { ending: '.99' }, direction: 'nearest' };
const brand: Operation = { kind: 'set', field: 'vendor', value: 'Nike' };
const leaveOut: Operation = { kind: 'leave-out', leaveOut: true };
const preview = (cells: number, rows: number, isAll = true) => ({
  sample: { rows: 1000, products: 900, isAll, upTo: isAll ? null : 9_800 },
  changed: { cells, rows, products: rows },
});

test('the button says what it does, with its number', () => {
  expect(applyButtonLabel(preview(8112, 8112), [clear], 8112)).toBe('Clear 8,112 Prices');
  expect(applyButtonLabel(preview(1, 1), [times, round], 5)).toBe('Change 1 Price');
  expect(applyButtonLabel(preview(12, 7), [times, brand], 9)).toBe('Change 7 Rows');
  expect(applyButtonLabel(preview(3, 3), [leaveOut], 9)).toBe('Leave Out 3 Rows');
  expect(applyButtonLabel(preview(4, 4), [{ kind: 'add-tags', tags: ['sale'] }], 9)).toBe('Change 4 Values');
  const size: Operation = { kind: 'map-options', values: [{ from: 'Size: Sm', to: 'S' }] };
  expect(applyButtonLabel(preview(4, 4), [size], 9)).toBe('Change 4 Values');
  const first: Operation = { kind: 'set', field: 'option1Value', value: 'S' };
  expect(applyButtonLabel(preview(12, 7), [size, first], 9)).toBe('Change 7 Rows');
});

test('where the preview is of a sample, the button counts the rows that it is about', () => {
  expect(applyButtonLabel(preview(990, 990, false), [times], 12_004)).toBe('Change Prices in 12,004 Rows');
  expect(applyButtonLabel(preview(990, 990, false), [times, brand], 12_004)).toBe('Change 12,004 Rows');
  expect(applyButtonLabel(preview(990, 990, false), [times], null)).toBe('Change Prices in Rows Found');
  expect(applyButtonLabel(null, [], 12_004)).toBe('Change 12,004 Rows');
});

test('a sample is called one', () => {
  expect(changedCellsWords(preview(1204, 1180))).toBe('1,204 cells in 1,180 rows');
  expect(changedCellsWords(preview(1204, 1180, false))).toBe('1,204 cells in 1,180 rows of the sample');
  expect(changedCellsWords(preview(0, 0))).toBe('Nothing');
  expect(coveredRowsWords({ ...preview(1, 1), rows: 1000 })).toBe('all 1,000 rows');
  expect(coveredRowsWords({ ...preview(1, 1, false), rows: 12_004 })).toBe(
    'a sample of 1,000 of 12,004 rows, up to row 9,800',
  );
});

test('a change above 50% is marked, up or down', () => {
  expect([50, -50, 50.1, -80].map((percent) => isLargeChange({ percent }))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(formatSignedPercent({ percent: 80 })).toBe('+80%');
  expect(formatSignedPercent({ percent: -12.34 })).toBe('-12.3%');
});

test('rows that become valid or invalid are told apart', () => {
  const { sample } = preview(1, 1);
  expect(validityWords({ becomesValid: 1, losesValidity: 0, sample })).toBe('1 row becomes valid');
  expect(validityWords({ becomesValid: 40, losesValidity: 3, sample })).toBe(
    '40 rows become valid; 3 rows become invalid',
  );
  expect(validityWords({ becomesValid: 0, losesValidity: 0, sample })).toBe(
    'No row becomes valid or invalid',
  );
});

test('what is known of a sample only says so', () => {
  const { sample } = preview(1, 1, false);
  expect(validityWords({ becomesValid: 0, losesValidity: 0, sample })).toBe(
    'No row of the sample becomes valid or invalid',
  );
  expect(validityWords({ becomesValid: 40, losesValidity: 1, sample })).toBe(
    '40 rows of the sample become valid; 1 row of the sample becomes invalid',
  );
  expect(belowCostWords({ belowCost: null, sample })).toBe('None of the sample');
  expect(belowCostWords({ belowCost: { rows: 3, row: 5 }, sample })).toBe(
    '3 rows of the sample, the first is row 5',
  );
  expect(problemWords({ text: 'UPC is invalid.', rows: 1, row: 5 }, { sample })).toBe(
    'Row 5 of the sample: UPC is invalid.',
  );
});

test.each([
  [null, 'None'],
  [{ rows: 1, row: 5 }, 'Row 5'],
  [{ rows: 1200, row: 5 }, '1,200 rows, the first is row 5'],
])('prices below cost: %o', (belowCost, words) =>
  expect(belowCostWords({ belowCost, sample: preview(1, 1).sample })).toBe(words),
);

test('a row is in the push or left out of it, whether or not there was a push', () => {
  expect([formatPreviewValue('leaveOut', null), formatPreviewValue('leaveOut', 'yes')]).toEqual([
    'In the push',
    'Left out',
  ]);
});
