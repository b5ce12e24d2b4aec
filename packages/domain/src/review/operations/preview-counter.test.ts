import { expect, test } from 'vitest';
import type { RowValues } from '../../base/canonical-fields.ts';
import { applyOperations } from './apply-operations.ts';
import type { Operation } from './operation.ts';
import { createPreviewCounter } from './preview-counter.ts';
import { compareClasses } from './row-classes.ts';

/** Counts operations on products, whose rows are numbered from 1. */
function countsOf(operations: readonly Operation[], products: readonly (readonly RowValues[])[]) {
  const counter = createPreviewCounter();
  let row = 0;
  for (const product of products) {
    const more = { isInTarget: true, isIgnored: false, isLeftOut: false, cell: () => undefined };
    const rows = product.map((values) => ({ row: ++row, values, sources: {}, ...more }));
    const applied = applyOperations(operations, { rows, currency: null });
    counter.add(applied, compareClasses(rows, applied.changes, { currency: null, hasParents: false }));
  }
  return counter.counts();
}

const times = (amount: string): Operation => ({ kind: 'calculate', field: 'price', by: 'multiply', amount });

test('counts changed, unchanged and left cells', () => {
  const products = [
    [{ title: 'a', price: '1' }, { price: '2' }],
    [{ title: 'b', price: 'n/a' }],
    [{ title: 'c', price: '0' }],
    [{ title: 'd' }],
  ];
  const clear: Operation = { kind: 'clear', field: 'cost' };
  expect(countsOf([times('2'), clear], products)).toMatchObject({
    changed: { cells: 2, rows: 2, products: 1 },
    unchangedCells: 5,
    left: [
      { reason: 'not-a-number', cells: 2, row: 3, before: 'n/a' },
      { reason: 'no-result', cells: 1, row: 4, before: '0' },
    ],
  });
});

test('counts rows that become valid or lose it, also by what they inherit', () => {
  const set: Operation = { kind: 'set', field: 'title', value: 'a' };
  const products = [[{ price: '1' }, { price: '2' }], [{ title: 'b' }], [{ title: 'c', price: '1' }]];
  expect(countsOf([set], products)).toMatchObject({ becomesValid: 2, losesValidity: 0 });
  const clear: Operation = { kind: 'clear', field: 'title' };
  expect(countsOf([clear], products)).toMatchObject({ becomesValid: 0, losesValidity: 1 });
  const price: Operation = { kind: 'map', field: 'price', values: [{ from: 'n/a', to: '5' }] };
  expect(countsOf([price], [[{ title: 'a', price: 'n/a' }]])).toMatchObject({ becomesValid: 1 });
});

test('counts rows that get an issue, each issue with its first row', () => {
  const set: Operation = { kind: 'set', field: 'upc', value: '1111' };
  const products = [[{ title: 'a', price: '1', upc: '2' }], [{ title: 'b', price: '1' }], [{ title: 'c' }]];
  expect(countsOf([set], products)).toMatchObject({
    gained: [{ code: 'upc-check-digit', rows: 2, row: 2 }],
    ...{ becomesValid: 0, losesValidity: 0 },
  });
});

test('finds the largest relative change of an amount', () => {
  const cut: Operation = { kind: 'round', field: 'price', to: { ending: '.99' }, direction: 'down' };
  const products = ['1.98', '1.50', '10'].map((price) => [{ price, cost: '1' }]);
  const { largest } = countsOf([cut], products);
  expect(largest).toEqual({ row: 1, field: 'price', before: '1.98', after: '0.99', percent: -50 });
  const paste: Operation = { kind: 'paste', field: 'price', cells: [[3, '1.00']] };
  expect(countsOf([paste], products).largest).toMatchObject({ row: 3, percent: -90 });
  // Amounts are not converted, so another currency makes the price another one.
  const euros: Operation = {
    kind: 'paste',
    field: 'price',
    cells: [
      [1, '1.234,50 €'],
      [2, '12'],
    ],
  };
  const dollars = [[{ price: '$179.00' }], [{ price: '$29.95' }]];
  expect(countsOf([euros], dollars).largest).toMatchObject({ row: 1, percent: 589.7 });
  const title: Operation = { kind: 'set', field: 'title', value: '500' };
  expect(countsOf([title], products).largest).toBeNull();
});

test('counts and marks rows whose price falls below their cost', () => {
  const products = [
    [{ title: 'a', price: '10', cost: '6' }],
    [{ title: 'b', price: '10', cost: '4' }],
    // It was below its cost before.
    [{ title: 'c', price: '10', cost: '11' }],
    [{ title: 'd', price: '10', cost: '5.01' }],
    [{ title: 'e', price: '10' }],
  ];
  const counts = countsOf([times('0.5')], products);
  expect(counts.belowCost).toEqual({ rows: 2, row: 1 });
  expect(counts.examples.map(({ fallsBelowCost }) => fallsBelowCost)).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
  expect(counts.comparesCosts).toBe(true);
  const brand: Operation = { kind: 'set', field: 'vendor', value: 'x' };
  expect(countsOf([brand], products)).toMatchObject({ belowCost: null, comparesCosts: false });
  // Nothing can be compared without a price, or with a cost that is no number.
  const clear: Operation = { kind: 'clear', field: 'price' };
  expect(countsOf([clear], products)).toMatchObject({ belowCost: null, comparesCosts: false });
  expect(countsOf([times('2')], [[{ price: '1' }, { price: '1', cost: 'ask' }]]).comparesCosts).toBe(false);
  expect(countsOf([times('2')], products)).toMatchObject({ belowCost: null, comparesCosts: true });
});

test('shows at most 20 examples, from all over the products', () => {
  for (const count of [0, 1, 20, 21, 40, 41, 1_000]) {
    const products = Array.from({ length: count }, () => [{ price: '1' }]);
    const rows = countsOf([times('2')], products).examples.map(({ row }) => row);
    expect(rows).toHaveLength(Math.min(20, count));
    expect(new Set(rows).size).toBe(rows.length);
    expect(rows).toEqual(rows.toSorted((a, b) => a - b));
    if (count > 0) expect(rows[0]).toBe(1);
    expect(rows.at(-1) ?? 0).toBeGreaterThanOrEqual(count * 0.95);
  }
});
