import { expect, test } from 'vitest';
import { errorColumnName, escapeFormulas, unescapeFormulas } from './own-download.ts';
import { readFile } from './read-file.ts';

const formulas = [
  '=1+1',
  '+1+1',
  '-1-1',
  '-cmd|x',
  '@SUM(1)',
  '\ttext',
  '\rtext',
  '\ntext',
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
  'a;b',
  'color: red; width: -1px',
  'a;-5',
  'a\t+1,50%',
];

test.each(formulas)('%j is no formula in a download, and is found again', (cell) => {
  expect(escapeFormulas(cell)).toBe(`'${cell}`);
  expect(unescapeFormulas(escapeFormulas(cell))).toBe(cell);
});

/** Cells, and how they are downloaded: spreadsheets of other countries separate cells by these marks. */
const inner: [string, string][] = [
  ['Chair;=1+cmd|/C calc!A0;x', "Chair;'=1+cmd|/C calc!A0;x"],
  ['a\t=1\t@b', "a\t'=1\t'@b"],
  ['a\n=1', "a\n'=1"],
  ['\t=1', "'\t'=1"],
  ['=1;=2', "'=1;'=2"],
  ['a;"=1+1"', 'a;"\'=1+1"'],
  ["a;'=1;''-x", "a;''=1;'''-x"],
  ['a;-5;-x', "a;-5;'-x"],
  ['a;＝1', "a;'＝1"],
];

test.each(inner)('%j has no formula within it in a download, and is found again', (cell, downloaded) => {
  expect(escapeFormulas(cell)).toBe(downloaded);
  expect(unescapeFormulas(downloaded)).toBe(cell);
});

test('every cell is found again', () => {
  const letters = ['=', '-', "'", '"', ';', '\t', '\n', '5', 'a'];
  const cells = (length: number): string[] =>
    length === 0 ? [''] : cells(length - 1).flatMap((cell) => letters.map((letter) => cell + letter));
  for (const cell of cells(5)) {
    if (unescapeFormulas(escapeFormulas(cell)) !== cell) expect.fail(JSON.stringify(cell));
  }
});

test.each(others)('%j is downloaded as it is', (cell) => {
  expect(escapeFormulas(cell)).toBe(cell);
  expect(unescapeFormulas(cell)).toBe(cell);
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
  const header = ['Title', '=Price', errorColumnName];
  const rows = ['=Lamp', "'=Vase", '-2', 'Stool'].map((title) => [title, '5', '-Refused']);
  const found = read([header, ...rows].map((cells) => cells.map(escapeFormulas)));
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
