import type { ProductRow } from '@draftshelf/contract/review/rows';
import { expect, test } from 'vitest';
import { applySavedChanges, toEditedRow } from './product-draft.ts';
import {
  addUndoStep,
  applyPictureStep,
  isConcatenation,
  rebaseDraft,
  unchangedDraft,
} from './use-product-form.ts';

test('each change of the pictures is undone and done again by itself; other changes stay', () => {
  const one = addUndoStep(unchangedDraft, { image: 'a' });
  const two = addUndoStep(one, { image: 'a', moreImages: 'b' });
  const titled = addUndoStep(two, { ...two.changes, title: 'Lamp' });
  const undone = applyPictureStep(titled, 'undo');
  expect(undone.changes).toEqual({ image: 'a', title: 'Lamp' });
  const all = applyPictureStep(undone, 'undo');
  expect(all.changes).toEqual({ title: 'Lamp' });
  expect(Object.keys(all.changes)).toEqual(['title']);
  expect(applyPictureStep(all, 'undo')).toBe(all);
  const redone = applyPictureStep(applyPictureStep(all, 'redo'), 'redo');
  expect(redone.changes).toEqual(titled.changes);
  expect(redone.redo).toEqual([]);
  expect(addUndoStep(undone, { image: 'c' }).redo).toEqual([]);
});

test('what is typed into one field is one step', () => {
  const typed = addUndoStep(addUndoStep(unchangedDraft, { image: 'a' }, 'image'), { image: 'ab' }, 'image');
  const other = addUndoStep(typed, { ...typed.changes, moreImages: 'c' }, 'moreImages');
  expect(applyPictureStep(other, 'undo').changes).toEqual({ image: 'ab' });
  const undone = applyPictureStep(applyPictureStep(other, 'undo'), 'undo');
  expect(undone.changes).toEqual({});
  expect(addUndoStep(undone, { image: 'd' }, 'image').undo).toHaveLength(1);
});

const row: ProductRow = {
  ...{ row: 1, line: 2, product: 1, ofProduct: null, class: 'valid', ignored: null, leftOut: false },
  ...{ cells: [], cellsAsRead: null, issues: [], outcome: null },
  ...{ values: { title: 'Lamp', image: 'a' }, sources: {} },
  unedited: { title: { value: 'Lamp', column: 'Name' }, image: { value: 'a', column: 'Picture' } },
};

test('steps of pictures that were made during a save stay, and begin with what was saved', () => {
  const before = toEditedRow(row, row);
  const sent = addUndoStep(
    { ...unchangedDraft, changes: { title: 'Big lamp' } },
    { title: 'Big lamp', image: 'b' },
  );
  const sources = { title: 'edit', image: 'edit' } as const;
  const saved = applySavedChanges(before, sent.changes, {
    values: { title: 'Big lamp', image: 'b' },
    sources,
    issues: [],
  });
  expect(rebaseDraft(sent, sent, before, saved)).toEqual(unchangedDraft);

  const added = rebaseDraft(addUndoStep(sent, { ...sent.changes, image: 'c' }), sent, before, saved);
  expect(added.changes).toEqual({ image: 'c' });
  expect(applyPictureStep(added, 'undo').changes).toEqual({});
  expect(applyPictureStep(applyPictureStep(added, 'undo'), 'redo').changes).toEqual({ image: 'c' });

  const takenBack = rebaseDraft(applyPictureStep(sent, 'undo'), sent, before, saved);
  expect(takenBack.changes).toEqual({ image: 'a' });
  expect(applyPictureStep(takenBack, 'redo').changes).toEqual({});
  expect(applyPictureStep(applyPictureStep(takenBack, 'redo'), 'undo').changes).toEqual({ image: 'a' });
});

test('bytes are made of their pieces in order, with none missing', () => {
  const pieces = [Uint8Array.of(1, 2), Uint8Array.of(), Uint8Array.of(3)];
  expect(isConcatenation(Uint8Array.of(1, 2, 3), pieces)).toBe(true);
  for (const other of [[1, 2], [1, 2, 3, 4], [1, 3, 2], []])
    expect(isConcatenation(Uint8Array.from(other), pieces)).toBe(false);
});
