import { type DataRow, readingIssues } from '@draftshelf/csv/read-table';
import { classifyRow, type RowClass } from '@draftshelf/domain/row-rule';
import { classCounter } from './class-counter.ts';
import { type ProductsReading, type ReadProductsOptions, readProducts } from './read-products.ts';
import { classValues } from './record-values.ts';

/** Counts of the rows so far. */
export type ProductCounts = {
  rows: number;
  products: number;
  /** Products by class, without the last product until `end`. */
  classes: Readonly<Record<RowClass, number>>;
  ignoredRows: number;
  /** Rows with irregular quotes, cells or bytes, without the ignored ones. */
  readingIssues: number;
};

export type ProductCounting = Omit<ProductsReading, 'totals'> & { counts(): ProductCounts };

/**
 * Reads a whole file as the upload does and counts its rows, products and classes as the import does. It stores nothing
 * and decodes only the cells that decide a class, so that a browser can preview a file before it is uploaded. Throws
 * what `readProducts` throws.
 */
export function countProducts(
  options: Pick<ReadProductsOptions, 'limits' | 'overrides' | 'onHeader'> & { onRow: (row: DataRow) => void },
): ProductCounting {
  const counter = classCounter();
  let columns = 0;
  let ignoredRows = 0;
  let rowsWithIssues = 0;
  const reading = readProducts({
    ...options,
    valuesOf: classValues,
    onHeader(header) {
      columns = header.headers.length;
      options.onHeader?.(header);
    },
    onRow(row, { values, group }) {
      if (group) {
        const { inherited } = group;
        counter.add(group, classifyRow(values.title ?? inherited.title, values.price ?? inherited.price));
        if (readingIssues(row.record, columns).length > 0) rowsWithIssues += 1;
      } else ignoredRows += 1;
      options.onRow(row);
    },
  });
  return {
    push: reading.push,
    end() {
      reading.end();
      counter.end();
    },
    get stopped() {
      return reading.stopped;
    },
    get dialect() {
      return reading.dialect;
    },
    counts() {
      const { classes } = counter;
      return { ...reading.totals(), classes, ignoredRows, readingIssues: rowsWithIssues };
    },
  };
}
