import type { Db } from '../../connection/database.ts';
import type { EditCommandRecord, ImportRecord } from '../../connection/schema.ts';
import { currentRows, type RunOfRows } from '../../work/runs.ts';
import { findProductsOfRows, haveMoreRows } from '../effective-rows.ts';
import { readTargetRows, type TargetOfRun } from './command-targets.ts';
import { countEditsOf, readEditedNumbers } from './stored-edits.ts';

// Limits of a single request, because others wait for it; a task does the rest.
export const requestRowsMax = 500;
/** Edits of an undo, and of one with at most `requestRowsMax` rows: a pasted block has several edits per row. */
const requestEditsMax = 600;
const editsOfRowsMax = 1_500;
/** Rows of the products, which are validated and stored as a whole. */
const productRowsMax = 2_000;

export async function isSmallTarget(db: Db, target: TargetOfRun, total: number): Promise<boolean> {
  if (total > requestRowsMax) return false;
  return areSmallProducts(db, target, await readTargetRows(db, target));
}

/** The number of a command's edits, and whether one request may undo or redo them. */
export async function sizeUndo(
  db: Db,
  record: ImportRecord,
  base: EditCommandRecord,
): Promise<{ total: number; isSmall: boolean }> {
  const total = await countEditsOf(db, base);
  const editsMax = base.rows > requestRowsMax ? requestEditsMax : editsOfRowsMax;
  if (total > editsMax) return { total, isSmall: false };
  // A re-read may have renumbered the rows. For a limit, the former numbers are close enough.
  const numbers = await readEditedNumbers(db, base);
  return { total, isSmall: await areSmallProducts(db, currentRows(record), numbers) };
}

/** A task is not faster with a single product, because its parts take whole products too. */
async function areSmallProducts(db: Db, of: RunOfRows, numbers: readonly number[]): Promise<boolean> {
  const products = await findProductsOfRows(db, of, numbers);
  return products.length <= 1 || !(await haveMoreRows(db, of, products, productRowsMax));
}
