import { expect, test } from 'vitest';
import { isMadeOf, stepPictures, unchangedDraft, withStep } from './use-product-form.ts';

test('each change of the pictures is undone and done again by itself; other changes stay', () => {
  const one = withStep(unchangedDraft, { image: 'a' });
  const two = withStep(one, { image: 'a', moreImages: 'b' });
  const titled = withStep(two, { ...two.changes, title: 'Lamp' });
  const undone = stepPictures(titled, 'undo');
  expect(undone.changes).toEqual({ image: 'a', title: 'Lamp' });
  const all = stepPictures(undone, 'undo');
  expect(all.changes).toEqual({ title: 'Lamp' });
  expect(Object.keys(all.changes)).toEqual(['title']);
  expect(stepPictures(all, 'undo')).toBe(all);
  const redone = stepPictures(stepPictures(all, 'redo'), 'redo');
  expect(redone.changes).toEqual(titled.changes);
  expect(redone.redo).toEqual([]);
  expect(withStep(undone, { image: 'c' }).redo).toEqual([]);
});

test('what is typed into one field is one step', () => {
  const typed = withStep(withStep(unchangedDraft, { image: 'a' }, 'image'), { image: 'ab' }, 'image');
  const other = withStep(typed, { ...typed.changes, moreImages: 'c' }, 'moreImages');
  expect(stepPictures(other, 'undo').changes).toEqual({ image: 'ab' });
  const undone = stepPictures(stepPictures(other, 'undo'), 'undo');
  expect(undone.changes).toEqual({});
  expect(withStep(undone, { image: 'd' }, 'image').undo).toHaveLength(1);
});

test('bytes are made of their pieces in order, with none missing', () => {
  const pieces = [Uint8Array.of(1, 2), Uint8Array.of(), Uint8Array.of(3)];
  expect(isMadeOf(Uint8Array.of(1, 2, 3), pieces)).toBe(true);
  for (const other of [[1, 2], [1, 2, 3, 4], [1, 3, 2], []])
    expect(isMadeOf(Uint8Array.from(other), pieces)).toBe(false);
});
