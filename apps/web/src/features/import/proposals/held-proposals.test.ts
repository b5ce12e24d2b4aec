import { expect, it } from 'vitest';
import { holdProposals } from './held-proposals.ts';
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
