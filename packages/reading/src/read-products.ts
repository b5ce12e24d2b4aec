import { type BoundedRow, type ChunkBounds, createChunker } from '@draftshelf/csv/chunking/chunk-bounds';
import type { DialectOverrides, ScannedTable } from '@draftshelf/csv/dialect';
import type { ReadLimits } from '@draftshelf/csv/limits';
import { type FileReading, readFile } from '@draftshelf/csv/read-file';
import type { DataRow } from '@draftshelf/csv/read-table';
import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import {
  createGrouper,
  type GroupedRow,
  type Grouping,
  groupingOf,
} from '@draftshelf/domain/products/grouping';
import {
  type AmountCounter,
  createAmountCounter,
  withReadings,
} from '@draftshelf/domain/reading/column-readings';
import {
  type HeaderMapping,
  type MappingOverrides,
  mapHeaders,
} from '@draftshelf/domain/reading/mapping/header-mapping';
import { unquotedNumbersVersion } from '@draftshelf/workbooks/container-kind';
import { withUnambiguousDecimals } from '@draftshelf/workbooks/sheet/number-text';
import { createProductJoiner } from './product-joiner.ts';
import { createGroupingReader, type ValuesReader } from './record-values.ts';

/** The operator's overrides. Other settings are detected. */
export type ReadOverrides = { dialect?: DialectOverrides; mapping?: MappingOverrides };

/** The values, group and product (from 1) of a row. An ignored row has no values, no group and product 0. */
type ReadRow = { values: RowValues; group: GroupedRow | null; product: number };

export type MappedHeader = {
  headers: string[];
  mapping: HeaderMapping;
  /** The cells of the first rows from which the mapping was made (see `readFile`). */
  sample: readonly string[][];
};

export type ReadProductsOptions = {
  limits: ReadLimits;
  overrides?: ReadOverrides;
  /** The mapping of a file that has been read before. */
  known?: HeaderMapping | undefined;
  /** The table whose text is read. Absent: the file itself is read. */
  table?: ScannedTable | undefined;
  /** Returns the reader of the row values that `onRow` needs. Absent: only the values for grouping are read. */
  valuesOf?: (mapping: HeaderMapping) => ValuesReader;
  /** Maximum number of rows in a chunk. Absent: the usual limit. */
  chunkRowsMax?: number;
  onHeader?: (header: MappedHeader) => void;
  /** Called for every data row. `row.record` is reused, so copy its values. */
  onRow?: (row: DataRow, read: ReadRow) => void;
  onChunk?: (bounds: ChunkBounds) => void;
};

export type ProductsReading = FileReading & {
  /** Returns the mapping, with the number formats found in all rows so far. Undefined before the header. */
  mapping(): HeaderMapping | undefined;
  totals(): ProductTotals;
};

export type ProductTotals = {
  rows: number;
  /** Number of products. Each counts once, even if its rows are not adjacent. */
  products: number;
  /** Number of products before rows that are not adjacent are joined, which may leave some products without rows. */
  productNumbers: number;
  /** False if there were too many groups, so that some products may be counted more than once. */
  exact: boolean;
};

/**
 * Reads the rows of a file, and groups them into products and chunks. Upload, preview and `npm run inspect` all use
 * this reader, so that they agree. A product too large for a chunk is split and has two numbers. `push` and `end`
 * throw ReadLimitError, and NotCsvError if the file is not CSV. A file without a record calls no callback.
 */
export function readProducts(options: ReadProductsOptions): ProductsReading {
  const { limits, overrides, valuesOf = createGroupingReader, onHeader, onRow, onChunk } = options;
  const chunks = createChunker({ rowsMax: options.chunkRowsMax, onChunk: (bounds) => onChunk?.(bounds) });
  const joiner = createProductJoiner();
  let grouping: Grouping;
  let groupOf: (values: RowValues) => GroupedRow;
  let readValues: ValuesReader;
  let mapping: HeaderMapping | undefined;
  let amounts: AmountCounter | undefined;
  const namedTotals: number[] = [];
  // In the text that we wrote from a sheet, numbers have no quotes, so their decimal mark is known.
  const isOfSheet = options.table?.kind === 'sheet' && options.table.converter >= unquotedNumbersVersion;
  const amountsOf = (record: DataRow['record']) => {
    const cell = (column: number) =>
      record.isQuoted(column) ? record.cell(column) : withUnambiguousDecimals(record.cell(column));
    return isOfSheet ? { cell } : record;
  };
  const reading = readFile({
    limits,
    dialect: overrides?.dialect,
    table: options.table,
    onHeader(headers, _record, sample, titles) {
      mapping = options.known ?? mapHeaders(headers, sample, overrides?.mapping, titles);
      amounts = createAmountCounter(mapping);
      grouping = groupingOf(mapping);
      groupOf = createGrouper(grouping);
      readValues = valuesOf(mapping);
      onHeader?.({ headers, mapping, sample });
    },
    onRow(found) {
      const { record } = found;
      if (
        found.ignored === 'totals' &&
        namedTotals.length < namedMax &&
        amounts?.isNamedTotal(amountsOf(record))
      ) {
        namedTotals.push(found.row);
      }
      const row = restoreNamedTotal(found, namedTotals);
      const { ignored } = row;
      if (!ignored) amounts?.add(amountsOf(record));
      const values = ignored ? noValues : readValues(record);
      let group = ignored ? null : groupOf(values);
      if (chunks.add(toBoundedRow(row, group))) {
        groupOf = createGrouper(grouping);
        if (!ignored) group = groupOf(values);
      }
      onRow?.(row, { values, group, product: group === null ? 0 : joiner.next(group) });
    },
  });
  return {
    push: (piece) => reading.push(piece),
    end() {
      reading.end();
      chunks.end();
    },
    get stopped() {
      return reading.stopped;
    },
    get dialect() {
      return reading.dialect;
    },
    mapping: () =>
      mapping &&
      amounts && {
        ...withReadings(mapping, amounts, overrides?.mapping),
        ...(namedTotals.length > 0 && { namedTotals }),
      },
    totals() {
      const { rows, products: productNumbers } = chunks.totals();
      const { products, exact } = joiner;
      return { rows, products, productNumbers, exact };
    },
  };
}

const noValues: RowValues = {};

/** Maximum number of rows per file that count as products although they are named like totals. */
const namedMax = 1000;

/** Turns a row that looks like a line of totals into a product's row if `namedTotals` contains the row's number. */
export const restoreNamedTotal = (row: DataRow, namedTotals: readonly number[] | undefined): DataRow =>
  row.ignored === 'totals' && namedTotals?.includes(row.row) ? { ...row, ignored: null } : row;

export function toBoundedRow({ row, record, ignored }: DataRow, group: GroupedRow | null): BoundedRow {
  const { line, byteFrom, byteTo } = record;
  const startsProduct = group?.startsProduct === true;
  return { row, line, byteFrom, byteTo, startsProduct, ignored: ignored !== null };
}
