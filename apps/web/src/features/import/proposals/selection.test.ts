import { expect, it } from 'vitest';
import { noneSelected, selectWith, withoutIds } from './selection.ts';

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
