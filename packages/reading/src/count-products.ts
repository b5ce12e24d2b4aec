import { type DataRow, findReadingIssues, type ReadingIssue } from '@draftshelf/csv/read-table';
import type { CsvRecord } from '@draftshelf/csv/scan/record';
import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { findCellIssues } from '@draftshelf/domain/review/cell-issues';
import type { IssueSet } from '@draftshelf/domain/review/issue-set';
import type { RowClass } from '@draftshelf/domain/review/row-rule';
import { type ClassCounter, createClassCounter, type RowCheck } from './product-classes.ts';
import { type ProductsReading, type ReadProductsOptions, readProducts } from './read-products.ts';
import { createCheckReader } from './record-values.ts';

export type ProductCounts = {
  rows: number;
  products: number;
  /** False if the file has too many groups, so that products whose rows are not adjacent may count more than once. */
  exact: boolean;
  classes: Readonly<Record<RowClass, number>>;
  /** Products that can be pushed although their first row lacks a price, because that row is only a parent. */
  parents: number;
  ignoredRows: number;
  /** Rows with irregular quotes, cells or bytes. Ignored rows do not count. */
  readingIssues: number;
};

/** `check`: null for an ignored row. `issues`: issues of the record's form. `values`: at least price and currency. */
type OnCountedRow = (
  row: DataRow,
  check: RowCheck | null,
  issues: readonly ReadingIssue[],
  values: RowValues,
) => void;

const noIssues: readonly ReadingIssue[] = [];
const noClasses: Readonly<Record<RowClass, number>> = { valid: 0, warning: 0, error: 0 };

/**
 * Counts rows, products and classes as the import does. Decodes only the cells that decide a class, so that a browser
 * can preview a file. Throws what `readProducts` throws.
 */
export function countProducts(
  options: Pick<ReadProductsOptions, 'limits' | 'overrides' | 'known' | 'table' | 'onHeader'> & {
    onRow: OnCountedRow;
    /** Whether the file is a known supplier's list of prices and stock, whose rows need neither title nor price. */
    isPartial?: boolean;
  },
): { reading: ProductsReading; counts(): ProductCounts } {
  let classes: ClassCounter | undefined;
  let columns = 0;
  let issuesOf: (record: CsvRecord) => IssueSet = () => 0;
  let ignoredRows = 0;
  let rowsWithIssues = 0;
  const reading = readProducts({
    ...options,
    valuesOf: createCheckReader,
    onHeader(header) {
      classes = createClassCounter(header.mapping, options.isPartial ?? false);
      columns = header.headers.length;
      issuesOf = (record) => findCellIssues((column) => record.cell(column), header.mapping);
      options.onHeader?.(header);
    },
    onRow(row, { values, group, product }) {
      if (classes === undefined || group === null) {
        ignoredRows += 1;
        options.onRow(row, null, noIssues, values);
        return;
      }
      const check = classes.add(product, values, group, issuesOf(row.record));
      const issues = findReadingIssues(row.record, columns, options);
      if (issues.length > 0) rowsWithIssues += 1;
      options.onRow(row, check, issues, values);
    },
  });
  return {
    reading,
    counts() {
      const { rows, products, exact } = reading.totals();
      return {
        rows,
        products,
        exact,
        classes: classes?.counts ?? noClasses,
        parents: classes?.parents ?? 0,
        ignoredRows,
        readingIssues: rowsWithIssues,
      };
    },
  };
}
