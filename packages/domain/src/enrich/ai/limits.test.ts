import { expect, it } from 'vitest';
import {
  type AiLimits,
  type AiUsage,
  costOf,
  findExceededLimit,
  isImportLimit,
  isSizeLimit,
} from './limits.ts';

const limits: AiLimits = {
  ...{ requestsPerMinute: 3, tokensPerDay: 1_000, costPerDay: 1 },
  ...{ importRequests: 5, importTokens: 500, importCost: 0.5, parallel: 2 },
};
const prices = { in: 500, out: 1_000 };
const of = (use: AiUsage, reserved = { in: 100, out: 100 }) =>
  findExceededLimit(use, limits, reserved, prices);

it('a call up to each limit is made, and none above it', () => {
  expect(of({})).toBeNull();
  expect(of({}, { in: 250, out: 250 })).toBeNull();
  expect(of({}, { in: 250, out: 251 })).toBe('importTokens');
  expect(of({ importTokens: 300 })).toBeNull();
  expect(of({ importTokens: 301 })).toBe('importTokens');
  expect(of({ importRequests: 5 })).toBe('importRequests');
  expect(of({ importCost: 0.36 })).toBe('importCost');
  expect(of({ tokensPerDay: 801 })).toBe('tokensPerDay');
  expect(of({ costPerDay: 0.9 })).toBe('costPerDay');
  expect(of({ requestsPerMinute: 3 })).toBe('requestsPerMinute');
  expect(of({ parallel: 2 })).toBe('parallel');
});

it('a limit that a person has to raise is named before one that passes', () => {
  expect(of({ parallel: 2, requestsPerMinute: 3, importRequests: 5 })).toBe('importRequests');
  expect(isImportLimit('importCost') && isSizeLimit('importCost')).toBe(true);
  expect(isImportLimit('tokensPerDay') || isSizeLimit('parallel')).toBe(false);
});

it('costs count only with prices', () => {
  expect(costOf({ in: 1_000_000, out: 500_000 }, { in: 0.5, out: 2 })).toBe(1.5);
  expect(costOf({ in: 1_000_000, out: 500_000 }, null)).toBeNull();
});
