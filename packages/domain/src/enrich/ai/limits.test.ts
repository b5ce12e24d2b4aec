import { expect, it } from 'vitest';
import { type AiLimits, type AiUse, costOf, exceededLimit, isOfImport, isOfSize } from './limits.ts';

const limits: AiLimits = {
  ...{ requestsPerMinute: 3, tokensPerDay: 1_000, costPerDay: 1 },
  ...{ importRequests: 5, importTokens: 500, importCost: 0.5, parallel: 2 },
};
const none: AiUse = {
  ...{ requestsInMinute: 0, tokensInDay: 0, costInDay: 0, running: 0 },
  ofImport: { requests: 0, tokens: 0, cost: 0 },
};
const prices = { in: 500, out: 1_000 };
const of = (use: Partial<AiUse>, reserved = { in: 100, out: 100 }, its: Partial<AiUse['ofImport']> = {}) =>
  exceededLimit({ ...none, ...use, ofImport: { ...none.ofImport, ...its } }, limits, reserved, prices);

it('a call up to each limit is made, and none above it', () => {
  expect(of({})).toBeNull();
  expect(of({}, { in: 250, out: 250 })).toBeNull();
  expect(of({}, { in: 250, out: 251 })).toBe('importTokens');
  expect(of({}, undefined, { tokens: 300 })).toBeNull();
  expect(of({}, undefined, { tokens: 301 })).toBe('importTokens');
  expect(of({}, undefined, { requests: 5 })).toBe('importRequests');
  expect(of({}, undefined, { cost: 0.36 })).toBe('importCost');
  expect(of({ tokensInDay: 801 })).toBe('tokensPerDay');
  expect(of({ costInDay: 0.9 })).toBe('costPerDay');
  expect(of({ requestsInMinute: 3 })).toBe('requestsPerMinute');
  expect(of({ running: 2 })).toBe('parallel');
});

it('a limit that a person has to raise is named before one that passes', () => {
  expect(of({ running: 2, requestsInMinute: 3 }, undefined, { requests: 5 })).toBe('importRequests');
  expect(isOfImport('importCost') && isOfSize('importCost')).toBe(true);
  expect(isOfImport('tokensPerDay') || isOfSize('parallel')).toBe(false);
});

it('costs count only with prices', () => {
  expect(costOf({ in: 1_000_000, out: 500_000 }, { in: 0.5, out: 2 })).toBe(1.5);
  expect(costOf({ in: 1_000_000, out: 500_000 }, null)).toBe(0);
});
