import { describe, expect, test } from 'vitest';
import { columnHabits } from './column-profile.ts';
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

  test('columns of several kinds may be anything; numbers among codes are codes', () => {
    const habits = columnHabits(
      Array.from({ length: 6 }, (_, row) => ['Oak chair', row % 2 ? '7' : 'yes', row % 2 ? '7' : 'A7', '']),
      4,
    );
    expect(habits?.map(({ kind }) => kind)).toEqual(['text', null, 'code', 'empty']);
  });
});

describe('what only might be so is left', () => {
  /** SKU, title, description (often blank), price, size (often blank), active, image. */
  const shop = columnHabits(
    Array.from({ length: 60 }, (_, row) => [
      `AB-${100 + row}`,
      `${'Oak chair '.slice(0, 3 + (row % 7))}${' round'.repeat(row % 5)} lamp`,
      row % 4 === 0 ? '' : `Made by hand ${'with much care '.repeat(row % 5)}`,
      `${10 + row}.50`,
      row % 3 === 0 ? '' : (['S', 'XL', '42'][row % 3] as string),
      row % 2 ? 'TRUE' : 'FALSE',
      `https://example.com/${row}.jpg`,
    ]),
    7,
  );
  const image = 'https://example.com/x.jpg';

  test('but a slip that shows is set right', () => {
    expect(meant(`AB-120,,Lamp,Made by hand,12.50,XL,TRUE,${image}`, shop)?.[1]).toBe('Lamp');
    expect(meant(`AB-120,Lamp,Made by hand12.50,XL,TRUE,${image}`, shop)?.[3]).toBe('12.50');
    expect(meant(`AB-120,Lamp,Made by hand,12.50,TRUE,${image}`, shop)?.[4]).toBe('');
  });

  test.each([
    ['which of two texts has the comma', `AB-120,Lamp, oak,Made by hand,12.50,XL,TRUE,${image}`],
    ['a text that ends with a number is no price', `AB-120,Lamp, 48,,TRUE,XL,FALSE,${image}`],
    ['a row that lacks its price has no size for it', `AB-120,Lamp,Made by hand,XL,TRUE,${image}`],
    [
      'two texts without a separator, where the next is blank',
      `AB-120,Oak LampMade by hand,12.50,XL,TRUE,${image}`,
    ],
    [
      'the size behind the title, where the size may be blank',
      `AB-120,Lamp,Made by handXL,12.50,TRUE,${image}`,
    ],
    ['an empty cell beside a text that was cut', `AB-120,Lamp, oak,,12.50,XL,TRUE,${image}`],
    ['a value nobody has seen there', `AB-120,Lamp,,3,12.50,XL,TRUE,${image}`],
    ['thousands behind a title that may have been empty', `AB-120,,1,200.50,XL,TRUE,${image}`],
    [
      'the image before which more stands than a blank size',
      `AB-120,Lamp,Made by hand,12.50,S,TRUEhttps://x`,
    ],
  ])('%s', (_name, line) => {
    expect(meant(line, shop)).toBeNull();
  });

  test('a row that ends early, in an inch or a quoted word', () => {
    const texts = columnHabits(
      Array.from({ length: 9 }, (_, row) => [
        `AB-10${row}`,
        `Oak chair ${row}`,
        'Made of oak',
        'Home & Garden',
      ]),
      4,
    );
    expect(meant('AB-120,Monitor 24" wide,Great', texts)).toBeNull();
    expect(meant('AB-120,Chair "Oslo",Great', texts)).toBeNull();
    expect(meant('AB-120,Screen 24" and 27",Great', texts)).toBeNull();
  });

  test('a row whose last cell was cut off', () => {
    expect(meant('AB-120,Lamp,Made by hand,12.50,XL,FALS', shop)).toBeNull();
  });

  test('a number that is one of its column, though it could be two', () => {
    const numbered = columnHabits(
      Array.from({ length: 60 }, (_, row) => [String(row + 1), `Oak chair ${row}`, `${row + 10}.50`]),
      3,
    );
    expect(meant('12,9.50', numbered)).toBeNull();
    expect(meant('4K Cable,12.50', numbered)).toBeNull();
  });

  test('digits that may be cut in other places, had the columns shown them', () => {
    const counted = columnHabits(
      Array.from({ length: 60 }, (_, row) => [`AB-${100 + row}`, String(row % 20), `${10 + row}.50`, 'TRUE']),
      4,
    );
    expect(meant('AB-120,712.50,TRUE', counted)).toBeNull();
  });
});

test('a call for a price among a hundred does not hide that prices are numbers', () => {
  const habits = columnHabits(
    Array.from({ length: 60 }, (_, row) => [
      `AB-${100 + row}`,
      `Oak chair${'r'.repeat(row % 25)}`,
      row === 7 ? 'call us' : `${10 + row}.50`,
    ]),
    3,
  );
  expect(meant('AB-120,Lamp, oak,12.50', habits)).toEqual(['AB-120', 'Lamp, oak', '12.50']);
});

test('a quoted text that was cut behind a space loses its quotes', () => {
  expect(meant('AB-120, "Lamp, oak",12.50,1.25,https://example.com/x.jpg')?.[1]).toBe('Lamp, oak');
});

test('a link with another beginning is two cells', () => {
  expect(meant('AB-120,Oak lamp,12.50,newhttps://example.com/x.jpg')).toBeNull();
});

test('a hundred columns that fit in many ways are left at once', () => {
  const habits = columnHabits(
    Array.from({ length: 60 }, (_, row) =>
      Array.from({ length: 100 }, (_, column) =>
        column === 50 ? '2024-01-01' : (row + column) % 4 ? '1' : '',
      ),
    ),
    100,
  );
  const row = Array.from({ length: 99 }, (_, column) =>
    column === 51 ? '2024-01-01' : column % 4 ? '1' : '',
  );
  const from = performance.now();
  for (let count = 0; count < 1000; count += 1) expect(meantCells(row, habits ?? [], separators)).toBeNull();
  expect(performance.now() - from).toBeLessThan(5000);
});

test('a cell of a megabyte of quotes is looked at in no time, and left', () => {
  const long = `"${'"'.repeat(1_000_000)}x`;
  expect(meantCells(['AB-120', long, 'https://example.com/x.jpg', '1'], stock ?? [], separators)).toBeNull();
});
