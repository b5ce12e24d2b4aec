import { expect, test } from 'vitest';
import { createFaults, Fault } from './faults.ts';

const fault = (value: object) => Fault.parse(value);
const kinds = (struck: Fault[]) => struck.map((one) => one.kind);

test('a fault affects its operation as often as requested', () => {
  const faults = createFaults();
  faults.add(fault({ kind: 'drop-after', operation: 'productSet', times: 2 }));
  expect(kinds(faults.strike('shop'))).toEqual([]);
  expect(kinds(faults.strike('productSet'))).toEqual(['drop-after']);
  expect(kinds(faults.strike('productSet'))).toEqual(['drop-after']);
  expect(kinds(faults.strike('productSet'))).toEqual([]);
});

test('a fault can affect every third request until cleared', () => {
  const faults = createFaults();
  faults.add(fault({ kind: 'status', status: 503, every: 3, times: 100 }));
  const struck = Array.from({ length: 6 }, () => faults.strike('shop').length);
  expect(struck).toEqual([0, 0, 1, 0, 0, 1]);
  faults.clear();
  expect(Array.from({ length: 3 }, () => faults.strike('shop').length)).toEqual([0, 0, 0]);
});
