import { expect, test } from 'vitest';
import {
  canRunOnPartialList,
  findMissingInputs,
  findReasonToSkip,
  findSubstituteProblem,
  type RecipeEffect,
} from './recipe.ts';

const effect: RecipeEffect = {
  ...{ target: {}, rows: 40, of: 100, belowCost: null, missing: [] },
  last: { rows: 40, of: 100 },
  isOrderKnown: true,
};

test.each<[Partial<RecipeEffect>, string | null]>([
  [{}, null],
  [{ rows: 120, of: 100 }, null],
  [{ rows: 121, of: 100 }, 'The change would affect 121 of 100 rows. Last time, it affected 40 of 100.'],
  [{ rows: 14 }, null],
  [{ rows: 13 }, 'The change would affect 13 of 100 rows. Last time, it affected 40 of 100.'],
  // The list is shorter, or the rows are as many as they were.
  [{ rows: 13, of: 30 }, null],
  [{ rows: 1, of: 10, last: { rows: 1, of: 3 } }, null],
  [{ rows: 0 }, 'The change would have no effect.'],
  [{ belowCost: { rows: 1, row: 5 } }, 'The price would fall below the cost in row 5.'],
  [{ belowCost: { rows: 2, row: 5 } }, 'The price would fall below the cost in row 5 and in others.'],
  [{ missing: ['Cost'], rows: 0 }, 'Cost isn’t in this list.'],
  [{ isOrderKnown: false }, 'This change may overwrite values that you entered after it.'],
])('%o is left with the reason %s', (changed, reason) => {
  expect(findReasonToSkip({ ...effect, ...changed })).toBe(reason);
});

test('columns stand in for what a list lacks only', () => {
  const headers = ['Title', 'Net'];
  const missing = findMissingInputs(
    { columns: ['Cost', 'Title'], fields: ['price', 'title'] },
    { headers, mapping: { sources: { title: [0] } } },
  );
  expect(missing).toEqual({ columns: ['Cost'], fields: ['price'] });
  const problem = (columns: Record<string, string>, fields = {}) =>
    findSubstituteProblem({ columns, fields }, missing, headers);
  expect(problem({ Cost: 'Net' }, { price: 'Net' })).toBeNull();
  expect(problem({ Title: 'Net' })).toContain('“Title” is in this list');
  expect(problem({}, { title: 'Net' })).toContain('“title” is in this list');
  expect(problem({ Cost: 'Gross' })).toBe('This list has no column “Gross”.');
});

test('a recipe is about a list of prices and stock that has all that it reads, changes and filters by', () => {
  const stock = { headers: ['SKU', 'Qty'], mapping: { sources: { sku: [0], quantity: [1] } } };
  const priced = { headers: ['SKU', 'Price'], mapping: { sources: { sku: [0], price: [1] } } };
  const raise = { kind: 'calculate', field: 'price', by: 'multiply', amount: '1.2' } as const;
  const ofAll = { operations: [raise], target: {}, takes: { columns: [], fields: ['price' as const] } };
  expect(canRunOnPartialList(ofAll, stock)).toBe(false);
  expect(canRunOnPartialList(ofAll, priced)).toBe(true);
  expect(canRunOnPartialList({ ...ofAll, target: { value: 'vendor:Nike' } }, priced)).toBe(false);
  expect(canRunOnPartialList({ ...ofAll, takes: { columns: ['RRP'], fields: [] } }, priced)).toBe(false);
  const prefix = { kind: 'prefix', field: 'title', text: 'New ' } as const;
  const takes = { columns: [], fields: [] };
  expect(canRunOnPartialList({ operations: [prefix], target: { items: [1] }, takes }, priced)).toBe(false);
});
