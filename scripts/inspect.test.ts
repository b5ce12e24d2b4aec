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

test('a file as the product reads it', () => {
  expect(
    inspectFile(fileOf('Stock of May\n\nsku;title;price;note\nA;"Oak; chair";9,99;\nB;Lamp;5,00;"x\n')),
  ).toEqual({
    encoding: 'utf-8',
    delimiter: ';',
    headerRow: 2,
    dataRows: 2,
    issues: { 'unclosed-quote': 1 },
    mapping: ['sku', 'title', 'price', null],
  });
});

test('a file without a header, in UTF-16', () => {
  const bytes = Buffer.from('\uFEFF101,Chair,9.99\n102,Table,19.99\n', 'utf16le');
  const file = fileOf(bytes);
  expect(inspectFile(file)).toMatchObject({ encoding: 'utf-16le', headerRow: -1, dataRows: 2 });
  expect(recordsOf(file)).toEqual([
    ['101', 'Chair', '9.99'],
    ['102', 'Table', '19.99'],
  ]);
});

test('all records, blank ones too', () => {
  expect(recordsOf(fileOf('Title\n\nsku,name\n,\nA,"x\ny"\n'))).toEqual([
    ['Title'],
    [],
    ['sku', 'name'],
    ['', ''],
    ['A', 'x\ny'],
  ]);
});

test('what cannot be read says why', () => {
  expect(inspectFile(fileOf('\n\n'))).toEqual({ error: 'The file holds no record.' });
  expect(inspectFile(fileOf(Uint8Array.of(0x50, 0x4b, 3, 4, 20)))).toMatchObject({
    error: expect.stringContaining('ZIP'),
  });
  expect(inspectFile(path.join(folder, 'missing.csv'))).toMatchObject({
    error: expect.stringContaining('ENOENT'),
  });
});
