import { expect, test } from 'vitest';
import { applyUndoChoices, listUndoSums, toUndoSumKey } from './undo-actions.ts';

const sums = listUndoSums({
  [toUndoSumKey({ action: 'delete', code: null, choosable: true })]: 40,
  [toUndoSumKey({ action: 'keep', code: 'changed', choosable: true })]: 10,
  [toUndoSumKey({ action: 'keep', code: 'changed', choosable: false })]: 3,
  [toUndoSumKey({ action: 'restore', code: null, choosable: false })]: 7,
});

test('without choices, the sums are those of the preview', () => {
  expect(applyUndoChoices(sums, {}, [])).toEqual({
    sums: [
      { action: 'delete', code: null, products: 40 },
      { action: 'keep', code: 'changed', products: 13 },
      { action: 'restore', code: null, products: 7 },
    ],
    deletions: 40,
    chosenProducts: 0,
    deletedAnyway: 0,
  });
});

test('a choice for a reason counts for those that allow it, and a choice for one product before it', () => {
  const chosen = [
    { action: 'keep', code: 'changed', choice: 'archive', products: 2 },
    { action: 'delete', code: null, choice: 'keep', products: 1 },
  ] as const;
  expect(applyUndoChoices(sums, { changed: 'delete' }, chosen)).toEqual({
    sums: expect.arrayContaining([
      { action: 'delete', code: null, products: 39 },
      { action: 'keep', code: null, products: 1 },
      { action: 'delete', code: 'changed', products: 8 },
      { action: 'archive', code: 'changed', products: 2 },
      { action: 'keep', code: 'changed', products: 3 },
      { action: 'restore', code: null, products: 7 },
    ]),
    deletions: 47,
    chosenProducts: 11,
    deletedAnyway: 8,
  });
});
