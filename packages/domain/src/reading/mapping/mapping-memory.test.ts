import { describe, expect, test } from 'vitest';
import type { CanonicalField } from '../../base/canonical-fields.ts';
import {
  findRememberedMapping,
  headerKeys,
  type RememberedMapping,
  selectMemorableChoices,
} from './mapping-memory.ts';

const may = ['Item Name', 'Cost Price', 'Dealer', 'EAN', 'Colour'];
const memoryOf = (
  headers: string[],
  columns: Record<string, CanonicalField | null>,
  filename = 'prices-may.csv',
): RememberedMapping => ({ headers: headerKeys(headers), columns, readings: {}, filename });

const recalled = (headers: string[], ...memories: RememberedMapping[]) =>
  findRememberedMapping(headers, memories)?.overrides;

describe('the keys of headers', () => {
  test('ignore case, punctuation, order and repetition', () => {
    expect(headerKeys(['Cost_Price', 'item name', 'Cost Price'])).toEqual(['costprice', 'itemname']);
    expect(headerKeys(['ITEM-NAME', 'cost price'])).toEqual(headerKeys(['Cost Price', 'Item Name']));
  });

  test('are none if the columns have no names', () => {
    expect(headerKeys(['Column 1', 'Column 2', 'Field3', '4'])).toEqual([]);
    expect(headerKeys(['Column 1', 'Title'])).toEqual([]);
    expect(headerKeys(['Column 1', 'Title', 'Price'])).toEqual(['price', 'title']);
  });
});

test('only columns with a name that the file has are remembered', () => {
  const overrides = {
    Dealer: { field: 'price', by: 'operator' },
    Colour: { field: null, by: 'memory', from: 'a.csv' },
    'Column 6': { field: 'sku', by: 'operator' },
    Gone: { field: 'upc', by: 'operator' },
  } as const;
  expect(selectMemorableChoices([...may, ''], overrides).columns).toEqual({ Dealer: 'price', Colour: null });
});

describe('a remembered mapping', () => {
  const memory = memoryOf(may, { Dealer: 'price', Colour: null });

  test('is used for the same headers, in any order and spelling', () => {
    expect(recalled(['colour', 'EAN', 'DEALER', 'item_name', 'Cost Price'], memory)).toEqual({
      DEALER: { field: 'price', by: 'memory', from: 'prices-may.csv' },
      colour: { field: null, by: 'memory', from: 'prices-may.csv' },
    });
  });

  test('is used for a file with one column more, or one less that was not set', () => {
    expect(recalled([...may, 'Weight'], memory)).toHaveProperty('Dealer');
    expect(recalled(['Item Name', 'Cost Price', 'Dealer', 'Colour'], memory)).toHaveProperty('Dealer');
  });

  test('is not used if the file lacks a column that was set, or shares less than 80 %', () => {
    expect(recalled(['Item Name', 'Cost Price', 'EAN', 'Colour'], memory)).toBeUndefined();
    expect(recalled([...may, 'Weight', 'Height'], memory)).toBeUndefined();
    expect(recalled(['Title', 'Price'], memory)).toBeUndefined();
    expect(recalled(['Column 1', 'Column 2'], memoryOf(['Column 1', 'Column 2'], {}))).toBeUndefined();
  });

  test('of the same headers is preferred, then the one that shares most', () => {
    const wider = memoryOf([...may, 'Weight'], { Dealer: 'cost' }, 'wider.csv');
    expect(recalled(may, wider, memory)?.Dealer?.from).toBe('prices-may.csv');
    expect(recalled([...may, 'Weight'], memory, wider)?.Dealer?.from).toBe('wider.csv');
    const larger = memoryOf([...may, 'Weight', 'Height', 'Depth'], { Depth: 'sku' }, 'larger.csv');
    expect(recalled([...may, 'Weight', 'Height'], larger, wider)?.Dealer?.from).toBe('wider.csv');
  });
});
