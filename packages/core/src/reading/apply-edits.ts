import type { Db } from '../connection/database.ts';
import { type EditedRow, readEditedRows } from '../review/commands/stored-edits.ts';
import type { RunOfRows } from '../work/runs.ts';
import {
  productsPerBatch,
  type ValidatedProducts,
  validateNextProducts,
  validateSingleRows,
} from './validate-products.ts';

const rowsPerScan = 10_000;

/** Validates the next edited rows' products after `at`. `single`: one product per row. The rows are locked. */
export async function applyEdits(
  db: Db,
  of: RunOfRows,
  { at, single }: { at: number; single: boolean },
): Promise<Omit<NextDone, 'doneTo'> & { at: number }> {
  const last = at + rowsPerScan;
  const edited = await readEditedRows(db, of, { at, last });
  const { doneTo, ...counts } = await (single ? validateNextRows : validateNextEdited)(db, of, edited);
  return { ...counts, at: doneTo ?? last };
}

/** `doneTo`: the last edited row that is done, or null when all are. */
type NextDone = Pick<ValidatedProducts, 'classes' | 'facets'> & { doneTo: number | null };

async function validateNextRows(db: Db, of: RunOfRows, edited: readonly EditedRow[]): Promise<NextDone> {
  const numbers = edited.slice(0, productsPerBatch).map(({ row }) => row);
  const validated = await validateSingleRows(db, of, numbers);
  return { ...validated, doneTo: numbers.length < edited.length ? (numbers.at(-1) ?? null) : null };
}

/** Products may have many rows, so only a few are read at a time. */
const productsPerRead = 500;

async function validateNextEdited(db: Db, of: RunOfRows, edited: readonly EditedRow[]): Promise<NextDone> {
  const products = [...new Set(edited.map(({ product }) => product))].slice(0, productsPerRead);
  const validated = await validateNextProducts(db, of, products);
  const done = new Set(products.slice(0, validated.taken));
  const open = edited.findIndex(({ product }) => !done.has(product));
  return { ...validated, doneTo: open === -1 ? null : (edited[open - 1]?.row ?? null) };
}
