import { expect, test } from 'vitest';
import { createFaults, Fault } from './faults.ts';

let nowMs = 0;
const fault = (value: object) => Fault.parse(value);
const kinds = (struck: Fault[]) => struck.map((one) => one.kind);

test('a fault affects its operation as often as requested', () => {
  const faults = createFaults(() => nowMs);
  faults.add(fault({ kind: 'drop-after', operation: 'productSet', times: 2 }));
  expect(kinds(faults.strike('shop'))).toEqual([]);
  expect(kinds(faults.strike('productSet'))).toEqual(['drop-after']);
  expect(kinds(faults.strike('productSet'))).toEqual(['drop-after']);
  expect(kinds(faults.strike('productSet'))).toEqual([]);
});

test('a fault can affect every third request until cleared', () => {
  const faults = createFaults(() => nowMs);
  faults.add(fault({ kind: 'status', status: 503, every: 3, times: 100 }));
  const struck = Array.from({ length: 6 }, () => faults.strike('shop').length);
  expect(struck).toEqual([0, 0, 1, 0, 0, 1]);
  faults.clear();
  expect(Array.from({ length: 3 }, () => faults.strike('shop').length)).toEqual([0, 0, 0]);
});

test('a fault can leave the first requests alone', () => {
  const faults = createFaults(() => nowMs);
  faults.add(fault({ kind: 'throttled', operation: 'shop', after: 2, times: 2 }));
  expect(Array.from({ length: 5 }, () => faults.strike('shop').length)).toEqual([0, 0, 1, 1, 0]);
});

test('a storm strikes for its time', () => {
  const faults = createFaults(() => nowMs);
  faults.add(fault({ kind: 'status', status: 429, forMs: 5_000 }));
  const struck = () => faults.strike('shop').length;
  expect([struck(), struck(), struck()]).toEqual([1, 1, 1]);
  nowMs += 5_000;
  expect(struck()).toBe(0);
});
