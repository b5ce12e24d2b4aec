import { expect, test } from 'vitest';
import type { DialectOverrides, ScannedTable } from './dialect.ts';
import { overridesOf, withOverrides } from './dialect.ts';
import { readLimitsDefault } from './limits.ts';
import { placeOf } from './place.ts';
import { readFile } from './read-file.ts';
import { findReadingIssues, readRows } from './read-table.ts';

const sheet: ScannedTable = { n: 3, name: 'Prices', kind: 'sheet', converter: 1 };
const places = 3 * 2 ** 40;

/** Reads the text of a sheet in pieces of a few bytes. */
function read(text: string, dialect: DialectOverrides = {}, table = sheet) {
  let headers: string[] = [];
  const rows: { row: number; line: number; place: number; cells: string[]; issues: readonly string[] }[] = [];
  const reading = readFile({
    limits: readLimitsDefault,
    dialect,
    table,
    onHeader(found) {
      headers = found;
    },
    onRow({ row, record }) {
      const place = placeOf(record, reading.dialect ?? {});
      const issues = findReadingIssues(record, headers.length, reading.dialect ?? {});
      rows.push({ row, line: record.line, place, cells: record.cells(), issues });
    },
  });
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += 7) reading.push(bytes.subarray(at, at + 7));
  reading.end();
  return { headers, rows, dialect: reading.dialect };
}

const text = 'Price list\n\nSKU,Title,Price\nA,"two\nlines",1\n\n,,\nB,"Lamp, ""48"""\nC,Chair,3,note\n';

test('lines are rows of the sheet, blank ones and breaks in cells included; places begin with the table', () => {
  const { headers, rows, dialect } = read(text);
  expect(headers).toEqual(['SKU', 'Title', 'Price', 'Column 4']);
  expect(rows.map(({ row, line, place }) => [row, line, place - places])).toEqual([
    [1, 4, 4],
    [2, 7, 7],
    [3, 8, 8],
  ]);
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['A', 'two\nlines', '1'],
    ['B', 'Lamp, "48"'],
    ['C', 'Chair', '3', 'note'],
  ]);
  expect(dialect).toMatchObject({ table: sheet, headerRecord: 1, delimiter: ',', encoding: 'utf-8' });
  expect(dialect?.sheetRows).toEqual([1, 3, 4, 7, 8]);
});

test('short and long rows are complete, and nothing of the text can be wrong', () => {
  expect(read(text).rows.flatMap(({ issues }) => issues)).toEqual([]);
  const columns = Array.from({ length: 40 }, (_, row) => `S-${row},Lamp ${row},${row}.50`).join('\n');
  const { rows, dialect } = read(`SKU,Title,Price\n${columns}\nS-40,Lamp\nS-41,Chair,oak,3.50\n`);
  expect(rows.flatMap(({ issues }) => issues)).toEqual([]);
  expect(rows.slice(-2).map(({ cells }) => cells)).toEqual([
    ['S-40', 'Lamp'],
    ['S-41', 'Chair', 'oak', '3.50'],
  ]);
  expect(dialect?.columnProfiles).toBeUndefined();
});

test('only the header row is overridden; letters beyond ASCII decide no encoding', () => {
  const late = `SKU,Title\n${'A,Lamp\n'.repeat(40_000)}B,Größe\u00a0“1”\n`;
  const { rows, dialect } = read(late, { encoding: 'windows-1252', delimiter: ';', quote: '' });
  expect(rows.at(-1)?.cells).toEqual(['B', 'Größe\u00a0“1”']);
  expect(dialect?.said).toBeUndefined();
  const other = read(text, { headerRecord: 0 });
  expect(other.headers).toEqual(['Price list', 'Column 2', 'Column 3', 'Column 4']);
  expect(other.dialect?.said).toEqual(['headerRecord']);
});

test('a sheet without a header row has as many columns as its widest row', () => {
  expect(read('A,1\nB,2,3\n', { headerRecord: -1 }).headers).toEqual(['Column 1', 'Column 2', 'Column 3']);
});

test('the rows of a chunk have the same lines as in the whole sheet', () => {
  const whole = read(text);
  const lines: number[] = [];
  const startByte = new TextEncoder().encode(text.slice(0, text.indexOf('A,"two'))).length;
  const scanner = readRows({
    dialect: whole.dialect ?? { encoding: 'utf-8', delimiter: ',', quote: '"', bomBytes: 0, headerRecord: 1 },
    limits: readLimitsDefault,
    headers: whole.headers,
    ...{ startByte, startLine: 4, firstRow: 1 },
    onRow: ({ record }) => void lines.push(record.line),
  });
  scanner.push(new TextEncoder().encode(text).subarray(startByte));
  scanner.end();
  expect(lines).toEqual(whole.rows.map(({ line }) => line));
});

test('a list in an archive is read as any file, but its places begin with the table', () => {
  const list: ScannedTable = { n: 256, name: 'a.csv', kind: 'file', converter: 1 };
  const { rows, dialect } = read('SKU;Title;Price\nA;"two\nlines";1\nB;Lamp\n', {}, list);
  expect(dialect).toMatchObject({ table: list, delimiter: ';' });
  expect(rows.map(({ line, place, issues }) => [line, place - 256 * 2 ** 40, issues])).toEqual([
    [2, 16, []],
    [4, 32, ['too-few-cells']],
  ]);
});

test('overrides hold for the table they were set for', () => {
  const { dialect } = read(text, { headerRecord: 0 });
  if (!dialect) throw new Error('not read');
  expect(overridesOf(withOverrides(dialect, {}))).toEqual({ headerRecord: 0 });
  const other = { ...sheet, n: 4, name: 'Old' };
  const changed = withOverrides(dialect, {}, other);
  expect([changed.table, overridesOf(changed)]).toEqual([other, {}]);
  expect(overridesOf(withOverrides(dialect, { headerRecord: 2 }, other))).toEqual({ headerRecord: 2 });
});
