import { expect, test } from 'vitest';
import { mapHeaders } from '../reading/mapping/header-mapping.ts';
import { findOptionColumns } from './option-columns.ts';

/** The columns of a file whose first column is the title. */
function columnsOf(headers: string, ...rows: string[]): string[] {
  const cells = rows.map((row) => row.split(','));
  const titles = Map.groupBy(cells, ([title]) => title);
  return findOptionColumns([...titles.values()], mapHeaders(headers.split(',')))?.columns ?? [];
}

test('names a column in which rows of one title differ', () => {
  const rows = ['Kanne,1,W,40 cm', 'Kanne,2,B,50 cm', 'Tasse,3,W,10 cm', 'Tasse,4,B,20 cm'];
  expect(columnsOf('Title,SKU,Shelf,_additionaltext', ...rows)).toEqual(['Shelf']);
  expect(columnsOf('Title,SKU,Price,Size', ...rows)).toEqual(['Size']);
  expect(columnsOf('Title,SKU,Price,Cost', ...rows)).toEqual([]);
});

test('leaves titles out whose rows have nothing in a column', () => {
  const rows = (...lines: string[]) => lines.map((line) => line.split(','));
  const [wine, cake, bag] = [
    rows('Wine,a,1 Liter', 'Wine,b,2 Liter', 'Wine,c,5 Liter'),
    rows('Cake,d,green', 'Cake,e,pink'),
    rows('Bag,f,', 'Bag,g,'),
  ];
  const find = (...titles: string[][][]) => findOptionColumns(titles, mapHeaders(['Title', 'SKU', 'More']));
  expect(find(wine, cake, bag)).toEqual({ columns: ['More'], rows: 5 });
  expect(find(wine, bag, bag)).toBeNull();
  expect(find(wine, rows('Cake,d,green', 'Cake,e,green'))).toBeNull();
});

test('names columns that are called options before others, and several that tell rows apart together', () => {
  expect(
    columnsOf('Title,Note,Colour,Size', ...['Shirt,a,Red,S', 'Shirt,b,Red,M', 'Shirt,c,Blue,S']),
  ).toEqual(['Note']);
  expect(
    columnsOf('Title,Note,Colour,Size', ...['Shirt,a,Red,S', 'Shirt,a,Red,M', 'Shirt,c,Blue,S']),
  ).toEqual(['Colour', 'Size']);
  expect(
    columnsOf('Title,Material,Colour,Size', 'A,x,Red,S', 'A,x,Red,M', 'A,y,Red,M', 'A,x,Blue,S'),
  ).toEqual(['Material', 'Colour', 'Size']);
});

test('names all columns of options where titles are repeated, and no others', () => {
  const headers = 'Title,Note,Option 1 Name,Option 1 Value,Option 2 Name,Option 2 Value,Option 3 Value';
  expect(columnsOf(headers, 'Candle,a,Scent,Fig,Size,S,', 'Candle,b,Scent,Fig,Size,L,')).toEqual([
    'Option 1 Value',
    'Option 2 Value',
  ]);
  expect(columnsOf(headers, 'Candle,a,Scent,Fig,,,', 'Candle,b,Scent,Fig,,,')).toEqual([]);
});

test('names no numbers, dates, codes or gaps, but years', () => {
  const differ = (...values: string[]) => columnsOf('Title,Other', ...values.map((value) => `Wine,${value}`));
  expect(differ('2020', '2021')).toEqual(['Other']);
  for (const [one = '', other = ''] of [
    ['12', '48'],
    ['12.50', '13.50'],
    ['2025-01-12', '2025-01-13'],
    ['10:30', '11:30'],
    ['VT-TR5-48', 'VT-TR5-53'],
    ['https://a.example/1', 'https://a.example/2'],
    ['86%', '92%'],
    ['small', ''],
    ['x'.repeat(61), 'y'],
  ]) {
    expect([one, differ(one, other)]).toEqual([one, []]);
  }
});

test('still names the columns of variants of which a few stand twice', () => {
  const rows = [
    'Shirt,1,Red,S',
    'Shirt,2,Red,M',
    'Shirt,3,Red,s',
    'Shirt,4,Blue,S',
    'Coat,5,Black,S',
    'Coat,6,Black,M',
  ];
  expect(columnsOf('Title,SKU,Color,Size', ...rows)).toEqual(['Color', 'Size']);
  expect(columnsOf('Title,SKU,Shelf,Row', ...rows)).toEqual([]);
});
