import { NotCsvError } from '@draftshelf/csv/detect/not-csv';
import type { Dialect } from '@draftshelf/csv/dialect';
import { isTranscribed } from '@draftshelf/csv/encoding/encodings';
import { ReadLimitError, type ReadLimits } from '@draftshelf/csv/limits';
import { readFile } from '@draftshelf/csv/read-file';
import { type DataRow, readRows } from '@draftshelf/csv/read-table';
import { pick as pickOf, seededRandom } from '@draftshelf/csv/testing/random';

// node scripts/fuzz-csv.ts [MINUTES] [SEED]: feeds the reader with broken files until the time is over.
// It must not crash or hang, and must read the same rows at every piece size and for a range of rows read on its own.

const minutes = Number(process.argv[2] ?? 1);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_007);
/** A file of at most 64 KiB takes milliseconds; this long is a hang, even on a busy machine. */
const fileMsMax = 10_000;

type Row = {
  row: number;
  line: number;
  byteFrom: number;
  byteTo: number;
  cells: string[];
  cellsAsRead: string[] | null;
  issues: string[];
};
type Outcome = {
  dialect: Dialect | undefined;
  headers: string[];
  sample: readonly string[][];
  rows: Row[];
  refused: string | null;
};

const below = seededRandom(seed);
const pick = <T>(from: readonly T[]): T => pickOf(below, from);

const cells = [
  'Chair',
  '5" pipe',
  '"',
  '""',
  "Kids'",
  '1,5',
  '10.00',
  'a;b',
  'Größe',
  'd\u0092Oak',
  '£9',
  '茶',
  '🪑',
  '\\"',
  '',
  ' ',
  '\0',
  '\uFFFD',
];
const borders = [',', ',', ',', ';', '\t', '|', '"', '","', '\n', '\n', '\r\n', '\r', '\n\n', ' ', "'", '\\'];

function randomFile(): Uint8Array {
  const kind = below(6);
  if (kind === 0) return Uint8Array.from({ length: below(3000) }, () => below(256));
  const text = kind === 5 ? randomSlips() : kind === 1 ? randomTable() : randomText();
  const bytes = kind === 2 ? utf16(text) : new TextEncoder().encode(text);
  const changes = kind === 3 ? below(20) : kind === 4 ? 1 : 0;
  for (let at = 0; at < changes && bytes.length > 0; at += 1) bytes[below(bytes.length)] = below(256);
  return bytes;
}

const randomText = () => Array.from({ length: below(400) }, () => pick(below(2) ? cells : borders)).join('');

function randomTable(): string {
  const delimiter = pick([',', ';', '\t', '|', '^', '~']);
  const quote = pick(['"', "'"]);
  const lineEnd = pick(['\n', '\r\n', '\r']);
  const columns = 1 + below(8);
  const cell = () => {
    const text = pick(cells);
    return below(3) === 0 ? `${quote}${text.replaceAll(quote, quote + quote)}${quote}` : text;
  };
  const row = () => Array.from({ length: columns + (below(20) ? 0 : 1) }, cell).join(delimiter);
  const wrap = below(6) === 0 ? (line: string) => `"${line.replaceAll('"', '""')}"` : (line: string) => line;
  return Array.from({ length: below(200) }, () => wrap(row())).join(lineEnd);
}

/** Columns of one kind each, and rows with a separator too many or too few. */
function randomSlips(): string {
  const kinds = [
    () => `AB-${below(1000)}`,
    () => `${below(100)}.50`,
    () => `2024-01-${10 + below(20)}`,
    () => `https://example.com/${below(9)}`,
    () => pick(['Chair', 'Lamp "oak"', 'Kids’ lamp, red', '']),
    () => pick(['', '7']),
  ];
  const columns = Array.from({ length: 2 + below(6) }, () => pick(kinds));
  const delimiter = pick([',', ';', '\t']);
  const slip = (line: string) => {
    const at = below(line.length + 1);
    if (below(2)) return `${line.slice(0, at)}${delimiter}${line.slice(at)}`;
    const next = line.indexOf(delimiter, at);
    return next < 0 ? line : `${line.slice(0, next)}${line.slice(next + 1)}`;
  };
  const line = () => columns.map((cell) => cell()).join(delimiter);
  return Array.from({ length: below(60) }, () => (below(6) ? line() : slip(line()))).join('\n');
}

function utf16(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let at = 0; at < text.length; at += 1) {
    bytes[at * 2] = text.charCodeAt(at) & 0xff;
    bytes[at * 2 + 1] = text.charCodeAt(at) >> 8;
  }
  return bytes;
}

const randomLimits = (): ReadLimits => ({
  recordBytesMax: pick([50, 1000, 1024 * 1024]),
  columnsMax: pick([5, 2000]),
  rowsMax: pick([20, 10_000_000]),
  cellBytesMax: pick([20, 1024 * 1024]),
});

function read(bytes: Uint8Array, pieceBytes: () => number, limits: ReadLimits): Outcome {
  const outcome: Outcome = { dialect: undefined, headers: [], sample: [], rows: [], refused: null };
  const reading = readFile({
    limits,
    onHeader: (headers, _record, sample) => {
      outcome.headers = headers;
      outcome.sample = sample;
    },
    onRow: (row) => void outcome.rows.push(copyOf(row)),
  });
  try {
    for (let at = 0; at < bytes.length; ) {
      const size = pieceBytes();
      reading.push(bytes.slice(at, at + size));
      at += size;
    }
    reading.end();
  } catch (error) {
    if (!(error instanceof ReadLimitError || error instanceof NotCsvError)) throw error;
    outcome.refused = error.message;
  }
  return { ...outcome, dialect: reading.dialect };
}

function copyOf({ row, record, cellsAsRead }: DataRow): Row {
  const { line, byteFrom, byteTo, issues } = record;
  return { row, line, byteFrom, byteTo, cells: record.cells(), cellsAsRead, issues: [...issues] };
}

/** Reads a range of rows on its own, as a worker reads its chunk. */
function readRun(bytes: Uint8Array, whole: Outcome, limits: ReadLimits): void {
  const { dialect, headers, rows } = whole;
  if (dialect === undefined || isTranscribed(dialect.encoding) || rows.length === 0) return;
  const from = below(rows.length);
  const run = rows.slice(from, from + 1 + below(rows.length - from));
  const [first, last] = [run[0] as Row, run.at(-1) as Row];
  const found: Row[] = [];
  const scanner = readRows({
    dialect,
    limits,
    headers,
    startByte: first.byteFrom,
    startLine: first.line,
    firstRow: first.row,
    onRow: (row) => void found.push(copyOf(row)),
  });
  scanner.push(bytes.subarray(first.byteFrom, last.byteTo));
  scanner.end();
  mustEqual(found, run, 'a run of rows read by itself');
}

function mustEqual(found: unknown, wanted: unknown, what: string): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${what} gave another result`);
}

function fuzzOnce(): void {
  const bytes = randomFile();
  const limits = randomLimits();
  const begun = performance.now();
  try {
    const whole = read(bytes, () => 65_536, limits);
    mustEqual(
      read(bytes, () => 1, limits),
      whole,
      'pieces of one byte',
    );
    mustEqual(
      read(bytes, () => 1 + below(40), limits),
      whole,
      'random pieces',
    );
    readRun(bytes, whole, limits);
    if (performance.now() - begun > fileMsMax) throw new Error(`took longer than ${fileMsMax} ms`);
  } catch (error) {
    console.error(`seed ${seed}, file ${files}, limits ${JSON.stringify(limits)}`);
    console.error(`base64 of the file: ${Buffer.from(bytes).toString('base64')}`);
    throw error;
  }
}

console.log(`seed ${seed}, ${minutes} minutes`);
const end = performance.now() + minutes * 60_000;
let files = 0;
while (performance.now() < end) {
  fuzzOnce();
  files += 1;
}
console.log(`${files} files: no crash, no hang, the same result at every piece size`);
