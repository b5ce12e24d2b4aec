import type { RawBuilder, SqlBool } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { haveMoreRows, readCellsOfProducts, readFirstCells } from '../effective-rows.ts';
import {
  type RowCells,
  type SelectedRow,
  selectRows,
  type ValuedRow,
  type valuesReader,
} from './read-field.ts';

/**
 * Rows that are looked through at a time for what the first rows of their products lack. A single product with more
 * rows has what its first row has.
 */
const rowsAtOnceMax = 20_000;

/** Selected rows with their values. */
type ReadRows = { selected: readonly SelectedRow[]; rows: readonly ValuedRow[] };

/** Reads values of whole products, of which only some rows are selected. `sumUp`: of all rows of a product, by row. */
export function productReader<T>(
  db: Db,
  of: RunOfRows,
  { cells, read }: ReturnType<typeof valuesReader>,
  sumUp: (rows: readonly ValuedRow[]) => T,
) {
  /** Rows of a product may be all over the file, so each product is looked through once. */
  const whole = new Map<number, T>();
  const lookThrough = async (products: readonly number[]): Promise<void> => {
    if (products.length === 0) return;
    if (await haveMoreRows(db, of, products, rowsAtOnceMax)) {
      if (products.length === 1) return;
      const half = Math.ceil(products.length / 2);
      await lookThrough(products.slice(0, half));
      return lookThrough(products.slice(half));
    }
    const rows = await read(await readCellsOfProducts<RowCells>(db, of, products, cells));
    for (const [product, ofProduct] of Map.groupBy(rows, (row) => row.product)) {
      whole.set(product, sumUp(ofProduct));
    }
  };
  return {
    async select(which: RawBuilder<SqlBool>): Promise<ReadRows> {
      const selected = await selectRows(db, of, cells, which);
      return { selected, rows: await read(selected) };
    },
    /** The first rows of some products, by product, without those that were read as a whole. */
    async readFirsts(
      { selected, rows }: ReadRows,
      products: readonly number[],
    ): Promise<Map<number, ValuedRow>> {
      const begins = beginningsIn(selected);
      const firsts = new Map(
        rows.filter(({ row }) => begins.has(row)).map((row) => [row.product, row] as const),
      );
      const others = products.filter((product) => !firsts.has(product) && !whole.has(product));
      for (const row of await read(await readFirstCells<RowCells>(db, of, others, cells))) {
        firsts.set(row.product, row);
      }
      return firsts;
    },
    /** All rows of some products, summed up. */
    async readWhole(products: readonly number[]): Promise<ReadonlyMap<number, T>> {
      await lookThrough(products.filter((product) => !whole.has(product)));
      return whole;
    },
  };
}

/** The rows that are certainly the first of their product: the row before is there, and of another one. */
function beginningsIn(rows: readonly SelectedRow[]): Set<number> {
  const products = new Map(rows.map(({ row, product }) => [row, product]));
  const begins = rows.filter(({ row, product, joined }) => {
    const before = products.get(row - 1);
    return !joined && before !== undefined && before !== product;
  });
  return new Set(begins.map(({ row }) => row));
}

export const productsOf = (rows: readonly { product: number }[]) => [
  ...new Set(rows.map(({ product }) => product)),
];
