import { expect, test } from 'vitest';
import { isCarriedCommand } from './carried-command.ts';
import type { Operation } from './operation.ts';

const set: Operation = { kind: 'set', field: 'vendor', value: 'Acme' };
const bulk = (targets: 'rows' | 'filter', ...operations: Operation[]) =>
  isCarriedCommand({ kind: 'bulk', targets, operations });

test('what was done to single rows is carried', () => {
  for (const kind of ['single', 'proposals', 'copied', 'carried']) {
    expect(isCarriedCommand({ kind, targets: null, operations: null }), kind).toBe(true);
  }
});

test('constants for ticked rows are carried, also several', () => {
  expect(bulk('rows', set, { kind: 'clear', field: 'upc' })).toBe(true);
  expect(bulk('rows', { kind: 'leave-out', leaveOut: true })).toBe(true);
});

test('a filter and what is computed from a row are not', () => {
  expect(bulk('filter', set)).toBe(false);
  expect(bulk('rows', { kind: 'trim', field: 'title' })).toBe(false);
  expect(bulk('rows', set, { kind: 'calculate', field: 'price', by: 'multiply', amount: '1.2' })).toBe(false);
});
