import { sampledItemsMax } from '@draftshelf/contract/wire';
import type { Dialect, ScannedTable } from '@draftshelf/csv/dialect';
import { createFileScanner } from '@draftshelf/csv/encoding/transcriber';
import { type ReadLimits, readLimitsDefault } from '@draftshelf/csv/limits';
import { type DataRow, findReadingIssues, type ReadingIssue, readRows } from '@draftshelf/csv/read-table';
import { scan } from '@draftshelf/csv/scan/scan';
import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { cutText, shortenText } from '@draftshelf/domain/base/cut-text';
import { findGtin } from '@draftshelf/domain/base/gtin';
import { currencyOfAmount, parseMoney } from '@draftshelf/domain/base/money';
import { type ColumnDetails, describeColumns } from '@draftshelf/domain/reading/column-details';
import { haveSameReadings } from '@draftshelf/domain/reading/column-readings';
import type { FileTable } from '@draftshelf/domain/reading/file-tables';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { createPriceCounter, type PriceCounts } from '@draftshelf/domain/reading/price-counts';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import { hashLetters } from '@draftshelf/domain/suppliers/hash-text';
import { itemKeyOf } from '@draftshelf/domain/suppliers/item-key';
import { countProducts } from '@draftshelf/reading/count-products';
import type { RowCheck } from '@draftshelf/reading/product-classes';
import type { ReadOverrides } from '@draftshelf/reading/read-products';
import type { CallRequest } from '../../../api/call.ts';
import { createProblemRowList, createRowCheckList, type PreviewRow } from './preview-rows.ts';

/** Number of rows that are shown first: more cells would make the page stutter. */
export const firstRowsShown = 10;
export const previewPageRows = 200;
/** Limit of shown columns, so that the table is fast. All columns are uploaded. */
export const columnsShownMax = 60;
/** Longer cells are cut on the screen. The upload contains them in full. */
const cellCharactersShown = 300;
/** Limits for `firstRecords`: the number of records and the number of characters of each. */
const firstRecordsMax = 20;
const recordCharactersShown = 80;
const headBytesMax = 64 * 1024;

/** The preview of a file. `valid`, `warnings` and `errors` count products, as for an import. */
export type Preview = {
  dialect: Dialect;
  /** The tables of a workbook or archive; empty for other files. */
  tables: readonly FileTable[];
  /** The first records, from which the operator picks the header row. */
  firstRecords: string[];
  headers: string[];
  mapping: HeaderMapping;
  /** Whether the file is a list of prices and stock of a known supplier. */
  isPartial: boolean;
  columns: ColumnDetails[];
  totalRows: number;
  products: number;
  /** False if there are too many groups of rows for an exact count. */
  exact: boolean;
  valid: number;
  warnings: number;
  errors: number;
  /** Number of products that can be pushed despite a warning, because only the parent's row lacks a price. */
  parents: number;
  /** Number of rows that are repeated headers or totals. */
  ignoredRows: number;
  /** Number of rows of any class with irregular quotes, cells or bytes. */
  readingIssues: number;
  firstRows: PreviewRow[];
  prices: PriceCounts;
  /** Keys of the first rows; empty until the file is read to its end. */
  items: SampledItem[];
  problems: number;
  problemRows: PreviewRow[];
};

/** The start of a page of rows, from which the page can be read alone. */
type PageStart = { byteFrom: number; line: number };

export type Previewer = {
  /** Reads a piece. Throws the reader's error if a limit is exceeded. */
  push: (piece: Uint8Array) => void;
  /** Returns the preview; null without a header, or without a data row that makes a product. */
  end: () => Preview | null;
  /** Returns a new previewer for another reading if all rows contradict the mapping of the header, else null. */
  again: () => Previewer | null;
  /** Null until the header is read. */
  current: () => Preview | null;
  /** Null until the dialect is detected. */
  dialect: () => Dialect | null;
  /** `page` counts from 0. Null after the last page. */
  pageRange: (page: number) => PageRange | null;
};

export type PageRange = {
  byteFrom: number;
  byteTo: number;
  line: number;
  firstRow: number;
  /** Returns the check of a row, which may depend on rows of other pages. */
  checks: (row: number) => RowCheck | null;
};

type HeadParts = Pick<
  Preview,
  'dialect' | 'tables' | 'firstRecords' | 'headers' | 'mapping' | 'isPartial' | 'columns' | 'firstRows'
>;

type OfTable = { table: ScannedTable; tables: readonly FileTable[] };

/** Creates a previewer. It reads a file as the upload does (docs/why/reading.md), but only counts rows. */
export function createPreviewer(
  { isPartial = false, ...overrides }: ReadOverrides & { isPartial?: boolean } = {},
  limits: ReadLimits = readLimitsDefault,
  { table, tables }: OfTable | { table?: undefined; tables: [] } = { tables: [] },
  known?: HeaderMapping,
): Previewer {
  let parts: HeadParts | null = null;
  let ofHead: HeaderMapping | undefined;
  let byteTo = 0;
  const starts: PageStart[] = [];
  const head = createHead();
  const checks = createRowCheckList();
  const problems = createProblemRowList();
  const prices = createPriceCounter();
  const sample = supplierSample();
  const { reading, counts } = countProducts({
    limits,
    overrides,
    known,
    table,
    isPartial,
    onHeader: ({ headers, mapping, sample }) => {
      ofHead = mapping;
      const dialect = reading.dialect as Dialect;
      const columns = describeColumns(mapping, sample);
      const firstRecords = head.records(dialect);
      parts = { dialect, tables, firstRecords, headers, mapping, isPartial, columns, firstRows: [] };
    },
    onRow: (row, check, issues, { price, currency }) => {
      const { byteFrom, line } = row.record;
      const amount = price === undefined ? null : parseMoney(price);
      if (amount !== null) prices.add(Number(amount.amount), currencyOfAmount(amount, currency));
      if ((row.row - 1) % previewPageRows === 0) starts.push({ byteFrom, line });
      byteTo = row.record.byteTo;
      if (row.row <= firstRowsShown) parts?.firstRows.push(previewRowOf(row, check, issues));
      checks.add(check);
      if (check !== null && parts !== null && !sample.isFull()) {
        sample.add(readRowValues(row.record.cells(), parts.mapping));
      }
      problems.add(check, issues, () => narrowRow(previewRowOf(row, check, issues)));
    },
  });
  const current = (): Preview | null => {
    if (parts === null) return null;
    const { rows: totalRows, classes, ...counted } = counts();
    const { valid, warning: warnings, error: errors } = classes;
    const sums = { problems: problems.count, problemRows: problems.first(), prices: prices.counts() };
    // Rows of a partial list may match known products by key, and only the server can count these rows.
    const exact = counted.exact && !isPartial;
    return { ...parts, ...counted, ...sums, exact, items: [], totalRows, valid, warnings, errors };
  };

  return {
    push(piece) {
      if (parts === null) head.push(piece);
      reading.push(piece);
    },
    end() {
      reading.end();
      // Uses the final encoding, which is known only now if the first non-ASCII characters come late in the file.
      if (parts !== null) {
        parts.dialect = reading.dialect ?? parts.dialect;
        parts.mapping = reading.mapping() ?? parts.mapping;
      }
      const preview = current();
      return preview === null || preview.products === 0 ? null : { ...preview, items: sample.items() };
    },
    again() {
      if (parts === null || ofHead === undefined || haveSameReadings(ofHead, parts.mapping)) return null;
      const ofTable: OfTable | undefined = table && { table, tables };
      return createPreviewer({ ...overrides, isPartial }, limits, ofTable, parts.mapping);
    },
    current,
    dialect: () => reading.dialect ?? null,
    pageRange(page) {
      const start = starts[page];
      if (start === undefined) return null;
      const firstRow = page * previewPageRows + 1;
      return { ...start, byteTo: starts[page + 1]?.byteFrom ?? byteTo, firstRow, checks: checks.at };
    },
  };
}

export function readPreviewPage(
  bytes: Uint8Array,
  page: Omit<PageRange, 'byteTo'>,
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
      const check = page.checks(row.row);
      const issues =
        check === null ? [] : findReadingIssues(row.record, preview.headers.length, preview.dialect);
      rows.push(previewRowOf(row, check, issues));
    },
  });
  scanner.push(bytes);
  scanner.end();
  return rows;
}

/** Keeps the first bytes, from which the first records are read once the dialect is known. */
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
          records.push(cutText(cells.join(', '), recordCharactersShown));
          return records.length < firstRecordsMax ? undefined : false;
        },
      });
      const reader = createFileScanner(dialect.encoding, scanner);
      reader.push(bytes.subarray(0, length));
      // The last record may be cut, but only the beginning of a record is shown.
      reader.end();
      return records;
    },
  };
}

const narrowRow = (row: PreviewRow) => ({ ...row, cells: row.cells.slice(0, columnsShownMax) });

function previewRowOf(
  { row, record, ignored }: DataRow,
  check: RowCheck | null,
  issues: readonly ReadingIssue[],
): PreviewRow {
  const cells = record.cells().map((cell) => shortenText(cell, cellCharactersShown));
  return {
    row,
    line: record.line,
    ignored: check === null ? ignored : null,
    cells,
    class: check?.class ?? null,
    issues: [...issues, ...(check?.issues ?? [])],
  };
}

/** The key of a row, with values that show whether a known product with this key is the same product. */
type SampledItem = NonNullable<CallRequest<'findSupplier'>['body']>['items'][number];

function supplierSample() {
  const items: SampledItem[] = [];
  let rows = 0;
  return {
    isFull: () => rows >= sampledItemsMax,
    add(values: RowValues): void {
      rows += 1;
      const key = itemKeyOf(values);
      if (key === null) return;
      const gtin = findGtin(values.upc ?? '')?.gtin;
      items.push({
        key,
        gtin: gtin === undefined ? null : Number(gtin),
        letters: hashLetters(values.title ?? '').toString(16),
      });
    },
    /** Returns no items if over half of the rows lack a key, because such files are not compared with other lists. */
    items: (): SampledItem[] => (2 * items.length < rows ? [] : items),
  };
}
