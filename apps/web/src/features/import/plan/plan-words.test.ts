import type { Plan } from '@draftshelf/contract/push/plan';
import { expect, test } from 'vitest';
import { createPlanChips } from './plan-list.tsx';
import {
  announcePlanState,
  comparisonSentence,
  decideAllLabel,
  describeChoice,
  describeOpenDecisions,
  editedSinceWords,
  hasOneOpenProduct,
  listOutcomeCodes,
  outdatedWords,
  parsePlanView,
  partsWords,
  planEstimateWords,
  planHeadPieces,
  plannedSentence,
  type SentencePiece,
  sumOutcome,
  valueLabel,
} from './plan-words.ts';

const sums: Plan['sums'] = [
  { outcome: 'created', code: null, products: 3 },
  { outcome: 'skipped', code: 'left-out', products: 1 },
  { outcome: 'skipped', code: 'drifted', products: 5 },
];
const decisions: Plan['decisions'] = [
  { about: 'drifted', open: 5, choices: [{ choice: 'use-ours', allowed: 5, decided: 2 }] },
];
const plan = { sums, push: null, needDecision: 5, decisions } as unknown as Plan;

test('the estimate of a plan in words', () => {
  expect(planEstimateWords({ points: 97, seconds: 2 })).toBe('Takes about 2 seconds, and writes nothing.');
  expect(planEstimateWords({ points: 0, seconds: 0 })).toBe('Takes about 1 second, and writes nothing.');
  expect(planEstimateWords({ points: 1, seconds: 1000 })).toBe('Takes about 17 minutes, and writes nothing.');
  expect(planEstimateWords(null)).toMatch(/^Shows what a push would do/);
});

/** A sentence as it reads. */
const textOf = (pieces: readonly SentencePiece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : Object.values(piece)[0])).join('');

test('what a push would do is one sentence', () => {
  const outdated = { rows: false, settings: false, store: false, editedRows: 0 };
  const ready = { ...plan, outdated, needDecision: 2, decided: 0, decidedSince: 0, endedAt: 'noon' } as Plan;
  expect(textOf(plannedSentence(ready, false))).toBe(
    'A push would create 3 products and skip 6 (2 of them need your decision).',
  );
  expect(textOf(plannedSentence({ ...ready, needDecision: 0 }, true))).toBe(
    'Held back. If you send its prices as they are, a push would create 3 products and skip 6.',
  );
  expect(textOf(plannedSentence({ ...ready, decided: 4, decidedSince: 4 }, false))).toBe(
    'A push would create 3 products and skip 6. 2 need your decision. 4 decided. To count your newer decisions, compare again.',
  );
  const edited = { ...ready, needDecision: 0, outdated: { ...outdated, editedRows: 1 } };
  expect(textOf(plannedSentence(edited, false))).toBe(
    'Plan of noon, before 1 row was edited: create 3 products and skip 6.',
  );
});

test('what a push did is one sentence', () => {
  const push = { run: 1, isLast: true, isUndone: false, asPlanned: 3_024 };
  expect(textOf(comparisonSentence({ ...push, otherwise: [] }))).toBe(
    'The push went: 3,024 products as planned.',
  );
  const otherwise: NonNullable<Plan['push']>['otherwise'] = [
    { reason: 'store', products: 5 },
    { reason: 'edited', products: 2 },
  ];
  expect(textOf(comparisonSentence({ ...push, otherwise }))).toBe(
    'The push went: 3,024 products as planned, 7 not as planned: 5 different in the store, 2 edited since.',
  );
});

test('the head says how a push went until the next one would do something else', () => {
  const outdated = { rows: false, settings: true, store: false, editedRows: 0 };
  const push = { run: 1, isLast: true, isUndone: false, asPlanned: 0 };
  const head = (asPlanned: number, otherwise: NonNullable<Plan['push']>['otherwise'], editedRows = 0) => {
    const pushed = { ...push, asPlanned, otherwise };
    const pieces = planHeadPieces({
      ...plan,
      ...{ state: 'ready', push: pushed, outdated: { ...outdated, editedRows } },
    });
    return pieces && textOf(pieces);
  };
  expect(head(50, [])).toBe('50 as planned');
  expect(head(0, [{ reason: 'store', products: 90 }])).toBe('90 not as planned: different in the store');
  expect(
    head(50, [
      { reason: 'edited', products: 2 },
      { reason: 'refused', products: 1 },
    ]),
  ).toBe('50 as planned, 3 not as planned');
  expect(head(50, [], 1)).toBeNull();
});

test('the head says that a plan is updated after a change and after a decision', () => {
  const outdated = { rows: false, settings: false, store: false, editedRows: 0 };
  const head = (change: Partial<Plan>) => {
    const ready = { ...plan, state: 'ready', outdated, decidedSince: 0, ...change } as Plan;
    return textOf(planHeadPieces(ready) ?? []);
  };
  expect(head({})).toBe('A push creates 3, skips 6');
  expect(head({ outdated: { ...outdated, editedRows: 2 } })).toBe(
    'Updating the plan… (was: creates 3, skips 6)',
  );
  expect(head({ decidedSince: 1 })).toBe('Updating the plan… (was: creates 3, skips 6)');
});

test('the end of a plan is read out, and why it has failed', () => {
  const read = (state: Plan['state'], message: string | null = null) => announcePlanState({ state, message });
  expect(read('ready')).toBe('The push is planned.');
  expect(read('failed', 'The store refused.')).toBe('Couldn’t plan the push: The store refused.');
  expect(read('failed')).toBe('Couldn’t plan the push.');
  expect(read('none')).toBe('');
});

test('what has changed since a plan, in words', () => {
  const nothing = { rows: false, settings: false, store: false, editedRows: 0 };
  const words = (outdated: Partial<Plan['outdated']>) => outdatedWords({ ...nothing, ...outdated });
  expect(words({})).toBeNull();
  expect(words({ editedRows: 14 })).toBe('before 14 rows were edited');
  expect(words({ editedRows: 10_000 })).toBe('before 10,000 rows or more were edited');
  expect(words({ settings: true })).toBe('before the settings changed');
  expect(words({ store: true })).toBe('before products were changed in the store');
  expect(words({ settings: true, editedRows: 1 })).toBe('before 1 row was edited and the settings changed');
  expect(words({ rows: true, settings: true, store: false, editedRows: 1 })).toBe(
    'before the file was re-read',
  );
});

test('after the push of a plan, only what was edited since the push', () => {
  const outdated = { rows: true, settings: true, store: false, editedRows: 1 };
  expect(editedSinceWords(outdated)).toBe('1 row edited since.');
  expect(editedSinceWords({ ...outdated, editedRows: 0 })).toBeNull();
});

test('sums by outcome and by code, the largest first', () => {
  expect(sumOutcome(sums, 'skipped')).toBe(6);
  expect(sumOutcome(sums, 'updated')).toBe(0);
  expect(listOutcomeCodes(sums, 'skipped').map(({ code }) => code)).toEqual(['drifted', 'left-out']);
  expect(listOutcomeCodes(sums, 'created')).toEqual([]);
});

test('the lists that an address names', () => {
  expect(parsePlanView('skipped:drifted')).toEqual({ action: 'skipped', code: 'drifted' });
  expect(parsePlanView('updated')).toEqual({ action: 'updated' });
  expect(parsePlanView('otherwise')).toEqual({ otherwise: 'true' });
  expect(parsePlanView('otherwise:edited')).toEqual({ otherwise: 'edited' });
  expect(parsePlanView('otherwise:toString')).toEqual({ otherwise: 'true' });
  expect(parsePlanView('decisions')).toEqual({ open: 'true' });
  expect(parsePlanView('decisions:drifted')).toEqual({ about: 'drifted' });
  expect(parsePlanView('all')).toEqual({});
  expect(parsePlanView('nothing:known')).toEqual({});
});

test('the chips of a list: outcomes with products, and the codes of the chosen one', () => {
  const { outcomes, within } = createPlanChips(plan, 'skipped:drifted');
  expect(outcomes.map(({ label, products }) => `${label} ${products}`)).toEqual([
    'All 9',
    'Create 3',
    'Skip 6',
    'Need a decision 5',
  ]);
  expect(outcomes.find(({ isPressed }) => isPressed)?.label).toBe('Skip');
  // A second click on the pressed one shows all codes again.
  expect(within).toMatchObject([
    { label: 'Changed in the store', view: 'skipped', isPressed: true },
    { label: 'Left out by you', view: 'skipped:left-out', isPressed: false },
  ]);
  expect(createPlanChips(plan, 'decisions').within).toMatchObject([
    { label: 'Changed in the store', view: 'decisions:drifted', products: 7 },
  ]);
  // What is decided can be taken back, also when nothing waits.
  const decided = createPlanChips({ ...plan, needDecision: 0 }, 'all').outcomes;
  expect(decided.at(-1)).toMatchObject({ view: 'decisions', products: 0 });
  const push: Plan['push'] = {
    run: 1,
    isLast: true,
    isUndone: false,
    asPlanned: 8,
    otherwise: [{ reason: 'edited', products: 1 }],
  };
  const pushed = createPlanChips({ ...plan, push }, 'otherwise');
  expect(pushed.outcomes.at(-1)).toMatchObject({ label: 'Not as planned', products: 1, isPressed: true });
  expect(pushed.within).toMatchObject([{ label: 'Edited since', view: 'otherwise:edited' }]);
});

test('parts and values have the words of the operator', () => {
  expect(partsWords(['title'])).toBe('title');
  expect(partsWords(['title', 'vendor', 'variants'])).toBe('title, brand and variants');
  expect(valueLabel({ part: 'type', name: '' })).toBe('Product type');
  expect(valueLabel({ part: 'variants', name: 'price' })).toBe('Price');
  expect(valueLabel({ part: 'metafields', name: 'custom.width' })).toBe('Metafields custom.width');
});

test('products that need a decision are said to be among those that a push would skip', () => {
  expect(describeOpenDecisions(1, 2)).toBe('1 of them needs your decision');
  expect(describeOpenDecisions(2, 31)).toBe('2 of them need your decision');
  expect(describeOpenDecisions(31, 31)).toBe('all need your decision');
  expect(describeOpenDecisions(1, 1)).toBe('it needs your decision');
});

test('a choice for all names how many products allow it', () => {
  const words = (allowed: number, open: number) =>
    decideAllLabel('blocked', { choice: 'send-without', allowed, open });
  expect(words(1, 1)).toBe('Send the Rest');
  expect(words(12, 12)).toBe('Send the Rest for All 12');
  expect(words(5, 1200)).toBe('Send the Rest for 5 of 1,200');
});

test('a choice says what the push does, in the words of its question', () => {
  expect(describeChoice('blocked', 'skip')).toBe('The push leaves the product as it is.');
  expect(describeChoice('drifted', 'skip')).toBe(
    'The push sends nothing of the product, not even Draftshelf’s other changes.',
  );
  expect(describeChoice('deleted-in-store', 'skip')).toBe('The push leaves the product out.');
});

test('the choices stand once where a list asks about one product only', () => {
  const about = (open: number, decided: number) => ({
    ...{ about: 'drifted' as const, open },
    choices: [{ choice: 'skip' as const, allowed: open, decided }],
  });
  expect(hasOneOpenProduct([about(1, 0)])).toBe(true);
  // The product may be on a later page.
  expect(hasOneOpenProduct([about(1, 40)])).toBe(false);
  expect(hasOneOpenProduct([about(1, 0), about(1, 0)])).toBe(false);
  expect(hasOneOpenProduct([about(2, 0)])).toBe(false);
});
