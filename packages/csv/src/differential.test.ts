import { parse as csvParse } from 'csv-parse/sync';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import type { Delimiter, Dialect } from './dialect.ts';
import { readLimitsDefault } from './limits.ts';
import { scan } from './scan/scan.ts';
import { pick, type Random, randomTable, seededRandom } from './testing/random.ts';

function ours(text: string, delimiter: Delimiter, lineEnd: string, pieceBytes: number): string[][] {
  const dialect: Dialect = {
    encoding: 'utf-8',
    delimiter,
    quote: '"',
    bomBytes: 0,
    headerRecord: 0,
    crEndsLine: lineEnd === '\r',
  };
  const records: string[][] = [];
  const scanner = scan({
    dialect,
    limits: readLimitsDefault,
    onRecord: (record) => {
      records.push(record.cells());
    },
  });
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) scanner.push(bytes.slice(at, at + pieceBytes));
  scanner.end();
  return records;
}

const byPapaparse = (text: string, delimiter: string, newline: '\n' | '\r\n' | '\r') =>
  Papa.parse<string[]>(text, { delimiter, newline, skipEmptyLines: true }).data;

const byCsvParse = (text: string, delimiter: string, lineEnd: string): string[][] =>
  csvParse(text, {
    delimiter,
    record_delimiter: lineEnd,
    relax_column_count: true,
    skip_empty_lines: true,
  });

const parts = [
  'a',
  'Chair',
  '""',
  ',',
  ';',
  '\t',
  '|',
  '\n',
  '\r\n',
  ' ',
  'é',
  '茶',
  '🪑',
  '\\',
  "'",
  '0',
  '',
];

/** RFC 4180, with unneeded quotes and rows of any width. */
function write(random: Random, table: string[][], delimiter: string, lineEnd: string): string {
  const cell = (text: string) =>
    /["\r\n]/.test(text) || text.includes(delimiter) || random(4) === 0
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  return table.map((record) => record.map(cell).join(delimiter) + lineEnd).join('');
}

test('RFC 4180 files are read as papaparse and csv-parse read them', () => {
  const random = seededRandom(4180);
  for (let round = 0; round < 400; round += 1) {
    const table = randomTable(random, parts).map((record) =>
      random(5) === 0 ? [...record, ...record.slice(random(record.length))] : record,
    );
    const delimiter = pick(random, [',', ';', '\t', '|'] as const);
    const lineEnd = pick(random, ['\n', '\r\n', '\r'] as const);
    const whole = write(random, table, delimiter, lineEnd);
    const text = random(2) === 0 ? whole : whole.slice(0, -lineEnd.length);
    const found = ours(text, delimiter, lineEnd, 1 + random(100));
    expect(found).toEqual(table);
    expect(found).toEqual(byPapaparse(text, delimiter, lineEnd));
    expect(found).toEqual(byCsvParse(text, delimiter, lineEnd));
  }
});

test('quotes within unquoted cells are text for all three', () => {
  const text = 'a,5" pipe,b\nc,d"e"f,g\n';
  const found = ours(text, ',', '\n', 3);
  expect(found).toEqual(byPapaparse(text, ',', '\n'));
  expect(found).toEqual(csvParse(text, { relax_quotes: true }));
});
