import type { ReadLimits } from '@draftshelf/csv/limits';
import { readingIssues, readRows } from '@draftshelf/csv/read-table';
import type { ParseRun } from '@draftshelf/database/chunks/runs';
import type { NewRow } from '@draftshelf/database/parse/copy-rows';
import type { ChunkRecord } from '@draftshelf/database/schema';
import { grouper, groupingOf } from '@draftshelf/domain/grouping';
import { type RowClass, worstClass } from '@draftshelf/domain/row-rule';
import { readRowValues } from '@draftshelf/domain/row-values';
import { validateRow } from '@draftshelf/domain/validate-row';

export type ChunkExtent = Pick<
  ChunkRecord,
  'byte_from' | 'first_line' | 'first_row' | 'rows' | 'first_product' | 'products'
>;

type ChunkTotals = {
  rows: number;
  products: number;
  /** Products by the class of their worst row. */
  classes: Record<RowClass, number>;
};

export type ChunkReading = {
  /** The mapped, validated rows, read on demand; can be iterated once. */
  rows(): Iterable<NewRow>;
  /** Throws before the last row has been read. */
  totals(): ChunkTotals;
};

/** This many bytes are read before their rows are passed on: the database stores them while the next are read. */
const pieceBytes = 32 * 1024;

/**
 * Turns the bytes of one chunk into mapped, validated rows. Throws at the end when the rows and products differ from
 * what the upload counted: one of the two has read the file wrongly, and nothing may be stored.
 */
export function readChunk(
  bytes: Uint8Array,
  chunk: ChunkExtent,
  run: ParseRun,
  limits: ReadLimits,
): ChunkReading {
  const extent = wholeExtent(chunk);
  let totals: ChunkTotals | undefined;
  function* rows(): Generator<NewRow> {
    let read: NewRow[] = [];
    const validator = rowValidator(run, extent.firstProduct);
    const scanner = readRows({
      dialect: run.dialect,
      limits,
      headers: run.headers,
      startByte: extent.byteFrom,
      startLine: extent.firstLine,
      firstRow: extent.firstRow,
      onRow: (found) => void read.push(validator.next(found)),
    });
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      scanner.push(bytes.subarray(from, from + pieceBytes));
      yield* read;
      read = [];
    }
    scanner.end();
    yield* read;
    totals = validator.totals();
    if (totals.rows !== extent.rows || totals.products !== extent.products) {
      throw new Error(
        `The upload counted ${extent.rows} rows and ${extent.products} products here, the worker found ${totals.rows} and ${totals.products}`,
      );
    }
  }
  return {
    rows,
    totals() {
      if (!totals) throw new Error('The chunk has not been read to its end');
      return totals;
    },
  };
}

type FoundRow = Parameters<Parameters<typeof readRows>[0]['onRow']>[0];

/** Validates the rows of a chunk one after the other, and counts them and their products. */
function rowValidator(run: ParseRun, firstProduct: number) {
  const groups = grouper(groupingOf(run.mapping));
  const columns = run.headers.length;
  const classes: Record<RowClass, number> = { valid: 0, warning: 0, error: 0 };
  let rows = 0;
  let product = firstProduct - 1;
  let productClass = null as RowClass | null;

  return {
    next({ row, record, cellsAsRead, ignored }: FoundRow): NewRow {
      const cells = record.cells();
      const values = ignored ? {} : readRowValues(cells, run.mapping);
      const group = ignored ? null : groups.next(values);
      const validated = validateRow(values, group?.inherited ?? {});
      if (group?.startsProduct) {
        if (productClass) classes[productClass] += 1;
        product += 1;
        productClass = validated.class;
      } else if (group) productClass = worstClass(productClass ?? validated.class, validated.class);
      const found: string[] = ignored ? [] : validated.issues;
      const issues = [...readingIssues(record, columns), ...found];
      rows += 1;
      return {
        ...validated,
        row,
        line: record.line,
        byteFrom: record.byteFrom,
        product: ignored ? 0 : product,
        ignored,
        enrichable: validated.gtin !== null && (validated.image === null || validated.vendor === null),
        groupKey: group?.groupKey ?? group?.parentKey ?? null,
        issues: issues.length > 0 ? issues : null,
        cells,
        cellsAsRead,
      };
    },
    totals(): ChunkTotals {
      if (productClass) classes[productClass] += 1;
      return { rows, products: product - firstProduct + 1, classes };
    },
  };
}

/** Every work chunk of the parse stage has all of these; Postgres does not enforce it. */
function wholeExtent(chunk: ChunkExtent) {
  const { byte_from, first_line, first_row, rows, first_product, products } = chunk;
  if (
    byte_from === null ||
    first_line === null ||
    first_row === null ||
    rows === null ||
    first_product === null ||
    products === null
  ) {
    throw new Error('A parse chunk has no extent');
  }
  return {
    byteFrom: byte_from,
    firstLine: first_line,
    firstRow: first_row,
    rows,
    firstProduct: first_product,
    products,
  };
}
