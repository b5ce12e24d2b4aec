import { expect, it } from 'vitest';
import {
  type HeldProposal,
  holdProposals,
  isAmong,
  type LineDecision,
  noneSelected,
  othersOfFields,
  selectWith,
  withoutIds,
  withoutReopened,
} from './proposal-lines.ts';
import type { ListedProposal } from './proposals-api.ts';

const proposal = (id: number, before: string | null = null): ListedProposal => ({
  ...{
    id,
    row: id,
    title: null,
    field: 'type',
    before,
    changed: false,
    value: 'Vases',
    source: 'your rules',
  },
  ...{ sourceName: 'rule', group: null, attribution: null, reason: '', evidence: null, readAtMs: 0 },
});
const shown = (lines: ReturnType<typeof holdProposals>) =>
  lines.map(({ id, isOpen, before }) => [id, isOpen, before]);

it('keeps decided lines in their places, renews the others, and adds new ones at the end', () => {
  const first = holdProposals([], [proposal(1), proposal(2), proposal(3)]);
  const second = holdProposals(first, [proposal(2, 'Bowls'), proposal(3), proposal(4)]);
  expect(shown(second)).toEqual([
    [1, false, null],
    [2, true, 'Bowls'],
    [3, true, null],
    [4, true, null],
  ]);
  // After an undo the proposal is open again, in its place.
  expect(shown(holdProposals(second, [proposal(1), proposal(4)]))[0]).toEqual([1, true, null]);
});

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

const ids = [3, 5, 8, 13, 21];

it('selects one box, and with Shift all up to the one before', () => {
  const first = selectWith(noneSelected, ids, { id: 5, isOn: true, from: null });
  expect([...first]).toEqual([5]);
  const range = selectWith(first, ids, { id: 21, isOn: true, from: 5 });
  expect([...range]).toEqual([5, 8, 13, 21]);
  expect([...selectWith(range, ids, { id: 8, isOn: false, from: 21 })]).toEqual([5]);
});

it('selects one box if the one before is not in the list any more', () => {
  expect([...selectWith(noneSelected, ids, { id: 8, isOn: true, from: 99 })]).toEqual([8]);
});

it('takes one box out of all that match', () => {
  expect([...selectWith('matching', ids, { id: 3, isOn: false, from: null })]).toEqual([5, 8, 13, 21]);
});

it('keeps what was selected while others were decided', () => {
  expect(withoutIds(new Set([3, 5, 8]), [3, 8])).toEqual(new Set([5]));
  expect(withoutIds('matching', ids)).toEqual(noneSelected);
});
