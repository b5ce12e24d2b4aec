import { chunker } from '@draftshelf/csv/chunking/chunk-bounds';
import type { Dialect, DialectOverrides } from '@draftshelf/csv/dialect';
import { isTranscribed } from '@draftshelf/csv/encoding/encodings';
import { transcriber } from '@draftshelf/csv/encoding/transcriber';
import { type ReadLimits, readLimitsDefault } from '@draftshelf/csv/limits';
import { readFile } from '@draftshelf/csv/read-file';
import { type DataRow, readingIssues, readRows } from '@draftshelf/csv/read-table';
import { scan } from '@draftshelf/csv/scan/scan';
import type { CanonicalField } from '@draftshelf/domain/canonical-fields';
import { type Grouper, grouper, groupingOf } from '@draftshelf/domain/grouping';
import { type HeaderMapping, mapHeaders } from '@draftshelf/domain/header-mapping';
import { classifyRow, type RowClass, worstClass } from '@draftshelf/domain/row-rule';
import { readRowValues } from '@draftshelf/domain/row-values';

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

/**
 * Reads a file like the server does, but counts instead of storing: same reader, mapping, grouping and row rule
 * (docs/decisions/0004). `dialect` holds the operator's overrides; the rest is detected.
 */
export function createPreviewer(
  dialect: DialectOverrides = {},
  limits: ReadLimits = readLimitsDefault,
): Previewer {
  let preview: Preview | null = null;
  let counter: ProductCounter | null = null;
  let byteTo = 0;
  const starts: PageStart[] = [];
  const head = createHead();
  const reading = readFile({
    limits,
    dialect,
    onHeader: (headers) => {
      const mapping = mapHeaders(headers);
      const detected = reading.dialect as Dialect;
      preview = emptyPreview({ dialect: detected, firstRecords: head.records(detected), headers, mapping });
      counter = createProductCounter(mapping);
    },
    onRow: (row) => {
      if (preview === null || counter === null) return;
      if ((row.row - 1) % previewPageRows === 0) {
        starts.push({ byteFrom: row.record.byteFrom, line: row.record.line });
      }
      byteTo = row.record.byteTo;
      countRow(preview, counter, row);
    },
  });

  return {
    push(piece) {
      if (preview === null) head.push(piece);
      reading.push(piece);
    },
    end() {
      reading.end();
      if (preview === null || preview.totalRows === 0) return null;
      // If non-ASCII characters first appear late in the file, the encoding is known only now.
      preview.dialect = reading.dialect ?? preview.dialect;
      counter?.endProduct(preview);
      return preview;
    },
    current: () => preview,
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

function emptyPreview(begun: Pick<Preview, 'dialect' | 'firstRecords' | 'headers' | 'mapping'>): Preview {
  const nothing = {
    totalRows: 0,
    products: 0,
    valid: 0,
    warnings: 0,
    errors: 0,
    ignoredRows: 0,
    readingIssues: 0,
  };
  return { ...begun, ...nothing, firstRows: [] };
}

function countRow(preview: Preview, counter: ProductCounter, row: DataRow): void {
  preview.totalRows += 1;
  if (preview.firstRows.length < firstRowsShown) preview.firstRows.push(shownRow(row));
  counter.add(preview, row);
  if (row.ignored !== null) preview.ignoredRows += 1;
  else if (readingIssues(row.record, preview.headers.length).length > 0) preview.readingIssues += 1;
}

type ProductCounter = {
  add: (preview: Preview, row: DataRow) => void;
  endProduct: (preview: Preview) => void;
};

const classCounts = { valid: 'valid', warning: 'warnings', error: 'errors' } as const;

/**
 * Counts products by class, row by row. A product has the class of its worst row. A product that the upload splits
 * because of its size counts twice, as it does in the upload.
 */
function createProductCounter(mapping: HeaderMapping): ProductCounter {
  const grouping = groupingOf(mapping);
  let rows: Grouper = grouper(grouping);
  const cuts = chunker({ onChunk: () => {} });
  // If every row is a product, only title and price matter, so the other cells are not decoded.
  const fields = grouping.kind === 'none' ? (['title', 'price'] as const) : Object.keys(mapping.sources);
  const sources = Object.fromEntries(
    fields.flatMap((field) => {
      const indexes = mapping.sources[field as CanonicalField];
      return indexes === undefined ? [] : [[field, indexes]];
    }),
  );
  const needed = Object.values(sources).flat();
  const cells: string[] = [];
  let worst: RowClass | null = null;

  const endProduct = (preview: Preview) => {
    if (worst !== null) preview[classCounts[worst]] += 1;
    worst = null;
  };
  return {
    endProduct,
    add(preview, { row, record, ignored }) {
      const { line, byteFrom, byteTo } = record;
      const place = { row, line, byteFrom, byteTo };
      if (ignored !== null) {
        if (cuts.add({ ...place, startsProduct: false, ignored: true })) rows = grouper(grouping);
        return;
      }
      for (const index of needed) cells[index] = record.cell(index);
      const values = readRowValues(cells, { columns: mapping.columns, sources });
      let grouped = rows.next(values);
      if (cuts.add({ ...place, startsProduct: grouped.startsProduct, ignored: false })) {
        rows = grouper(grouping);
        grouped = rows.next(values);
      }
      const { startsProduct, inherited } = grouped;
      if (startsProduct) {
        endProduct(preview);
        preview.products += 1;
      }
      const rowClass = classifyRow(values.title ?? inherited.title, values.price ?? inherited.price);
      worst = worst === null ? rowClass : worstClass(worst, rowClass);
    },
  };
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
      const { encoding } = dialect;
      const reader = isTranscribed(encoding)
        ? transcriber(encoding, (piece) => scanner.push(piece))
        : scanner;
      reader.push(bytes.subarray(0, length));
      reader.end();
      // The last record may be incomplete. Only its beginning is shown, so that does not matter.
      scanner.end();
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
