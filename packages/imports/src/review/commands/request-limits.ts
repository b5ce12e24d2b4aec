import type { Db } from '@draftshelf/database/connection/database';
import type { EditCommandRecord, ImportRecord } from '@draftshelf/database/connection/schema';
import { readTargetRows, type TargetOfRun } from '@draftshelf/database/review/commands/command-targets';
import { countEditsOf, readEditedNumbers } from '@draftshelf/database/review/commands/stored-edits';
import { findProductsOfRows, haveMoreRows } from '@draftshelf/database/review/effective-rows';
import { currentRows, type RunOfRows } from '@draftshelf/database/work/runs';

// What one request changes: others wait for it. The rest is left to a task.
/** Rows of a target. */
export const requestRowsMax = 500;
/** Edits that an undo restores, and those of as many rows as a request changes: a pasted block has some per row. */
const requestEditsMax = 600;
const editsOfRowsMax = 1_500;
/** Rows of the products, which are validated and stored as a whole. */
const productRowsMax = 2_000;

/** Whether a request may change a stored target of `total` rows. */
export async function isSmallTarget(db: Db, target: TargetOfRun, total: number): Promise<boolean> {
  if (total > requestRowsMax) return false;
  return areSmallProducts(db, target, await readTargetRows(db, target));
}

/** The number of a command's edits, and whether a request may undo or redo them. */
export async function sizeUndo(
  db: Db,
  record: ImportRecord,
  base: EditCommandRecord,
): Promise<{ total: number; isSmall: boolean }> {
  const total = await countEditsOf(db, base);
  const editsMax = base.rows > requestRowsMax ? requestEditsMax : editsOfRowsMax;
  if (total > editsMax) return { total, isSmall: false };
  // A re-read may have renumbered the rows. For a limit, those of then are close enough.
  const numbers = await readEditedNumbers(db, base);
  return { total, isSmall: await areSmallProducts(db, currentRows(record), numbers) };
}

/** A task is not faster with a single product, because its parts take whole products, too. */
async function areSmallProducts(db: Db, of: RunOfRows, numbers: readonly number[]): Promise<boolean> {
  const products = await findProductsOfRows(db, of, numbers);
  return products.length <= 1 || !(await haveMoreRows(db, of, products, productRowsMax));
}
