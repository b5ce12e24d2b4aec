import { expect, test } from 'vitest';
import { asBeforeDownload, failedRowsColumn, formulaSafe } from './own-download.ts';
import { readFile } from './read-file.ts';

const formulas = [
  '=1+1',
  '+1+1',
  '-1-1',
  '-cmd|x',
  '@SUM(1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '＝1',
  "'=1",
  "''-2",
  "'-2",
];
const others = [
  '-2',
  '+49',
  '-1.234,50',
  '-,5',
  '-10%',
  'a=1',
  "'s-Hertogenbosch",
  "'",
  '',
  ' ',
  '1-1',
  "''",
];

test.each(formulas)('%j is no formula in a download, and is found again', (cell) => {
  expect(formulaSafe(cell)).toBe(`'${cell}`);
  expect(asBeforeDownload(formulaSafe(cell))).toBe(cell);
});

test.each(others)('%j is downloaded as it is', (cell) => {
  expect(formulaSafe(cell)).toBe(cell);
  expect(asBeforeDownload(cell)).toBe(cell);
});

function read(records: readonly string[][]) {
  const found = { headers: [] as string[], sample: [] as readonly string[][], rows: [] as string[][] };
  const reading = readFile({
    limits: { recordBytesMax: 10_000, columnsMax: 10, rowsMax: 100 },
    onHeader(headers, _record, sample) {
      found.headers = headers;
      found.sample = sample;
    },
    onRow: ({ record }) => {
      found.rows.push(record.cells());
      expect(record.cell(1)).toBe(record.cells()[1]);
    },
  });
  reading.push(new TextEncoder().encode(records.map((cells) => `${cells.join(',')}\n`).join('')));
  reading.end();
  return found;
}

test('a download of ours is read with the cells and headers from before it', () => {
  const header = ['Title', '=Price', failedRowsColumn];
  const rows = ['=Lamp', "'=Vase", '-2', 'Stool'].map((title) => [title, '5', '-Refused']);
  const found = read([header, ...rows].map((cells) => cells.map(formulaSafe)));
  expect(found).toEqual({ headers: header, sample: rows, rows });
});

test('a file of others keeps its apostrophes', () => {
  const rows = ["'=Lamp", "'-2", "'@Vase"].map((title) => [title, '5']);
  expect(read([['Title', "'=Price"], ...rows])).toEqual({
    headers: ['Title', "'=Price"],
    sample: rows,
    rows,
  });
});
