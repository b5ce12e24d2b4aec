import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { sniff } from './detect/sniff.ts';
import type { Dialect } from './dialect.ts';
import { ReadLimitError, readLimitsDefault, withPackedRowsMax } from './limits.ts';
import { findReadingIssues, readRows, readTable, toUniqueHeaders } from './read-table.ts';

const comma: Dialect = { encoding: 'utf-8', delimiter: ',', quote: '"', bomBytes: 0, headerRecord: 0 };
const limits = readLimitsDefault;

function read(text: string, dialect: Dialect = comma, rowsMax = limits.rowsMax) {
  const headers: string[][] = [];
  const rows: { row: number; ignored: string | null; cells: string[]; line: number }[] = [];
  const scanner = readTable({
    dialect,
    limits: { ...limits, rowsMax },
    onHeader: (names) => {
      headers.push(names);
    },
    onRow: ({ row, ignored, record }) => {
      rows.push({ row, ignored, cells: record.cells(), line: record.line });
    },
  });
  scanner.push(new TextEncoder().encode(text));
  scanner.end();
  return { headers, rows };
}

test('the header once, then rows without gaps; blank records are not rows', () => {
  const { headers, rows } = read('\n name ,price,price,\n\nA,1,2,\n,,,\n"",,\nB,3,4,x\n');
  expect(headers).toEqual([['name', 'price', 'price (2)', 'Column 4']]);
  expect(rows.map(({ row, line, cells }) => [row, line, cells[0]])).toEqual([
    [1, 4, 'A'],
    [2, 7, 'B'],
  ]);
});

test('records above the header are not rows', () => {
  const { headers, rows } = read('Stock list\n\n# for you\nsku,price\nA,1\n', { ...comma, headerRecord: 2 });
  expect(headers).toEqual([['sku', 'price']]);
  expect(rows.map(({ row, cells }) => [row, cells])).toEqual([[1, ['A', '1']]]);
});

test('repeated headers and totals are ignored and keep their row number', () => {
  const { rows } = read(
    'sku,name,price,price\nA,Total Gym,9,8\nsku,name,price,price\nB,Chair,1,2\nTotal,,10,\n,Grand Total:,10,\n',
  );
  expect(rows.map(({ row, ignored }) => [row, ignored])).toEqual([
    [1, null],
    [2, 'repeated-header'],
    [3, null],
    [4, 'totals'],
    [5, 'totals'],
  ]);
});

test.each(['TOTAL', 'Total général', 'Summe:', 'Итого', '合计'])(
  '%s without a key before numbers is no product',
  (label) => {
    const { rows } = read(`sku,name,price,stock\nA-1,Soap,3.50,20\n,${label},"18,60 €",40\n`);
    expect(rows.map(({ ignored }) => ignored)).toEqual([null, 'totals']);
  },
);

test.each([
  ['a product of that name with a key', 'sku,name,price,stock\nT-1,Total,18.60,40\n'],
  ['a product of that name with a text', 'upc,name,price,brand\n,Total,18.60,Cereals\n'],
  ['a title that begins with the word', 'sku,name,price\nTotal Chair Cover,,9\n'],
  ['a full record', 'name,sku,price\nTotal,T-1,9\n'],
  ['a row that repeats one header', 'name,sku,price\nname,T-1,9\n'],
])('%s is a row', (_name, text) => {
  expect(read(text).rows.map(({ ignored }) => ignored)).toEqual([null]);
});

test.each<[string, string, string, string?]>([
  ['an extra empty name at the beginning', ',sku,name,price\nA,Chair,1\nB,Lamp,2\n', 'sku|name|price'],
  ['an extra one at the end', 'sku,name,price,\nA,Chair,1\nB,Lamp,2\n', 'sku|name|price'],
  [
    'no name above row numbers, as R writes them',
    'sku,name,price\n"1","A","Chair",1\n"2","B","Lamp",2\n"3","C","Rug",3\n',
    'Column 1|sku|name|price',
  ],
  [
    'separators at the end of all rows',
    'sku,name,price\nA,Chair,1,,\nB,Lamp,2,,\n',
    'sku|name|price|Column 4|Column 5',
  ],
  [
    'an empty name above row numbers',
    ',name,price,note\n1,Chair,10\n2,Lamp,20\n',
    'Column 1|name|price|note',
    'too-few-cells too-few-cells',
  ],
  [
    'unquoted commas',
    'sku,name,price\nA,Chair, oak,1\nB,Lamp, red,2\n',
    'sku|name|price',
    'too-many-cells too-many-cells',
  ],
  [
    'a single ragged row',
    'sku,name,price\nA,Chair,1,\nB,Lamp,2\nC,Rug\n',
    'sku|name|price',
    'too-many-cells too-few-cells',
  ],
  [
    'two names glued together, and the cells below show it',
    `DATETIME,Qty,URL,Comments\n${'01/02/2024,10:15,3,https://example.com,\n'.repeat(6)}`,
    'DATE|TIME|Qty|URL|Comments',
  ],
  [
    'glued names, and nothing shows which',
    `DATETIME,PRODUCTID,Comments\n${'a,b,c d,e\n'.repeat(6)}`,
    'DATETIME|PRODUCTID|Comments',
    Array(6).fill('too-many-cells').join(' '),
  ],
  ['the same header repeated', 'sku,name\nsku,name\nsku,name\nA,Chair\n', 'sku|name'],
  ['the same header with other spaces', 'sku,name \nsku, name\nA,Chair\n', 'sku|name'],
])('columns and their names: %s', (_name, text, wanted, wantedIssues = '') => {
  const bytes = new TextEncoder().encode(text);
  let headers: string[] = [];
  const issues: string[] = [];
  const scanner = readTable({
    dialect: sniff(bytes, true),
    limits,
    onHeader(names) {
      headers = names;
    },
    onRow({ record }) {
      issues.push(...findReadingIssues(record, headers.length, {}));
    },
  });
  scanner.push(bytes);
  scanner.end();
  expect(headers.join('|')).toBe(wanted);
  expect(issues.join(' ')).toBe(wantedIssues);
});

test('an empty file and only a header', () => {
  expect(read('')).toEqual({ headers: [], rows: [] });
  expect(read('sku,price')).toEqual({ headers: [['sku', 'price']], rows: [] });
});

test('too many rows', () => {
  expect(read('h\n1\n2\n', comma, 2).rows).toHaveLength(2);
  expect(() => read('h\n1\n2\n3\n', comma, 2)).toThrow(ReadLimitError);
  expect(() => read('h\n1\n2\n3\n', comma, 2)).toThrow('more than 2 rows (reached at line 4)');
});

test('false from onRow stops', () => {
  const rows: number[] = [];
  const scanner = readTable({
    dialect: comma,
    limits,
    onHeader: () => {},
    onRow: ({ row }) => {
      rows.push(row);
      return row < 3 ? undefined : false;
    },
  });
  scanner.push(new TextEncoder().encode('h\n1\n2\n3\n4\n5\n'));
  expect(scanner.stopped).toBe(true);
  expect(rows).toEqual([1, 2, 3]);
});

test('rows from the middle have their offset, line and number in the file', () => {
  const rows: unknown[] = [];
  const scanner = readRows({
    dialect: { ...comma, bomBytes: 3 },
    limits,
    headers: ['sku', 'price'],
    startByte: 100,
    startLine: 9,
    firstRow: 5,
    onRow: ({ row, ignored, record }) => {
      rows.push([row, ignored, record.byteFrom, record.byteTo, record.line, record.cells()]);
    },
  });
  scanner.push(new TextEncoder().encode('A,1\nsku,price\nB,2\n'));
  scanner.end();
  expect(rows).toEqual([
    [5, null, 100, 104, 9, ['A', '1']],
    [6, 'repeated-header', 104, 114, 10, ['sku', 'price']],
    [7, null, 114, 118, 11, ['B', '2']],
  ]);
});

const regular = Array.from(
  { length: 8 },
  (_, row) => `A-${row},Chair ${row},${row}.50,${row},https://example.com/${row}\n`,
).join('');

test('a row with an extra or missing separator is repaired and keeps its original cells', () => {
  const image = 'https://example.com/b';
  const bytes = new TextEncoder().encode(
    `sku,name,price,stock,image\n${regular},B-1,Lamp,7.25,3,${image}\nB-2,Lamp, brass,7.25,3,${image}\nB-3,Rug,7.253,${image}\nB-4,,x\n`,
  );
  const rows: unknown[] = [];
  const scanner = readTable({
    dialect: sniff(bytes, true),
    limits,
    onHeader: () => {},
    onRow({ row, record, cellsAsRead }) {
      if (row <= 8) return;
      const cells = record.cells();
      expect(cells).toEqual(cells.map((_, index) => record.cell(index)));
      rows.push({ cells, cellsAsRead, issues: findReadingIssues(record, 5, {}) });
    },
  });
  scanner.push(bytes);
  scanner.end();
  expect(rows).toEqual([
    {
      cells: ['B-1', 'Lamp', '7.25', '3', image],
      cellsAsRead: ['', 'B-1', 'Lamp', '7.25', '3', image],
      issues: ['extra-separator'],
    },
    {
      cells: ['B-2', 'Lamp, brass', '7.25', '3', image],
      cellsAsRead: ['B-2', 'Lamp', ' brass', '7.25', '3', image],
      issues: ['extra-separator'],
    },
    {
      cells: ['B-3', 'Rug', '7.25', '3', image],
      cellsAsRead: ['B-3', 'Rug', '7.253', image],
      issues: ['missing-separator'],
    },
    { cells: ['B-4', '', 'x'], cellsAsRead: null, issues: ['too-few-cells'] },
  ]);
});

test('a packed file has no more rows than its size allows', () => {
  const rowsOf = (fileBytes: number, rows: number) => {
    let read = 0;
    const scanner = readTable({
      dialect: comma,
      limits: withPackedRowsMax(limits, fileBytes),
      onHeader: () => {},
      onRow: () => {
        read += 1;
      },
    });
    scanner.push(new TextEncoder().encode(`sku\n${'A\n'.repeat(rows)}`));
    scanner.end();
    return read;
  };
  expect(rowsOf(80, 100_010)).toBe(100_010);
  expect(() => rowsOf(79, 100_010)).toThrow(
    'The file unpacks to more than 100,009 rows (reached at line 100,011), too many for its size. Upload the list in it as CSV.',
  );
});

test.each([
  [' SKU |Price', 'SKU|Price'],
  ['Price|Price|Price', 'Price|Price (2)|Price (3)'],
  ['|a| ', 'Column 1|a|Column 3'],
  ['a|a|a (2)', 'a|a (3)|a (2)'],
  ['Column 2|', 'Column 2|Column 2 (2)'],
  ['price|Price', 'price|Price'],
])('%s become %s', (cells, headers) => {
  expect(toUniqueHeaders(cells.split('|')).join('|')).toBe(headers);
});

test('equal names are counted once each: with quadratic time these would take hours', () => {
  const cells = Array.from({ length: 200_000 }, (_, at) => (at % 2 === 0 ? 'Price' : `Price (${at})`));
  const headers = runInNewContext('work()', { work: () => toUniqueHeaders(cells) }, { timeout: 20_000 });
  expect(headers.slice(0, 5)).toEqual(['Price', 'Price (1)', 'Price (2)', 'Price (3)', 'Price (4)']);
  expect(new Set(headers).size).toBe(cells.length);
});
