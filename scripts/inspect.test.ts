import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { inspectFile, writeRecords } from './inspect.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'draftshelf-inspect-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(bytes: string | Uint8Array): string {
  const file = path.join(folder, 'file.csv');
  writeFileSync(file, bytes);
  return file;
}

function recordsOf(file: string): unknown[] {
  let text = '';
  writeRecords(file, (part) => {
    text += part;
  });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('reports a file as the product reads it', () => {
  expect(
    inspectFile(fileOf('Stock of May\n\nsku;title;price;note\nA;"Oak; chair";9,99;\nB;Lamp;5,00;"x\n')),
  ).toEqual({
    encoding: 'utf-8',
    delimiter: ';',
    headerRow: 2,
    dataRows: 2,
    issues: { 'unclosed-quote': 1 },
    mapping: ['sku', 'title', 'price', null],
    readings: { decimalComma: [2], twoDecimals: [2] },
  });
});

test('reports issues of rows and continues', () => {
  const rows = [
    '1,Chair,10\r\n',
    '2,"Oak" chair,10\r\n',
    '3,Rug\r\n',
    '4,Lamp,10,x\r\n',
    '5,Va\0se,10\r\n',
    '6,Bed\rroom,10\r\n',
    '7,Mirror,10\n',
    '8,Größe,10\r\n',
    '9,Länge,10\r\n',
    '10,Höhe,10\r\n',
    '11,Breite @,10\r\n',
  ];
  const bytes = Buffer.from(`sku,title,price\r\n${rows.join('')}`);
  bytes[bytes.indexOf('@')] = 0xff;
  expect(inspectFile(fileOf(bytes))).toMatchObject({
    encoding: 'utf-8',
    dataRows: 11,
    issues: {
      'bad-quote': 1,
      'too-few-cells': 1,
      'too-many-cells': 1,
      nul: 1,
      'lone-cr': 1,
      'mixed-line-ends': 1,
      'invalid-utf8': 1,
    },
  });
});

test('reads a file without a header, in UTF-16', () => {
  const bytes = Buffer.from('\uFEFF101,Chair,9.99\n102,Table,19.99\n', 'utf16le');
  const file = fileOf(bytes);
  expect(inspectFile(file)).toMatchObject({ encoding: 'utf-16le', headerRow: -1, dataRows: 2 });
  expect(recordsOf(file)).toEqual([
    ['101', 'Chair', '9.99'],
    ['102', 'Table', '19.99'],
  ]);
});

test('shows a repaired row, and a line of totals, which is no product, unchanged', () => {
  const rows = Array.from(
    { length: 8 },
    (_, row) => `Lamps,${row % 2 ? 'Oak lamp' : ''},${row % 3 ? '2024-05-01' : ''},${row}.50\n`,
  );
  expect(
    recordsOf(fileOf(`group,title,date,price\n${rows.join('')}Lamps,Oak lamp,5.50\nTotal,,5.50\n`)).slice(-2),
  ).toEqual([
    ['Lamps', 'Oak lamp', '', '5.50'],
    ['Total', '', '5.50'],
  ]);
});

test('shows a line above the rows of a file without a header unchanged', () => {
  const rows = Array.from({ length: 20 }, (_, row) => {
    const given = (cell: string, every: number) => ((row + 1) % every ? cell : '');
    const date = given('2024-05-01', 5);
    return `Chair,${date},${given('7', 2)},${given('A-1', 3)},${given('9.50', 4)},${given('TRUE', 6)}\n`;
  });
  const file = fileOf(`,Stock,2024-05-01,,,,\n${rows.join('')}`);
  expect(inspectFile(file)).toMatchObject({ headerRow: -1, dataRows: 20 });
  expect(recordsOf(file)[0]).toEqual(['', 'Stock', '2024-05-01', '', '', '', '']);
});

test('shows all records, blank ones too', () => {
  expect(recordsOf(fileOf('Title\n\nsku,name\n,\nA,"x\ny"\n'))).toEqual([
    ['Title'],
    [],
    ['sku', 'name'],
    ['', ''],
    ['A', 'x\ny'],
  ]);
});

test('explains why a file cannot be read', () => {
  expect(inspectFile(fileOf('\n\n'))).toEqual({ error: 'The file holds no record.' });
  expect(inspectFile(fileOf(Uint8Array.of(0x50, 0x4b, 3, 4, 20)))).toMatchObject({
    error: expect.stringContaining('ZIP'),
  });
  expect(inspectFile(path.join(folder, 'missing.csv'))).toMatchObject({
    error: expect.stringContaining('ENOENT'),
  });
});
