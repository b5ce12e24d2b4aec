import { expect, it } from 'vitest';
import { changeRank, shownChanges, unchangedRank } from './planned-changes.ts';

const price = (store: string | null, push: string | null, name = 'price') => ({
  ...{ part: 'variants', name, store, push },
});
const title = { part: 'title', name: '', store: 'Vase', push: 'Blue vase' };

it('a line shows the prices that change most, then the first of its other differences', () => {
  const [cheaper, dearer] = [price('40.00', '10.00', 'S · price'), price('10.00', '12.00', 'M · price')];
  expect(shownChanges([title, dearer, price(null, '9.00'), cheaper])).toEqual({
    shown: [cheaper, dearer, title],
    more: 1,
  });
  expect(shownChanges([])).toBeUndefined();
});

it('a long value is shown without its sides', () => {
  const description = { part: 'description', name: '', store: '<p>Short</p>', push: 'x'.repeat(161) };
  expect(shownChanges([description])).toEqual({
    shown: [{ ...description, store: null, push: null }],
    more: 0,
  });
});

it('changes of prices come first by their factor, then those of most values, and what stays comes last', () => {
  const changes = [
    [price('0.00', '5.00')],
    [title, price('80.00', '8.00')],
    [price('10.00', '50.00')],
    [price('10.00', '10.01')],
    Array.from({ length: 2000 }, () => title),
    [title, price(null, '8.00')],
    [title],
    [],
  ];
  const ranks = [...changes.map(changeRank), ...['created', 'skipped', 'unchanged'].map(unchangedRank)];
  expect(ranks).toEqual([...new Set(ranks)].toSorted((a, b) => a - b));
});
