import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { undoCodes } from '@draftshelf/domain/push/push-undo';
import { expect, test } from 'vitest';
import type { UndoFilter } from './push-undo-api.ts';
import {
  countListedProducts,
  findFirstFilter,
  listUndoFacts,
  parseTypedCount,
  partName,
  reasonName,
  sumKeepingOpenList,
  undoActionWords,
  undoButtonWords,
  undoEstimateWords,
  undoListWords,
} from './undo-words.ts';

const sum = (action: PushUndo['sums'][number]['action'], products: number, code: string | null = null) => ({
  ...{ action, code, products },
});
const undo = (set: Partial<PushUndo>): PushUndo => ({
  ...{ state: 'ready', run: 1, gone: null, whenUnsure: 'keep', message: null, done: 2, total: 2 },
  ...{
    sums: [],
    results: [],
    recreatedVariants: 0,
    choosableProducts: 0,
    chosenProducts: 0,
    deletedAnyway: 0,
    asksForDeletions: false,
  },
  ...{ estimate: null, pushedAt: null, undoableUntil: null, previewedAt: null, endedAt: null },
  ...set,
});

test('the button repeats the numbers of what it writes, and is not there if it would write nothing', () => {
  const sums = [
    sum('keep', 22, 'changed'),
    sum('restore', 380),
    sum('delete', 1487),
    sum('restore', 11, 'x'),
  ];
  expect(undoButtonWords(sums)).toBe('Delete 1,487, Restore 391');
  expect(undoButtonWords([sum('archive', 1), sum('nothing', 5)])).toBe('Archive 1');
  expect(undoButtonWords([sum('keep', 2, 'changed'), sum('gone', 1)])).toBeNull();
});

test('what is done with one product and with many, before and after', () => {
  const planned = { isDone: false, gone: null };
  expect(undoActionWords('delete', 1, planned)).toBe('product will be deleted');
  expect(undoActionWords('restore', 2, planned)).toBe('get their earlier values');
  expect(undoActionWords('keep', 1, { ...planned, isDone: true })).toBe('stayed as it is');
  // What is undone because products were no longer listed says which values they get.
  expect(undoActionWords('restore', 6, { ...planned, gone: 'quantity' })).toBe(
    'get their earlier quantities',
  );
  expect(undoActionWords('restore', 1, { isDone: true, gone: 'archive' })).toBe('got its earlier status');
  expect(undoActionWords('keep', 1, { ...planned, gone: 'tag' })).toBe('stays as it is');
});

test('what is said before the undo depends on what it does', () => {
  const facts = (set: Partial<PushUndo>) => listUndoFacts(undo(set)).join('\n');
  expect(facts({ sums: [sum('delete', 1)] })).toMatch(/can’t be undone.*\n.*stock isn’t tracked/);
  const restored = facts({ sums: [sum('restore', 3)], recreatedVariants: 1 });
  expect(restored).not.toMatch(/delet/i);
  expect(restored).toContain('1 variant is created again with a new id');
  const undoableUntil = '2027-02-21T10:00:00.000Z';
  expect(facts({ undoableUntil })).toContain('This push can be undone until February 21, 2027.');
  // No rows are pushed by a change of products that are no longer listed.
  expect(facts({ undoableUntil, gone: 'tag' })).toBe(
    '“Add the tag “no longer listed”” can be undone until February 21, 2027.',
  );
  expect(listUndoFacts(undo({ sums: [sum('keep', 1, 'changed')] }))).toEqual([
    'The rows and your edits stay here, so the products can be pushed again.',
  ]);
});

test('a number may be typed with separators, and nothing else', () => {
  expect(['1487', '1,487', ' 1 487 ', '1.487'].map(parseTypedCount)).toEqual([1487, 1487, 1487, 1487]);
  expect(['', 'all', '-5', '1e3', '99999999999'].map(parseTypedCount)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
});

test('the list of what stays is shown first, else the longest', () => {
  expect(findFirstFilter([sum('delete', 9), sum('keep', 1, 'changed')], false)).toEqual({
    ...{ action: 'keep', code: null, results: false },
  });
  expect(findFirstFilter([sum('delete', 2), sum('restore', 9)], true)).toMatchObject({ action: 'restore' });
  expect(findFirstFilter([], true)).toBeNull();
});

test('a list and its number stay while choices take its products away', () => {
  const shown = { action: 'keep', code: 'changed', results: false } as const;
  const before = { sums: [sum('keep', 11, 'changed'), sum('keep', 2, 'published')], results: [] };
  expect(countListedProducts(before, shown)).toBe(11);
  expect(countListedProducts(before, { ...shown, code: null })).toBe(13);
  const head = (of: UndoFilter, products: number, listed: number) =>
    undoListWords(of, { products, listed, gone: null });
  expect(head(shown, 11, 11)).toBe('11 stay as they are: Changed in the store');
  expect(head(shown, 0, 11)).toBe('0 of 11 stay as they are: Changed in the store');
  expect(head({ ...shown, code: null }, 1, 1)).toBe('1 stays as it is');
  expect(sumKeepingOpenList(before.sums, shown)).toEqual(sumKeepingOpenList(before.sums, null));
  const none = { action: 'keep', code: 'changed', products: 0 };
  expect(sumKeepingOpenList([sum('delete', 11, 'changed')], shown)).toMatchObject([
    { action: 'delete', products: 11 },
    { action: 'keep', products: 0, reasons: [none] },
  ]);
  expect(sumKeepingOpenList([sum('keep', 2, 'published')], shown)).toMatchObject([
    { action: 'keep', products: 2, reasons: [{ code: 'published' }, none] },
  ]);
  expect(sumKeepingOpenList([], { ...shown, code: null })).toEqual([
    { action: 'keep', products: 0, reasons: [] },
  ]);
});

test('reasons, parts and the estimate in words', () => {
  for (const code of undoCodes) expect(reasonName(code)).toMatch(/^[A-Z]/);
  expect(reasonName('newer')).toBe('newer');
  const part = { before: null, ours: null, now: null, reason: 'changed' } as const;
  expect(partName({ ...part, part: 'variants', name: 'M · price' })).toBe('Variants: M · price');
  expect(partName({ ...part, part: 'search listing', name: '' })).toBe('Search listing');
  expect(undoEstimateWords({ seconds: 110 })).toBe('Takes about 1m 50s.');
  expect(undoEstimateWords({ seconds: 0 })).toBe('Takes less than a minute.');
});
