import { expect, test } from 'vitest';
import type { GuardIssue } from '../products/guards.ts';
import { mapHeaders } from '../reading/mapping/header-mapping.ts';
import { listGuardFindings } from './guard-findings.ts';

const guards = { guardCost: 1.3, guardColumn: 'MAP', guardChange: 30 };
const rows = (of: Partial<Record<GuardIssue, number>>) => (issue: GuardIssue) => of[issue] ?? 0;

test('a guard holds what is beyond it, or all if there is nothing to compare prices with', () => {
  const whole = mapHeaders(['Title', 'Price', 'Cost', 'MAP']);
  expect(listGuardFindings(guards, rows({}), whole)).toEqual([]);
  expect(listGuardFindings(guards, rows({ 'guard-cost': 18, 'guard-change': 1 }), whole)).toEqual([
    { issue: 'guard-cost', limit: 'cost × 1.3', rows: 18 },
    { issue: 'guard-change', limit: '30 %', rows: 1 },
  ]);
  expect(listGuardFindings(guards, rows({}), mapHeaders(['Title', 'Price']))).toEqual([
    { issue: 'guard-cost', limit: 'cost × 1.3', rows: null },
    { issue: 'guard-column', limit: '“MAP”', rows: null },
  ]);
  // A list of stock has no prices that could be beyond anything.
  expect(listGuardFindings(guards, rows({}), mapHeaders(['SKU', 'Quantity']))).toEqual([]);
});
