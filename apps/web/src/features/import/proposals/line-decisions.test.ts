import { expect, it } from 'vitest';
import type { HeldProposal } from './held-proposals.ts';
import { isAmong, type LineDecision, othersOfFields, withoutReopened } from './line-decisions.ts';

const line = (id: number, set: Partial<HeldProposal> = {}): HeldProposal => ({
  ...{ id, row: id, title: null, field: 'type', before: null, changed: false, value: 'Vases' },
  ...{ source: 'your rules', sourceName: 'rule', group: 'Vases', attribution: null, reason: '' },
  ...{ evidence: null, isOpen: true, readAtMs: 100 },
  ...set,
});
const taken: LineDecision = { action: 'take', command: 'a', isBulk: false, atMs: 200 };

it('withdraws the other open lines for the same field of the same row', () => {
  const [one, other] = [line(1), line(2, { row: 1, sourceName: 'own' })];
  const lines = [
    ...[one, other, line(3, { row: 1, field: 'vendor' }), line(4, { row: 2 })],
    line(5, { row: 1, isOpen: false }),
  ];
  expect(othersOfFields(lines, [one])).toEqual([other]);
  expect(othersOfFields(lines, [])).toEqual([]);
});

it('drops a decision about a line that a later reply lists as open', () => {
  const made = new Map([1, 2, 3].map((id) => [id, taken]));
  const lines = [
    ...[line(1, { readAtMs: 300 }), line(2, { readAtMs: 300, isOpen: false })],
    // The reply was asked for before the decision.
    line(3, { readAtMs: 150 }),
  ];
  expect([...withoutReopened(made, lines).keys()]).toEqual([2, 3]);
  expect(withoutReopened(made, lines.slice(1))).toBe(made);
});

it('finds lines by their ids, or by a filter', () => {
  const filter = { field: 'type', source: 'rule', group: 'Vases' };
  expect(isAmong(line(1), { ids: [1] })).toBe(true);
  expect(isAmong(line(2), { ids: [1] })).toBe(false);
  expect(isAmong(line(1), { filter, expectedCount: 1, upTo: 1 })).toBe(true);
  expect(isAmong(line(1, { group: null }), { filter, expectedCount: 1, upTo: 1 })).toBe(false);
  expect(isAmong(line(1), { filter: {}, expectedCount: 1, upTo: 1 })).toBe(true);
  expect(isAmong(line(2), { filter: {}, expectedCount: 1, upTo: 1 })).toBe(false);
});
