import { NotCsvError } from '@draftshelf/csv/detect/not-csv';
import type { Dialect, ScannedTable } from '@draftshelf/csv/dialect';
import { ReadLimitError, type ReadLimits } from '@draftshelf/csv/limits';
import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import { type RowClass, worstClass } from '@draftshelf/domain/review/row-rule';
import { checkRow } from '@draftshelf/domain/review/validate-row';
import { type ReadOverrides, readProducts } from './read-products.ts';

type SampleOptions = {
  limits: ReadLimits;
  overrides: ReadOverrides;
  /** The table whose text is read. Absent: the file itself is read. */
  table?: ScannedTable | undefined;
  /** Maximum number of rows that are counted. */
  rowsMax: number;
  /** Maximum number of rows whose cells are kept. */
  recordsMax: number;
};

export type SampleRecord = { row: number; class: RowClass; cells: string[]; values: RowValues };

export type SampleReading = {
  dialect: Dialect;
  headers: string[];
  records: SampleRecord[];
  rows: number;
  classes: Readonly<Record<RowClass, number>>;
};

/** Reads sample rows, or returns an error sentence. `isWhole`: if false, an incomplete last record is left out. */
export function readSample(
  bytes: Uint8Array,
  isWhole: boolean,
  options: SampleOptions,
): SampleReading | string {
  const { limits, overrides, table, rowsMax, recordsMax } = options;
  const products = new Map<number, RowClass>();
  const records: SampleRecord[] = [];
  let headers: string[] = [];
  let rows = 0;
  const reading = readProducts({
    limits,
    overrides,
    table,
    valuesOf: (mapping) => (record) => readRowValues(record.cells(), mapping),
    onHeader: (header) => {
      headers = header.headers;
    },
    onRow({ row, record }, { values, group, product }) {
      if (row > rowsMax) return;
      rows += 1;
      if (group === null) return;
      const { class: rowClass } = checkRow(values, group.inherited);
      products.set(product, worstClass(products.get(product) ?? 'valid', rowClass));
      if (records.length < recordsMax) {
        records.push({ row, class: rowClass, cells: record.cells(), values: { ...values } });
      }
    },
  });
  try {
    reading.push(bytes);
    if (isWhole) reading.end();
  } catch (error) {
    if (error instanceof ReadLimitError || error instanceof NotCsvError) return error.message;
    throw error;
  }
  const { dialect } = reading;
  if (dialect === undefined || products.size === 0) return 'There is no header row with data below it.';
  const classes = { valid: 0, warning: 0, error: 0 };
  for (const ofProduct of products.values()) classes[ofProduct] += 1;
  return { dialect, headers, records, rows, classes };
}
