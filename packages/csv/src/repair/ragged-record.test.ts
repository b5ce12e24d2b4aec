import { describe, expect, test } from 'vitest';
import { columnProfiles } from './column-profile.ts';
import { repairRecord } from './ragged-record.ts';

const separators = { delimiter: ',', quote: '"' } as const;

/** SKU, title, price, weight (sometimes blank), image. */
const stock = columnProfiles(
  Array.from({ length: 9 }, (_, row) => [
    `AB-${100 + row}`,
    `Oak chair ${row}`,
    `${10 + row}.50`,
    row % 3 === 0 ? '' : `${row}.25`,
    `https://example.com/${row}.jpg`,
  ]),
  5,
);

/** The repaired record, with a bar between its cells. */
const repaired = (line: string, profiles = stock) =>
  repairRecord(line.split(','), profiles ?? [], separators)?.join('|') ?? null;

describe('an extra separator', () => {
  test.each([
    ['before the first cell', ',AB-120,Oak lamp,12.50,1.25,https://example.com/x.jpg'],
    ['in the middle', 'AB-120,Oak lamp,,12.50,1.25,https://example.com/x.jpg'],
  ])('%s: the empty cell is removed', (_name, line) => {
    expect(repaired(line)).toBe('AB-120|Oak lamp|12.50|1.25|https://example.com/x.jpg');
  });

  test('in an unquoted text: its pieces are joined', () => {
    expect(repaired('AB-120,Lamp, oak, tall,12.50,,https://example.com/x.jpg')).toBe(
      'AB-120|Lamp, oak, tall|12.50||https://example.com/x.jpg',
    );
  });

  test.each([
    ['which number has the comma', 'AB-120,Oak lamp,1,200.50,7.25,https://example.com/x.jpg'],
    ['an empty title, or an empty cell too many', 'AB-120,,Lamp, oak,12.50,1.25,https://example.com/x.jpg'],
    ['nothing fits', 'a,b,c,d,e,f'],
    ['the first cells fit, and more follow', 'AB-120,Lamp,12.50,1.25,https://example.com/x.jpg,new'],
  ])('%s: not repaired', (_name, line) => {
    expect(repaired(line)).toBeNull();
  });
});

describe('a missing separator', () => {
  test('between two cells: they are split where each looks like its column', () => {
    expect(repaired('AB-120,Oak lamp,12.501.25,https://example.com/x.jpg')).toBe(
      'AB-120|Oak lamp|12.50|1.25|https://example.com/x.jpg',
    );
  });

  test('next to an empty cell: the cell is added', () => {
    expect(repaired('AB-120,Oak lamp,12.50,https://example.com/x.jpg')).toBe(
      'AB-120|Oak lamp|12.50||https://example.com/x.jpg',
    );
  });

  test('before a quoted cell: split at its quote', () => {
    const texts = columnProfiles(
      Array.from({ length: 6 }, (_, row) => [
        `AB-${row}00`,
        'Chair',
        `Made of "oak", no ${row}`,
        `${row}.50`,
      ]),
      4,
    );
    expect(
      repairRecord(['AB-700', 'Lamp"Made of ""brass"""', '7.50'], texts ?? [], separators)?.join('|'),
    ).toBe('AB-700|Lamp|Made of "brass"|7.50');
  });

  test.each([
    ['two texts', 'AB-120 or AC-120 Oak lamp,12.50,1.25,https://example.com/x.jpg'],
    ['numbers that may be split in two places', 'AB-120,Oak lamp,1.234.56,https://example.com/x.jpg'],
    ['two cells missing', 'AB-120,Oak lamp,https://example.com/x.jpg'],
  ])('%s: not repaired', (_name, line) => {
    expect(repaired(line)).toBeNull();
  });

  test('a record that ends early is left as it is', () => {
    const numbers = columnProfiles(
      Array.from({ length: 6 }, (_, row) => [`AB-${row}`, `${row}0`, `${row}`]),
      3,
    );
    expect(repaired('AB-7,10', numbers)).toBeNull();
  });

  test('also if the last column may be blank', () => {
    const notes = columnProfiles(
      Array.from({ length: 6 }, (_, row) => [
        `AB-${row}`,
        `${row}.50`,
        row === 0 ? '' : 'https://example.com/',
      ]),
      3,
    );
    expect(repaired('AB-7,7.50', notes)).toBeNull();
  });
});

describe('column profiles', () => {
  const rows = (count: number, width: number) => Array.from({ length: count }, () => Array(width).fill('1'));

  test('there are none with few rows, or if most have another width', () => {
    expect(columnProfiles(rows(4, 3), 3)).toBeUndefined();
    expect(columnProfiles([...rows(6, 3), ...rows(7, 4)], 3)).toBeUndefined();
    expect(columnProfiles([...rows(7, 3), ...rows(6, 4)], 3)).toHaveLength(3);
  });

  test('a column of several kinds has kind null; numbers among codes are codes', () => {
    const profiles = columnProfiles(
      Array.from({ length: 6 }, (_, row) => ['Oak chair', row % 2 ? '7' : 'yes', row % 2 ? '7' : 'A7', '']),
      4,
    );
    expect(profiles?.map(({ kind }) => kind)).toEqual(['text', null, 'code', 'empty']);
  });
});

describe('a repair without evidence is not made', () => {
  /** SKU, title, description (often blank), price, size (often blank), active, image. */
  const shop = columnProfiles(
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

  test('but a clear mistake is repaired', () => {
    expect(repaired(`AB-120,,Lamp,Made by hand,12.50,XL,TRUE,${image}`, shop)?.split('|')[1]).toBe('Lamp');
    expect(repaired(`AB-120,Lamp,Made by hand12.50,XL,TRUE,${image}`, shop)?.split('|')[3]).toBe('12.50');
    expect(repaired(`AB-120,Lamp,Made by hand,12.50,TRUE,${image}`, shop)?.split('|')[4]).toBe('');
  });

  test.each([
    ['which of two texts has the comma', `AB-120,Lamp, oak,Made by hand,12.50,XL,TRUE,${image}`],
    ['a text that ends with a number is not a price', `AB-120,Lamp, 48,,TRUE,XL,FALSE,${image}`],
    ['a size does not replace a missing price', `AB-120,Lamp,Made by hand,XL,TRUE,${image}`],
    [
      'two texts without a separator, where the next is blank',
      `AB-120,Oak LampMade by hand,12.50,XL,TRUE,${image}`,
    ],
    ['the size after the title, if the size may be blank', `AB-120,Lamp,Made by handXL,12.50,TRUE,${image}`],
    ['an empty cell next to a text that was split', `AB-120,Lamp, oak,,12.50,XL,TRUE,${image}`],
    ['a value new to its column', `AB-120,Lamp,,3,12.50,XL,TRUE,${image}`],
    ['thousands after a title that may have been empty', `AB-120,,1,200.50,XL,TRUE,${image}`],
    ['an image with more than a blank size before it', `AB-120,Lamp,Made by hand,12.50,S,TRUEhttps://x`],
  ])('%s', (_name, line) => {
    expect(repaired(line, shop)).toBeNull();
  });

  test('a row that ends early, in an inch or a quoted word', () => {
    const texts = columnProfiles(
      Array.from({ length: 9 }, (_, row) => [
        `AB-10${row}`,
        `Oak chair ${row}`,
        'Made of oak',
        'Home & Garden',
      ]),
      4,
    );
    expect(repaired('AB-120,Monitor 24" wide,Great', texts)).toBeNull();
    expect(repaired('AB-120,Chair "Oslo",Great', texts)).toBeNull();
    expect(repaired('AB-120,Screen 24" and 27",Great', texts)).toBeNull();
  });

  test('a row whose last cell was cut off', () => {
    expect(repaired('AB-120,Lamp,Made by hand,12.50,XL,FALS', shop)).toBeNull();
  });

  test('a number that is one of its column, though it could be two', () => {
    const numbered = columnProfiles(
      Array.from({ length: 60 }, (_, row) => [String(row + 1), `Oak chair ${row}`, `${row + 10}.50`]),
      3,
    );
    expect(repaired('12,9.50', numbered)).toBeNull();
    expect(repaired('4K Cable,12.50', numbered)).toBeNull();
  });

  test('digits that may be split in other places', () => {
    const counted = columnProfiles(
      Array.from({ length: 60 }, (_, row) => [`AB-${100 + row}`, String(row % 20), `${10 + row}.50`, 'TRUE']),
      4,
    );
    expect(repaired('AB-120,712.50,TRUE', counted)).toBeNull();
  });
});

test('one text among a hundred prices does not change the kind of the column', () => {
  const profiles = columnProfiles(
    Array.from({ length: 60 }, (_, row) => [
      `AB-${100 + row}`,
      `Oak chair${'r'.repeat(row % 25)}`,
      row === 7 ? 'call us' : `${10 + row}.50`,
    ]),
    3,
  );
  expect(repaired('AB-120,Lamp, oak,12.50', profiles)).toBe('AB-120|Lamp, oak|12.50');
});

test('a quoted text that was split after a space loses its quotes', () => {
  expect(repaired('AB-120, "Lamp, oak",12.50,1.25,https://example.com/x.jpg')?.split('|')[1]).toBe(
    'Lamp, oak',
  );
});

test('a link with text before it is not split without evidence', () => {
  expect(repaired('AB-120,Oak lamp,12.50,newhttps://example.com/x.jpg')).toBeNull();
});

test('a hundred columns that fit in many ways are given up quickly', () => {
  const profiles = columnProfiles(
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
  for (let count = 0; count < 1000; count += 1)
    expect(repairRecord(row, profiles ?? [], separators)).toBeNull();
  expect(performance.now() - from).toBeLessThan(5000);
});

test('a cell of a megabyte of quotes is given up quickly', () => {
  const long = `"${'"'.repeat(1_000_000)}x`;
  expect(
    repairRecord(['AB-120', long, 'https://example.com/x.jpg', '1'], stock ?? [], separators),
  ).toBeNull();
});
