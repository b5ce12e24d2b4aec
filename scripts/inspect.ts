import { closeSync, openSync, readSync } from 'node:fs';
import { headerCells } from '@draftshelf/csv/detect/header-columns';
import type { Dialect } from '@draftshelf/csv/dialect';
import { createFileScanner } from '@draftshelf/csv/encoding/transcriber';
import { fileBytesMaxDefault, type ReadLimits, readLimitsDefault } from '@draftshelf/csv/limits';
import { findReadingIssues, type ReadingIssue, toRow } from '@draftshelf/csv/read-table';
import type { CsvRecord } from '@draftshelf/csv/scan/record';
import { type ScanDecision, type Scanner, scan } from '@draftshelf/csv/scan/scan';
import { readProducts } from '@draftshelf/reading/read-products';
import type { FileHeader } from '@draftshelf/reading/split-stream';

export type Inspection =
  | {
      encoding: string;
      delimiter: string;
      /** Index of the header among all records of the file, blank ones too; -1 for none. */
      headerRow: number;
      dataRows: number;
      /** Rows per issue; a row may have several issues. */
      issues: Partial<Record<ReadingIssue, number>>;
      /** By column: the field that it is the first source of. */
      mapping: (string | null)[];
      /** How columns of amounts are read, by index, and what is asked about them; absent: as they stand. */
      readings?: Partial<FileHeader['mapping']>;
    }
  | { error: string };

const limits: ReadLimits = { ...readLimitsDefault, fileBytesMax: fileBytesMaxDefault };
const pieceBytes = 256 * 1024;

/** How the product reads a file: its dialect and which column is which field. Never throws. */
export function inspectFile(file: string): Inspection {
  try {
    const { dialect, headers, mapping, rows, issues } = readWhole(file);
    const fields: (string | null)[] = headers.map(() => null);
    for (const [field, columns] of Object.entries(mapping.sources)) {
      const [first] = columns;
      if (first !== undefined) fields[first] = field;
    }
    const { encoding, delimiter } = dialect;
    const headerRow = headerRowOf(file, dialect);
    const { decimalComma, inferred, twoDecimals, cents, priceCurrency, priceUnit, questions } = mapping;
    const { quantityParts, commands } = mapping;
    const ofAmounts = { decimalComma, inferred, twoDecimals, cents, priceCurrency, priceUnit, questions };
    const all = { ...ofAmounts, quantityParts, commands };
    const readings = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    return {
      ...{ encoding, delimiter, headerRow, dataRows: rows, issues, mapping: fields },
      ...(Object.keys(readings).length > 0 && { readings }),
    };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Writes every record of a file as a JSON array, one per line, with its cells as the product understands them. The
 * records of a header become one, an empty line is [], empty lines at the end are left out. Throws what the reader
 * throws.
 */
export function writeRecords(file: string, write: (text: string) => void): void {
  const { dialect, headers } = readWhole(file);
  const header: string[][] = [];
  let text = '';
  let blank = '';
  const add = (cells: readonly string[]) => {
    text += `${blank}${JSON.stringify(cells)}\n`;
    blank = '';
    if (text.length < pieceBytes) return;
    write(text);
    text = '';
  };
  const { headerRecord, headerRecords = 1, recordsAbove = 0 } = dialect;
  const named = headerRecord >= 0;
  const firstRow = named ? headerRecord + headerRecords : recordsAbove;
  const onRecord = (record: CsvRecord) => {
    const row = record.ordinal - firstRow + 1;
    if (row > 0) return add(toRow(row, record, dialect, headers).record.cells());
    if (!named || record.ordinal < headerRecord) return add(record.cells());
    header.push(record.cells());
    if (header.length === headerRecords) add(headerCells(header, dialect));
  };
  const onBlank = (record: CsvRecord) => {
    const empty = record.cellCount === 1 && record.cell(0) === '';
    blank += `${JSON.stringify(empty ? [] : record.cells())}\n`;
  };
  scanFile(file, dialect, onRecord, onBlank);
  write(text);
}

type WholeFile = FileHeader & {
  rows: number;
  products: number;
  issues: Partial<Record<ReadingIssue, number>>;
};

/** Reads a file as the upload does. Throws what the reader throws, and an error for a file without a record. */
export function readWhole(file: string): WholeFile {
  const issues: WholeFile['issues'] = {};
  let header: Omit<FileHeader, 'dialect'> | undefined;
  const reading = readProducts({
    limits,
    onHeader({ headers, mapping }) {
      header = { headers, mapping };
    },
    onRow({ record }) {
      for (const issue of findReadingIssues(record, header?.headers.length ?? 0, {}))
        issues[issue] = (issues[issue] ?? 0) + 1;
    },
  });
  feed(file, reading, reading);
  const { dialect } = reading;
  const mapping = reading.mapping();
  if (dialect === undefined || header === undefined || mapping === undefined) {
    throw new Error('The file holds no record.');
  }
  return { dialect, ...header, mapping, ...reading.totals(), issues };
}

function headerRowOf(file: string, dialect: Dialect): number {
  if (dialect.headerRecord < 0) return -1;
  let index = -1;
  const count = (record: CsvRecord) => {
    index += 1;
    return record.ordinal < dialect.headerRecord ? undefined : false;
  };
  scanFile(file, dialect, count, () => {
    index += 1;
  });
  return index;
}

function scanFile(
  file: string,
  dialect: Dialect,
  onRecord: (record: CsvRecord) => ScanDecision,
  onBlank: (record: CsvRecord) => void,
): void {
  const records = scan({ dialect, limits, onRecord, onBlank });
  feed(file, createFileScanner(dialect.encoding, records), records);
}

/** Pushes the bytes of a file until its records are `stopped`. */
function feed(file: string, scanner: Scanner, records: { readonly stopped: boolean }): void {
  const piece = new Uint8Array(pieceBytes);
  const descriptor = openSync(file, 'r');
  try {
    while (!records.stopped) {
      const read = readSync(descriptor, piece, 0, pieceBytes, null);
      if (read === 0) break;
      scanner.push(piece.subarray(0, read));
    }
    scanner.end();
  } finally {
    closeSync(descriptor);
  }
}
