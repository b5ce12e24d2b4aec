import { expect, it } from 'vitest';
import {
  applySelectClick,
  buildFilterChips,
  countedProductsWords,
  decisionLimitWords,
  deselectIds,
  dismissLabel,
  findCompetingProposals,
  findQuotedText,
  formatCappedCount,
  type HeldProposal,
  holdProposals,
  isDecidedBy,
  type LineDecision,
  type ListedProposal,
  noneSelected,
  originWords,
  proposalReasonWords,
  reasonWords,
  removeReopened,
  rowFieldWords,
} from './proposal-words.ts';

it('a disagreement names what differs', () => {
  expect(reasonWords({ field: 'title', reason: 'differs' })).toBe('The source has another title.');
  expect(reasonWords({ field: 'type', reason: 'differs' })).toBe('The source names another type.');
  expect(reasonWords({ field: 'image', reason: 'bad-picture' })).toBe(
    'The store wouldn’t accept the product’s own picture.',
  );
});

it('a reason that is a sentence is shown as it is', () => {
  expect(reasonWords({ field: 'type', reason: 'By the rule “Vases”.' })).toBe('By the rule “Vases”.');
});

it('an origin is a source, with its license, or AI', () => {
  const from = (source: string, sourceName: string, attribution: string | null) =>
    originWords({ source, sourceName, attribution });
  expect(from('UPCitemdb', 'upcitemdb', null)).toBe('From UPCitemdb');
  expect(from('Open Products Facts', 'open-products-facts', 'CC BY-SA')).toBe(
    'From Open Products Facts · CC BY-SA',
  );
  expect(from('AI', 'ai', null)).toBe('Proposed by AI');
});

it('a number that was not counted to the end has a plus', () => {
  expect(formatCappedCount(60)).toBe('60');
  expect(formatCappedCount(10_000)).toBe('10,000+');
  expect(countedProductsWords(1)).toBe('1 product');
  expect(countedProductsWords(10_000)).toBe('10,000+ products');
});

it('names the limit of one decision where there are more proposals', () => {
  expect(decisionLimitWords(2000)).toBe(null);
  expect(decisionLimitWords(2001)).toBe('Only the first 2,000 at once.');
});

it('a field has the name that other screens give it', () => {
  expect(rowFieldWords({ field: 'type', row: 4 })).toBe('type of row 4');
  expect(rowFieldWords({ field: 'vendor', row: 1200 })).toBe('brand of row 1,200');
});

const counts = [
  { field: 'description', source: 'ai', label: 'AI', count: 5 },
  { field: 'type', source: 'rule', label: 'your rules', count: 60 },
  { field: 'type', source: 'own', label: 'your earlier imports', count: 2 },
];
const shown = (chips: ReturnType<typeof buildFilterChips>) => ({
  fields: chips.fields.map(({ label, count }) => [label, count]),
  sources: chips.sources.map(({ label, count }) => [label, count]),
});

it('counts the proposals of each field and source, the largest first', () => {
  expect(shown(buildFilterChips(counts, {}))).toEqual({
    fields: [
      ['Type', 62],
      ['Description', 5],
    ],
    sources: [
      ['Your rules', 60],
      ['AI', 5],
      ['Your earlier imports', 2],
    ],
  });
});

it('keeps the chips of an active filter when all of its proposals are decided', () => {
  expect(shown(buildFilterChips(counts.slice(0, 1), { field: 'type', source: 'rule' }))).toEqual({
    fields: [['Type', 0]],
    sources: [['Your rules', 0]],
  });
  expect(shown(buildFilterChips([], { source: 'ai' }))).toEqual({ fields: [], sources: [['AI', 0]] });
});

it('a supplier says what he says now and said before; other evidence is quoted', () => {
  const acme = {
    ...{ field: 'price', source: 'the supplier', sourceName: 'supplier', attribution: null },
    ...{ reason: 'Acme: 13.00 (was 12.00). Yours: 14.40.', evidence: 'was 12.00' },
  };
  expect(proposalReasonWords(acme)).toBe('Acme: 13.00 (was 12.00). Yours: 14.40.');
  expect(findQuotedText(acme)).toBeNull();
  expect(dismissLabel('supplier')).toBe('Keep Yours');
  const ai = { ...acme, field: 'type', sourceName: 'ai', reason: 'differs', evidence: 'oak' };
  expect(proposalReasonWords(ai)).toBe('Proposed by AI. The source names another type.');
  expect(findQuotedText(ai)).toBe('oak');
  expect(dismissLabel('ai')).toBe('Dismiss');
});

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
const shownLine = (lines: ReturnType<typeof holdProposals>) =>
  lines.map(({ id, isOpen, before }) => [id, isOpen, before]);

it('keeps decided lines in their places, renews the others, and adds new ones at the end', () => {
  const first = holdProposals([], [proposal(1), proposal(2), proposal(3)]);
  const second = holdProposals(first, [proposal(2, 'Bowls'), proposal(3), proposal(4)]);
  expect(shownLine(second)).toEqual([
    [1, false, null],
    [2, true, 'Bowls'],
    [3, true, null],
    [4, true, null],
  ]);
  // After an undo the proposal is open again, in its place.
  expect(shownLine(holdProposals(second, [proposal(1), proposal(4)]))[0]).toEqual([1, true, null]);
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
  expect(findCompetingProposals(lines, [one])).toEqual([other]);
  expect(findCompetingProposals(lines, [])).toEqual([]);
});

it('drops a decision about a line that a later reply lists as open', () => {
  const made = new Map([1, 2, 3].map((id) => [id, taken]));
  const lines = [
    ...[line(1, { readAtMs: 300 }), line(2, { readAtMs: 300, isOpen: false })],
    // The reply was asked for before the decision.
    line(3, { readAtMs: 150 }),
  ];
  expect([...removeReopened(made, lines).keys()]).toEqual([2, 3]);
  expect(removeReopened(made, lines.slice(1))).toBe(made);
});

it('finds lines by their ids, or by a filter', () => {
  const filter = { field: 'type', source: 'rule', group: 'Vases' };
  expect(isDecidedBy(line(1), { ids: [1] })).toBe(true);
  expect(isDecidedBy(line(2), { ids: [1] })).toBe(false);
  expect(isDecidedBy(line(1), { filter, expectedCount: 1, upTo: 1 })).toBe(true);
  expect(isDecidedBy(line(1, { group: null }), { filter, expectedCount: 1, upTo: 1 })).toBe(false);
  expect(isDecidedBy(line(1), { filter: {}, expectedCount: 1, upTo: 1 })).toBe(true);
  expect(isDecidedBy(line(2), { filter: {}, expectedCount: 1, upTo: 1 })).toBe(false);
});

const ids = [3, 5, 8, 13, 21];

it('selects one box, and with Shift all up to the one before', () => {
  const first = applySelectClick(noneSelected, ids, { id: 5, isOn: true, from: null });
  expect([...first]).toEqual([5]);
  const range = applySelectClick(first, ids, { id: 21, isOn: true, from: 5 });
  expect([...range]).toEqual([5, 8, 13, 21]);
  expect([...applySelectClick(range, ids, { id: 8, isOn: false, from: 21 })]).toEqual([5]);
});

it('selects one box if the one before is not in the list any more', () => {
  expect([...applySelectClick(noneSelected, ids, { id: 8, isOn: true, from: 99 })]).toEqual([8]);
});

it('takes one box out of all that match', () => {
  expect([...applySelectClick('matching', ids, { id: 3, isOn: false, from: null })]).toEqual([5, 8, 13, 21]);
});

it('keeps what was selected while others were decided', () => {
  expect(deselectIds(new Set([3, 5, 8]), [3, 8])).toEqual(new Set([5]));
  expect(deselectIds('matching', ids)).toEqual(noneSelected);
});
