import { expect, it } from 'vitest';
import { dimensionWords, weightWords } from './scanned-words.ts';

const measured = (length: number, value: number) => ({
  dimensions: { length, width: 5, height: 3, unit: 'in' as const },
  weight: { value, unit: 'lb' as const },
});

it('measures are shown with their units', () => {
  expect(dimensionWords(measured(10, 2))).toBe('10×5×3 in');
  expect(weightWords(measured(10, 2))).toBe('2 lb');
});

it('what was not measured is not shown', () => {
  const none = { length: 0, width: 0, height: 0, unit: 'in' as const };
  expect(dimensionWords({ ...measured(0, 0), dimensions: none })).toBeNull();
  expect(dimensionWords(measured(0, 0))).toBe('0×5×3 in');
  expect(weightWords(measured(0, 0))).toBeNull();
});
