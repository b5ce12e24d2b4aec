import { expect, test } from 'vitest';
import { type Dialect, delimiters } from '../dialect.ts';
import { ReadLimitError, type ReadLimits, readLimitsDefault } from '../limits.ts';
import { pick, type Random, randomTable, seededRandom } from '../testing/random.ts';
import type { CsvRecord } from './record.ts';
import { type ScanOptions, scan } from './scan.ts';

const comma: Dialect = { encoding: 'utf-8', delimiter: ',', quote: '"', bomBytes: 0, headerRecord: 0 };

type Copy = {
  byteFrom: number;
  byteTo: number;
  line: number;
  blank: boolean;
  cells: string[];
  issues: string[];
};
type Result = { records: Copy[]; error: string | null };

function read(bytes: Uint8Array, pieceBytes: number, options: Omit<ScanOptions, 'onRecord'>): Result {
  const records: Copy[] = [];
  const keep = (record: CsvRecord, blank: boolean) => {
    const { byteFrom, byteTo, line } = record;
    records.push({ byteFrom, byteTo, line, blank, cells: record.cells(), issues: [...record.issues] });
  };
  const scanner = scan({ ...options, onRecord: (r) => keep(r, false), onBlank: (r) => keep(r, true) });
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const piece = bytes.slice(at, at + pieceBytes);
      scanner.push(piece);
      piece.fill(0x22); // The scanner must not look at a piece again.
    }
    scanner.end();
  } catch (error) {
    if (!(error instanceof ReadLimitError)) throw error;
    return { records, error: error.message };
  }
  return { records, error: null };
}

/** Bytes in which every rule about quotes, line breaks and characters applies often. */
function hardBytes(random: Random): Uint8Array {
  const some = [...'aab""""\',,; \n\n\r\\ \0'].map((char) => char.charCodeAt(0)).concat(0xc3, 0xa9, 0xff);
  return new Uint8Array(random(60)).map(() => pick(random, some));
}

function hardDialect(random: Random): Dialect {
  return {
    ...comma,
    delimiter: pick(random, [',', ',', ';', ' ']),
    quote: pick(random, ['"', '"', '"', "'", '']),
    encoding: pick(random, ['utf-8', 'utf-8', 'windows-1252', 'cp850']),
    crEndsLine: random(3) === 0,
    spaceAfterDelimiter: random(3) === 0,
    backslashEscapes: random(3) === 0,
    wrappedLines: random(4) === 0,
    ...pick(random, [{}, { lineEnd: 'lf' as const }, { lineEnd: 'crlf' as const }]),
  };
}

const hardLimits = (random: Random): ReadLimits => ({
  ...readLimitsDefault,
  recordBytesMax: random(3) === 0 ? 4 + random(20) : 1000,
  columnsMax: random(4) === 0 ? 3 : 100,
  ...(random(4) === 0 ? { cellBytesMax: 5 } : {}),
});

function linesBefore(bytes: Uint8Array, byte: number, crEndsLine: boolean): number {
  let lines = 0;
  for (let at = 0; at < byte; at += 1) {
    if (bytes[at] === 10 || (crEndsLine && bytes[at] === 13 && bytes[at + 1] !== 10)) lines += 1;
  }
  return lines;
}

test('hard bytes: every piece size gives the same records, and these cover all bytes', () => {
  const random = seededRandom(20261120);
  for (let round = 0; round < 3000; round += 1) {
    const bytes = hardBytes(random);
    const options = { dialect: hardDialect(random), limits: hardLimits(random) };
    const whole = read(bytes, 1000, options);
    for (const pieceBytes of [1, 2, 3, 7]) expect(read(bytes, pieceBytes, options)).toEqual(whole);
    let at = 0;
    for (const record of whole.records) {
      expect(record.byteFrom).toBe(at);
      expect(record.line).toBe(1 + linesBefore(bytes, at, options.dialect.crEndsLine === true));
      at = record.byteTo;
    }
    if (whole.error === null) expect(at).toBe(bytes.length);
  }
});

test('hard bytes: skipping blank records changes nothing else', () => {
  const random = seededRandom(77);
  for (let round = 0; round < 1000; round += 1) {
    const bytes = hardBytes(random);
    const options = { dialect: hardDialect(random), limits: hardLimits(random) };
    const whole = read(bytes, 1000, options);
    const kept: [number, number, string[]][] = [];
    const scanner = scan({
      ...options,
      onRecord: (record) => {
        kept.push([record.byteFrom, record.line, record.cells()]);
      },
    });
    try {
      scanner.push(bytes);
      scanner.end();
    } catch (error) {
      expect(String(error)).toContain(whole.error);
    }
    const wanted = whole.records.filter(({ blank }) => !blank);
    expect(kept).toEqual(wanted.map(({ byteFrom, line, cells }) => [byteFrom, line, cells]));
  }
});

test('hard bytes: any range of records gives the same result alone as in the whole', () => {
  const random = seededRandom(31415);
  let runs = 0;
  for (let round = 0; round < 3000; round += 1) {
    const bytes = hardBytes(random);
    const options = { dialect: hardDialect(random), limits: hardLimits(random) };
    const { records } = read(bytes, 1000, options);
    if (records.length < 2) continue;
    const from = random(records.length);
    const run = records.slice(from, from + 1 + random(records.length - from));
    const [first, last] = [run[0] as Copy, run.at(-1) as Copy];
    const part = bytes.subarray(first.byteFrom, last.byteTo);
    const start = { startByte: first.byteFrom, startLine: first.line };
    expect(read(part, 1 + random(9), { ...options, ...start })).toEqual({ records: run, error: null });
    runs += 1;
  }
  expect(runs).toBeGreaterThan(1500);
});

const parts = [
  'a',
  'Chair',
  '"',
  '""',
  "'",
  '`',
  ...delimiters,
  '\n',
  '\r\n',
  ' ',
  '5"',
  'é',
  '茶',
  '🪑',
  '\\',
  '\\"',
  '',
];

type Style = { dialect: Dialect; lineEnd: string; quoteAll: boolean };

function write(table: string[][], { dialect, lineEnd, quoteAll }: Style): string {
  const { delimiter, quote, backslashEscapes } = dialect;
  const special = [quote, '\r', '\n', delimiter];
  const escaped = (text: string) =>
    backslashEscapes
      ? text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)
      : text.replaceAll(quote, quote + quote);
  const cell = (text: string) =>
    quoteAll ||
    special.some((char) => text.includes(char)) ||
    (dialect.spaceAfterDelimiter && text.startsWith(' '))
      ? `${quote}${escaped(text)}${quote}`
      : text;
  const between = dialect.spaceAfterDelimiter ? `${delimiter} ` : delimiter;
  return table.map((record) => record.map(cell).join(between) + lineEnd).join('');
}

function randomStyle(random: Random): Style {
  const lineEnd = pick(random, ['\n', '\r\n', '\r']);
  const delimiter = pick(random, delimiters);
  const dialect: Dialect = {
    ...comma,
    delimiter,
    quote: pick(random, ['"', '"', "'", '`']),
    crEndsLine: lineEnd === '\r',
    backslashEscapes: random(4) === 0,
    spaceAfterDelimiter: delimiter !== ' ' && random(4) === 0,
  };
  return { dialect, lineEnd, quoteAll: random(3) === 0 };
}

test('random tables, written in random dialects, are read back equal at every piece size', () => {
  const random = seededRandom(8);
  for (let round = 0; round < 300; round += 1) {
    const table = randomTable(random, parts).map((record) =>
      random(5) === 0 ? [...record, ...record.slice(random(record.length))] : record,
    );
    const style = randomStyle(random);
    const bytes = new TextEncoder().encode(write(table, style));
    for (const pieceBytes of [1, 2, 3, 7, 64, 65536]) {
      const { records } = read(bytes, pieceBytes, { dialect: style.dialect, limits: readLimitsDefault });
      expect(records.map((record) => record.cells)).toEqual(table);
      expect(records.every((record) => record.issues.length === 0)).toBe(true);
    }
  }
});

test('random bytes: a cell is its bytes, decoded, without its quotes', () => {
  const random = seededRandom(99);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (let round = 0; round < 500; round += 1) {
    const rows = Array.from({ length: 1 + random(5) }, () =>
      Array.from({ length: 2 }, () => randomCell(random)),
    );
    const bytes = Uint8Array.from(rows.flatMap(([first = [], second = []]) => [...first, 44, ...second, 10]));
    const { records } = read(bytes, 1 + random(9), { dialect: comma, limits: readLimitsDefault });
    const wanted = rows.map((row) => row.map((cell) => decoder.decode(Uint8Array.from(cell))));
    expect(records.map((record) => record.cells)).toEqual(wanted);
  }
});

/** Any bytes, valid or not, except those that end a cell, quotes, and the two that begin Latin-1 controls. */
const randomCell = (random: Random) =>
  [97, ...Array.from({ length: random(8) }, () => random(256))].filter(
    (byte) => ![10, 13, 34, 44, 0xc2].includes(byte),
  );
