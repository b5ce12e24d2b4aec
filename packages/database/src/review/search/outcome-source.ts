import type { Outcome } from '@draftshelf/domain/imports/outcome';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { findRowsOfProducts } from '../effective-rows.ts';
import type { CountedRows } from './row-filter.ts';
import { inCursorOrder, type RowSource, windowOf } from './row-source.ts';

/** The products of an outcome whose rows are all listed, if an index finds them: few in a large import. */
const listedProductsMax = 500;
/** Rows whose products are compared with the outcomes at a time. */
const rowsPerWindow = 20_000;

/** The rows of the products that the last push did this with. `products`: how many these are. */
export function outcomeSource(db: Db, of: CountedRows, outcome: Outcome, products: number): RowSource {
  const isIndexed = outcome === 'skipped' || outcome === 'failed';
  if (isIndexed && products <= listedProductsMax) return listedSource(db, of, outcome, products);
  const ofOutcome = sql`exists (
    select 1 from outcomes where outcomes.import_id = rows.import_id and rows_run = rows.run
      and outcomes.product = rows.product and outcome = ${outcome})`;
  const ofRun = sql`import_id = ${of.import_id} and run = ${of.run} and ignored is null`;
  return {
    count: async () => products,
    async scan(cursor, limit) {
      const { within, end, ended } = windowOf(cursor, rowsPerWindow, of.total_rows);
      const { rows } = await sql<{ row: number }>`
        select row from rows where ${ofRun} and ${within} and ${ofOutcome}
        ${inCursorOrder(cursor)} limit ${limit}`.execute(db);
      const found = rows.map(({ row }) => row);
      const isFull = found.length === limit;
      return { rows: found, scannedTo: isFull ? (found.at(-1) ?? end) : end, ended: ended && !isFull };
    },
    async intersect(numbers) {
      const { rows } = await sql<{ row: number }>`
        select row from rows where ${ofRun} and row = any(${numbers}::int[]) and ${ofOutcome}`.execute(db);
      return new Set(rows.map(({ row }) => row));
    },
  };
}

/** A source of rows that are all read at its first use. */
function listedSource(db: Db, of: CountedRows, outcome: Outcome, count: number): RowSource {
  let read: Promise<number[]> | undefined;
  const readAll = async () => {
    const { rows } = await sql<{ product: number }>`
      select product from outcomes
      where import_id = ${of.import_id} and rows_run = ${of.run} and outcome in ('skipped','failed')
        and outcome = ${outcome}
      order by product limit ${listedProductsMax}`.execute(db);
    const found = await findRowsOfProducts(
      db,
      of,
      rows.map(({ product }) => product),
    );
    return found.flatMap((one) => one.rows).sort((one, other) => one - other);
  };
  const all = () => {
    read ??= readAll();
    return read;
  };
  return {
    count: async () => count,
    async scan({ from, back }, limit) {
      const rows = await all();
      const after = back ? rows.filter((row) => row < from).reverse() : rows.filter((row) => row > from);
      const found = after.slice(0, limit);
      return { rows: found, scannedTo: found.at(-1) ?? from, ended: found.length < limit };
    },
    async intersect(numbers) {
      const rows = new Set(await all());
      return new Set(numbers.filter((row) => rows.has(row)));
    },
  };
}
