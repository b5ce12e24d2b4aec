import type { ReadLimits } from '@draftshelf/csv/limits';
import { readRows } from '@draftshelf/csv/read-table';
import type { NewRow } from '@draftshelf/database/copy-rows';
import type { ParseRun } from '@draftshelf/database/runs';
import type { ChunkRecord } from '@draftshelf/database/schema';
import { grouper, groupingOf } from '@draftshelf/domain/grouping';
import { judgeRow } from '@draftshelf/domain/judged-row';
import { type RowClass, worstClass } from '@draftshelf/domain/row-rule';
import { readRowValues } from '@draftshelf/domain/row-values';

export type ChunkExtent = Pick<
  ChunkRecord,
  'byte_from' | 'first_line' | 'first_row' | 'rows' | 'first_product' | 'products'
>;

export type ReadChunk = {
  rows: NewRow[];
  products: number;
  /** Products by the class of their worst row. */
  classes: Record<RowClass, number>;
};

/**
 * Turns the bytes of one chunk into mapped, judged rows. Throws when it finds other than the rows and products that
 * the upload counted there: then one of the two has read wrongly, and nothing may be stored.
 */
export function readChunk(
  bytes: Uint8Array,
  chunk: ChunkExtent,
  run: ParseRun,
  limits: ReadLimits,
): ReadChunk {
  const extent = wholeExtent(chunk);
  const groups = grouper(groupingOf(run.mapping));
  const rows: NewRow[] = [];
  const classes: Record<RowClass, number> = { valid: 0, warning: 0, error: 0 };
  let product = extent.firstProduct - 1;
  let productClass = null as RowClass | null;
  const columns = run.headers.length;

  const scanner = readRows({
    dialect: run.dialect,
    limits,
    headers: run.headers,
    startByte: extent.byteFrom,
    startLine: extent.firstLine,
    firstRow: extent.firstRow,
    onRow({ row, record, ignored }) {
      const cells = record.cells();
      const values = ignored ? {} : readRowValues(cells, run.mapping);
      const group = ignored ? null : groups.next(values);
      const judged = judgeRow(values, group?.inherited ?? {});
      if (group?.startsProduct) {
        if (productClass) classes[productClass] += 1;
        product += 1;
        productClass = judged.class;
      } else if (group) productClass = worstClass(productClass ?? judged.class, judged.class);
      const found: string[] = ignored ? [] : judged.issues;
      const issues = [...record.issues, ...(cells.length > columns ? ['too-many-cells'] : []), ...found];
      rows.push({
        ...judged,
        row,
        line: record.line,
        byteFrom: record.byteFrom,
        product: ignored ? 0 : product,
        ignored,
        enrichable: judged.gtin !== null && (judged.image === null || judged.vendor === null),
        groupKey: group?.groupKey ?? group?.parentKey ?? null,
        issues: issues.length > 0 ? issues : null,
        cells,
      });
    },
  });
  scanner.push(bytes);
  scanner.end();
  if (productClass) classes[productClass] += 1;

  const products = product - extent.firstProduct + 1;
  if (rows.length !== extent.rows || products !== extent.products) {
    throw new Error(
      `The upload counted ${extent.rows} rows and ${extent.products} products here, the worker found ${rows.length} and ${products}`,
    );
  }
  return { rows, products, classes };
}

/** A work chunk of the parse stage names all of its extent; Postgres does not know that. */
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
    throw new Error('A parse chunk without its extent');
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
