import { expect, test } from 'vitest';
import { mapHeaders } from './mapping/header-mapping.ts';
import { parseOptionPairs } from './option-pairs.ts';
import { readRowValues } from './row-values.ts';

test('reads the options that stand in one cell', () => {
  const color = { name: 'color', value: 'Yellow' };
  const size = { name: 'size', value: 'M' };
  for (const cell of [
    'color=Yellow,size=M',
    ' color: Yellow; size: M ',
    '[color=Yellow|size=M]',
    'color="Yellow", size="M"',
  ])
    expect([cell, parseOptionPairs(cell)]).toEqual([cell, [color, size]]);
  expect(parseOptionPairs('Farbe:Weiß')).toEqual([{ name: 'Farbe', value: 'Weiß' }]);
  const others = [
    '',
    'Yellow',
    '10:30',
    'https://a.example',
    'color=',
    'color=Red,color=Blue',
    'size=10,5',
    'a=1,b=2,c=3,d=4',
  ];
  for (const cell of [...others, `a=${'x'.repeat(500)}`])
    expect([cell, parseOptionPairs(cell)]).toEqual([cell, null]);
});

test('a column of options becomes up to three, where rows of a product differ in it', () => {
  const headers = ['Handle', 'Title', 'Price', 'Attributes'];
  const rows = [
    ['tee', 'Tee', '9', 'color=Yellow,size=M'],
    ['tee', 'Tee', '9', 'color=Yellow,size=L'],
    ['cap', 'Cap', '5', ''],
  ];
  const mapping = mapHeaders(headers, rows);
  const tee = { handle: 'tee', title: 'Tee', price: '9' };
  const yellow = { option1Name: 'color', option1Value: 'Yellow', option2Name: 'size' };
  expect(mapping.columns[3]).toMatchObject({ field: 'option1Value' });
  expect(rows.map((cells) => readRowValues(cells, mapping))).toEqual([
    { ...tee, ...yellow, option2Value: 'M' },
    { ...tee, ...yellow, option2Value: 'L' },
    { handle: 'cap', title: 'Cap', price: '5' },
  ]);
  // Nothing says which rows belong together.
  expect(
    mapHeaders(
      headers.slice(1),
      rows.map((cells) => cells.slice(1)),
    ).columns[2]?.field,
  ).toBeNull();
});

test('a column that the operator has set names its options, if its cells do', () => {
  const set = { Variant: { field: 'option1Value', by: 'operator' } } as const;
  const read = (cell: string) => {
    const cells = ['Boot', cell];
    return readRowValues(cells, mapHeaders(['Title', 'Variant'], [cells], set));
  };
  expect(read('Size: 42')).toEqual({ title: 'Boot', option1Name: 'Size', option1Value: '42' });
  expect(read('42')).toMatchObject({ option1Value: '42' });
});
