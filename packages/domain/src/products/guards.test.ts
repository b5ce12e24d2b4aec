import { expect, test } from 'vitest';
import { mapHeaders } from '../reading/mapping/header-mapping.ts';
import { areGuardsEqual, findBrokenGuards, findGuardColumn, type GuardedRow, type Guards } from './guards.ts';

const none: Guards = { guardCost: null, guardColumn: null, guardChange: null };

const row = (of: Partial<GuardedRow>): GuardedRow => ({
  values: { title: 'Vase', price: '12.99', cost: '10' },
  ...{ cell: undefined, price: null, priceThen: null },
  ...of,
});
const broken = (of: Partial<GuardedRow>, guards: Partial<Guards>) =>
  findBrokenGuards([row(of)], { ...none, ...guards })[0];

test('a price is held to its cost times a number, to the cent', () => {
  const guards = { guardCost: 1.3 };
  const withCost = (price: string, cost?: string) =>
    broken({ values: { title: 'Vase', price, cost } }, guards);
  expect(withCost('12.99', '10')).toEqual(['guard-cost']);
  expect(withCost('13', '10')).toEqual([]);
  expect(withCost('$0.39', '0.30')).toEqual([]);
  expect(withCost('0', '10')).toEqual(['guard-cost']);
  // There is nothing to compare.
  expect(withCost('12', undefined)).toEqual([]);
  expect(withCost('12', 'ask')).toEqual([]);
  expect(withCost('ask', '12')).toEqual([]);
  expect(broken({}, {})).toEqual([]);
});

test('a price is held to a column of the file', () => {
  const guards = { guardColumn: 'MAP' };
  expect(broken({ cell: '13.00 USD' }, guards)).toEqual(['guard-column']);
  expect(broken({ cell: '12.99' }, guards)).toEqual([]);
  expect(broken({ cell: '' }, guards)).toEqual([]);
  const mapping = mapHeaders(['Title', ' map ', 'Price']);
  expect(findGuardColumn(mapping, 'MAP')).toBe(1);
  expect(findGuardColumn(mapping, 'MSRP')).toBe(-1);
});

test('a price is held to that of the last list, as the supplier says both', () => {
  const guards = { guardChange: 30 };
  const changed = (priceThen: number | null, price: number | null) => broken({ price, priceThen }, guards);
  expect(changed(100_000, 130_000)).toEqual([]);
  expect(changed(100_000, 130_001)).toEqual(['guard-change']);
  expect(changed(100_000, 69_999)).toEqual(['guard-change']);
  expect(changed(0, 1)).toEqual(['guard-change']);
  expect(changed(null, 130_001)).toEqual([]);
  expect(changed(100_000, null)).toEqual([]);
});

test('rows of a product that are no variants are not held to anything', () => {
  const parent = row({ values: { title: 'Shirt', sku: 'P', price: '1', cost: '10' } });
  const variant = row({ values: { sku: 'P-S', parentSku: 'P', price: '1', cost: '10', option1Value: 'S' } });
  const picture = row({ values: { image: 'https://pictures.example/1.jpg' }, cell: '20' });
  const guards = { ...none, guardCost: 2, guardColumn: 'MAP' };
  expect(findBrokenGuards([parent, variant, picture], guards)).toEqual([[], ['guard-cost'], []]);
});

test('guards are the same if all their limits are', () => {
  expect(areGuardsEqual(null, none)).toBe(true);
  expect(areGuardsEqual({ ...none, guardCost: 1.3 }, { ...none, guardCost: 1.3 })).toBe(true);
  expect(areGuardsEqual({ ...none, guardCost: 1.3 }, null)).toBe(false);
});
