import { expect, it } from 'vitest';
import { fieldsFor, filling, pasting, sizeWords, tiled, tooFewRows } from './place-block.ts';

it('repeats a block that fits into the marked cells some times, and no other one', () => {
  const range = { rows: [4, 5, 6, 7], fields: ['price', 'cost'] } as const;
  expect(tiled([['1']], range)).toEqual(Array(4).fill(['1', '1']));
  expect(tiled([['1'], ['2']], range)).toEqual([
    ['1', '1'],
    ['2', '2'],
    ['1', '1'],
    ['2', '2'],
  ]);
  const three = [['1'], ['2'], ['3']];
  expect(tiled(three, range)).toBe(three);
  expect(tiled(three, { rows: [4], fields: ['price'] })).toBe(three);
});

it('pastes into the columns from the first one on, and never beside the table', () => {
  const shown = ['title', 'price', 'cost'] as const;
  expect(fieldsFor([['1', '2']], 'price', shown)).toEqual(['price', 'cost']);
  expect(fieldsFor([['1', '2', '3']], 'price', shown)).toBe(
    'The block has 3 columns, and the table has 2 from Price on. Nothing was pasted.',
  );
  expect(tooFewRows([['1'], ['2']], 1)).toBe(
    'The block has 2 rows, and there are 1 from this one on. Nothing was pasted.',
  );
});

it('makes one operation for each column', () => {
  expect(
    pasting(
      [
        ['1', 'a'],
        ['2', ''],
      ],
      ['price', 'title'],
      [7, 9],
    ),
  ).toEqual([
    {
      kind: 'paste',
      field: 'price',
      cells: [
        [7, '1'],
        [9, '2'],
      ],
    },
    {
      kind: 'paste',
      field: 'title',
      cells: [
        [7, 'a'],
        [9, ''],
      ],
    },
  ]);
  expect(filling(['price', 'vendor'], [' 1 ', ''])).toEqual([
    { kind: 'set', field: 'price', value: '1' },
    { kind: 'clear', field: 'vendor' },
  ]);
  expect(sizeWords(1, 3)).toBe('1 row × 3 columns');
});
