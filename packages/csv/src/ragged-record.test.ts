import { describe, expect, test } from 'vitest';
import { columnHabits } from './column-habits.ts';
import { meantCells } from './ragged-record.ts';

const separators = { delimiter: ',', quote: '"' } as const;

/** SKU, title, price, weight (at times blank), image. */
const stock = columnHabits(
  Array.from({ length: 9 }, (_, row) => [
    `AB-${100 + row}`,
    `Oak chair ${row}`,
    `${10 + row}.50`,
    row % 3 === 0 ? '' : `${row}.25`,
    `https://example.com/${row}.jpg`,
  ]),
  5,
);

const meant = (line: string, habits = stock) => meantCells(line.split(','), habits ?? [], separators);

describe('a separator too many', () => {
  test.each([
    ['before the first cell', ',AB-120,Oak lamp,12.50,1.25,https://example.com/x.jpg'],
    ['in the middle', 'AB-120,Oak lamp,,12.50,1.25,https://example.com/x.jpg'],
  ])('%s leaves out the empty cell', (_name, line) => {
    expect(meant(line)).toEqual(['AB-120', 'Oak lamp', '12.50', '1.25', 'https://example.com/x.jpg']);
  });

  test('in a text that nobody quoted puts its pieces together', () => {
    expect(meant('AB-120,Lamp, oak, tall,12.50,,https://example.com/x.jpg')).toEqual([
      'AB-120',
      'Lamp, oak, tall',
      '12.50',
      '',
      'https://example.com/x.jpg',
    ]);
  });

  test.each([
    ['which number has the comma', 'AB-120,Oak lamp,1,200.50,7.25,https://example.com/x.jpg'],
    ['an empty title, or an empty cell too many', 'AB-120,,Lamp, oak,12.50,1.25,https://example.com/x.jpg'],
    ['nothing fits', 'a,b,c,d,e,f'],
    [
      'the first cells fit, and more stand behind them',
      'AB-120,Lamp,12.50,1.25,https://example.com/x.jpg,new',
    ],
  ])('%s: nobody can say', (_name, line) => {
    expect(meant(line)).toBeNull();
  });
});

describe('a separator too few', () => {
  test('between two cells cuts them where each looks like its column', () => {
    expect(meant('AB-120,Oak lamp,12.501.25,https://example.com/x.jpg')).toEqual([
      'AB-120',
      'Oak lamp',
      '12.50',
      '1.25',
      'https://example.com/x.jpg',
    ]);
  });

  test('beside an empty cell adds it', () => {
    expect(meant('AB-120,Oak lamp,12.50,https://example.com/x.jpg')).toEqual([
      'AB-120',
      'Oak lamp',
      '12.50',
      '',
      'https://example.com/x.jpg',
    ]);
  });

  test('before a quoted cell cuts at its quote', () => {
    const texts = columnHabits(
      Array.from({ length: 6 }, (_, row) => [
        `AB-${row}00`,
        'Chair',
        `Made of "oak", no ${row}`,
        `${row}.50`,
      ]),
      4,
    );
    expect(meantCells(['AB-700', 'Lamp"Made of ""brass"""', '7.50'], texts ?? [], separators)).toEqual([
      'AB-700',
      'Lamp',
      'Made of "brass"',
      '7.50',
    ]);
  });

  test.each([
    ['two texts', 'AB-120 or AC-120 Oak lamp,12.50,1.25,https://example.com/x.jpg'],
    ['numbers that may be cut in two places', 'AB-120,Oak lamp,1.234.56,https://example.com/x.jpg'],
    ['two cells less', 'AB-120,Oak lamp,https://example.com/x.jpg'],
  ])('%s: nobody can say', (_name, line) => {
    expect(meant(line)).toBeNull();
  });

  test('a record that ends early stands right', () => {
    const numbers = columnHabits(
      Array.from({ length: 6 }, (_, row) => [`AB-${row}`, `${row}0`, `${row}`]),
      3,
    );
    expect(meant('AB-7,10', numbers)).toBeNull();
  });

  test('where the last column may be blank too', () => {
    const notes = columnHabits(
      Array.from({ length: 6 }, (_, row) => [
        `AB-${row}`,
        `${row}.50`,
        row === 0 ? '' : 'https://example.com/',
      ]),
      3,
    );
    expect(meant('AB-7,7.50', notes)).toBeNull();
  });
});

describe('habits', () => {
  const rows = (count: number, width: number) => Array.from({ length: count }, () => Array(width).fill('1'));

  test('few rows, or most of another width, show none', () => {
    expect(columnHabits(rows(4, 3), 3)).toBeUndefined();
    expect(columnHabits([...rows(6, 3), ...rows(7, 4)], 3)).toBeUndefined();
    expect(columnHabits([...rows(7, 3), ...rows(6, 4)], 3)).toHaveLength(3);
  });

  test('text and columns of several kinds may be anything; numbers among codes are codes', () => {
    const habits = columnHabits(
      Array.from({ length: 6 }, (_, row) => ['Oak chair', row % 2 ? '7' : 'yes', row % 2 ? '7' : 'A7', '']),
      4,
    );
    expect(habits?.map(({ kind }) => kind)).toEqual([null, null, 'code', 'empty']);
  });
});

test('a cell of a megabyte of quotes is looked at in no time, and left', () => {
  const long = `"${'"'.repeat(1_000_000)}x`;
  expect(meantCells(['AB-120', long, 'https://example.com/x.jpg', '1'], stock ?? [], separators)).toBeNull();
});
