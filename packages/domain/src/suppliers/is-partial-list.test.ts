import { expect, it } from 'vitest';
import { mapHeaders } from '../reading/mapping/header-mapping.ts';
import { isPartialList } from './is-partial-list.ts';

it.each([
  ['number, stock and price', 'SKU,Qty,Price', true],
  ['UPC and quantity', 'UPC,Quantity', true],
  ['item number and cost', 'Item Number,Cost', true],
  ['handle and compare-at price', 'Handle,Compare At Price', true],
  ['a title column', 'SKU,Title,Price', false],
  ['no key', 'Brand,Price', false],
  ['no amount', 'SKU,Brand', false],
])('is a list of prices and stock by its columns: %s', (_what, headers, isPartial) => {
  expect(isPartialList(mapHeaders(headers.split(',')))).toBe(isPartial);
});
