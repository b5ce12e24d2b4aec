import { expect, test } from 'vitest';
import type { RowValues } from '../base/canonical-fields.ts';
import { issueFixes } from './issue-fixes.ts';
import { issuesIn } from './issue-set.ts';
import type { RowIssue } from './issues.ts';
import { applyOperations } from './operations/apply-operations.ts';
import { Operations } from './operations/operation.ts';
import { validateRow } from './validate-row.ts';

const long = `${'long words '.repeat(30)}end`;
const vase: RowValues = { title: 'Vase', price: '20' };

/** Rows with the issue of each fix. */
const broken: [RowIssue, RowValues][] = [
  ['title-too-long', { ...vase, title: long }],
  ['title-too-long', { ...vase, title: 'x'.repeat(300) }],
  ['title-too-long', { ...vase, title: '🪔'.repeat(128) }],
  ['brand-too-long', { ...vase, vendor: long }],
  ['type-too-long', { ...vase, type: long }],
  ['tag-too-long', { ...vase, tags: `brass, ${long}, ${'y'.repeat(300)}` }],
  ['upc-too-long', { ...vase, upc: '1'.repeat(300) }],
  ['upc-check-digit', { ...vase, upc: '036000291453' }],
  ['upc-digits-lost', { ...vase, upc: '8.85E+11' }],
  ['image-invalid', { ...vase, image: '/images/vase.jpg' }],
  ['compare-at-below-price', { ...vase, compareAtPrice: '$12' }],
  ['quantity-negative', { ...vase, quantity: '-3' }],
  ['quantity-negative', { ...vase, quantity: 'default=-100,annex=20' }],
];

const issuesOf = (values: RowValues) => issuesIn(validateRow(values, {}).issues);

test.each(broken)('%s is gone after its fix, and nothing else changes', (code, values) => {
  expect(issuesOf(values)).toContain(code);
  const fix = issueFixes.find((one) => one.code === code);
  if (!fix) throw new Error('no fix');
  const row = { row: 1, values, isInTarget: true, isIgnored: false, isLeftOut: false, cell: () => undefined };
  const { changes, left } = applyOperations(Operations.parse(fix.operations), {
    rows: [row],
    currency: 'CAD',
  });
  expect([left, changes.length]).toEqual([[], 1]);
  const [{ field, after } = { field: 'title', after: '' }] = changes;
  const { [field as keyof RowValues]: before, ...others } = values;
  const fixed: RowValues = after ? { ...others, [field]: after } : others;
  // A code that is too long is also no valid one: clearing it ends both.
  expect(issuesOf(fixed)).toEqual(issuesOf(values).filter((one) => one !== code && !one.startsWith('upc-')));
  expect(validateRow(fixed, {}).class).toBe('valid');
  expect(after).not.toBe(before);
});

test('every fix is tried, and a code has one', () => {
  expect(issueFixes.map(({ code }) => code)).toEqual([...new Set(broken.map(([code]) => code))]);
});
