import type { Dialect } from '@draftshelf/csv/dialect';
import { fileScanner } from '@draftshelf/csv/encoding/transcriber';
import { type ReadLimits, readLimitsDefault } from '@draftshelf/csv/limits';
import { type DataRow, readRows } from '@draftshelf/csv/read-table';
import { scan } from '@draftshelf/csv/scan/scan';
import { type ColumnDetails, columnDetails } from '@draftshelf/domain/column-details';
import type { HeaderMapping } from '@draftshelf/domain/mapping/header-mapping';
import { countProducts } from '@draftshelf/reading/count-products';
import type { ReadOverrides } from '@draftshelf/reading/read-products';

/** Rows shown at first, and rows per page of 'Show All'. More cells would make the page stutter. */
export const firstRowsShown = 10;
export const previewPageRows = 200;
/** Longer cells are cut on the screen only. The upload is the file itself. */
const cellCharactersShown = 300;
/** Limits of `firstRecords`: records, characters per record, and bytes at the head of the file. */
const firstRecordsMax = 20;
const recordCharactersShown = 80;
const headBytesMax = 64 * 1024;

export type PreviewRow = {
  row: number;
  line: number;
  ignored: DataRow['ignored'];
  cells: string[];
};

/** The preview of a file so far. The three classes count products, as the import does. */
export type Preview = {
  dialect: Dialect;
  /** The first records in this dialect, from which the operator picks the header row. */
  firstRecords: string[];
  headers: string[];
  mapping: HeaderMapping;
  /** Samples and alternatives of each column. */
  columns: ColumnDetails[];
  totalRows: number;
  products: number;
  valid: number;
  warnings: number;
  errors: number;
  /** Ignored rows: repeated headers and totals. */
  ignoredRows: number;
  /** Rows with irregular quotes, cells or bytes. They are counted independently of the classes. */
  readingIssues: number;
  firstRows: PreviewRow[];
};

/** The start of a page of rows in the file, so that the page can be read alone. */
type PageStart = { byteFrom: number; line: number };

export type Previewer = {
  /** Takes the next bytes of the file. Throws the reader's error if a limit is exceeded. */
  push: (piece: Uint8Array) => void;
  /** Ends the file. Returns null if it has no header and data row. */
  end: () => Preview | null;
  /** The preview so far; null before the header is read. */
  current: () => Preview | null;
  /** The dialect; null before it is detected. */
  dialect: () => Dialect | null;
  /** The byte range of a page of rows (from 0), and its first line and row; null after the last page. */
  pageRange: (page: number) => { byteFrom: number; byteTo: number; line: number; firstRow: number } | null;
};

/** What is shown of a file besides its counts. */
type Shown = Pick<Preview, 'dialect' | 'firstRecords' | 'headers' | 'mapping' | 'columns' | 'firstRows'>;

/**
 * Reads a file like the server does, but counts instead of storing, with the reader of the upload
 * (docs/decisions/0004).
 */
export function createPreviewer(
  overrides: ReadOverrides = {},
  limits: ReadLimits = readLimitsDefault,
): Previewer {
  let shown: Shown | null = null;
  let byteTo = 0;
  const starts: PageStart[] = [];
  const head = createHead();
  const reading = countProducts({
    limits,
    overrides,
    onHeader: ({ headers, mapping, sample }) => {
      const dialect = reading.dialect as Dialect;
      const columns = columnDetails(mapping, sample);
      shown = { dialect, firstRecords: head.records(dialect), headers, mapping, columns, firstRows: [] };
    },
    onRow: (row) => {
      const { byteFrom, line } = row.record;
      if ((row.row - 1) % previewPageRows === 0) starts.push({ byteFrom, line });
      byteTo = row.record.byteTo;
      if (row.row <= firstRowsShown) shown?.firstRows.push(shownRow(row));
    },
  });
  const current = (): Preview | null => {
    if (shown === null) return null;
    const { rows, products, classes, ignoredRows, readingIssues } = reading.counts();
    const { valid, warning: warnings, error: errors } = classes;
    return { ...shown, totalRows: rows, products, valid, warnings, errors, ignoredRows, readingIssues };
  };

  return {
    push(piece) {
      if (shown === null) head.push(piece);
      reading.push(piece);
    },
    end() {
      reading.end();
      // If non-ASCII characters first appear late in the file, the encoding is known only now.
      if (shown !== null) shown.dialect = reading.dialect ?? shown.dialect;
      const preview = current();
      return preview === null || preview.totalRows === 0 ? null : preview;
    },
    current,
    dialect: () => reading.dialect ?? null,
    pageRange(page) {
      const start = starts[page];
      if (start === undefined) return null;
      return { ...start, byteTo: starts[page + 1]?.byteFrom ?? byteTo, firstRow: page * previewPageRows + 1 };
    },
  };
}

/** Reads the rows of one page from its bytes. */
export function readPreviewPage(
  bytes: Uint8Array,
  page: { byteFrom: number; line: number; firstRow: number },
  preview: Pick<Preview, 'dialect' | 'headers'>,
): PreviewRow[] {
  const rows: PreviewRow[] = [];
  const scanner = readRows({
    dialect: preview.dialect,
    limits: readLimitsDefault,
    headers: preview.headers,
    startByte: page.byteFrom,
    startLine: page.line,
    firstRow: page.firstRow,
    onRow: (row) => {
      rows.push(shownRow(row));
    },
  });
  scanner.push(bytes);
  scanner.end();
  return rows;
}

/** Keeps the first bytes of a file, to read its first records once the dialect is known. */
function createHead() {
  const bytes = new Uint8Array(headBytesMax);
  let length = 0;
  return {
    push(piece: Uint8Array) {
      const part = piece.subarray(0, headBytesMax - length);
      bytes.set(part, length);
      length += part.length;
    },
    records(dialect: Dialect): string[] {
      const records: string[] = [];
      const scanner = scan({
        dialect,
        limits: readLimitsDefault,
        onRecord(record) {
          const cells = record.cells().filter((cell) => cell.trim() !== '');
          records.push(cells.join(', ').slice(0, recordCharactersShown));
          return records.length < firstRecordsMax ? undefined : false;
        },
      });
      const reader = fileScanner(dialect.encoding, scanner);
      reader.push(bytes.subarray(0, length));
      // The last record may be incomplete. Only its beginning is shown, so that does not matter.
      reader.end();
      return records;
    },
  };
}

function shownRow({ row, record, ignored }: DataRow): PreviewRow {
  const cells = record
    .cells()
    .map((cell) => (cell.length > cellCharactersShown ? `${cell.slice(0, cellCharactersShown)}…` : cell));
  return { row, line: record.line, ignored, cells };
}
