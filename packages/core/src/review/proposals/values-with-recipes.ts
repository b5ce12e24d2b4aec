import type { CellChange } from '@draftshelf/domain/review/operations/apply-operations';
import type { StepTarget } from '@draftshelf/domain/review/operations/recipe';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { findRowsOfItems, readRecipeSteps } from '../../suppliers/recipes.ts';
import { currentRows } from '../../work/runs.ts';
import { applyCellChanges, applySteps } from '../commands/operate.ts';
import { readOperatorCells } from '../commands/stored-edits.ts';
import { readProductsInParts, rowsPerRequestPart, type WholeProduct } from '../commands/whole-products.ts';
import { findProductsOfRows } from '../effective-rows.ts';
import { filterRows } from '../search/row-page.ts';

type Cell = Pick<CellChange, 'row' | 'field'>;

/** Returns a function that applies a list's recipes to values taken from the supplier. Changes each cell only once. */
export async function createRecipeApplier(
  db: Db,
  record: ImportRecord,
  taken: readonly (Cell & { value: string })[],
): Promise<(cell: Cell & { value: string }) => string> {
  const nameOf = ({ row, field }: Cell) => `${row} ${field}`;
  const done = taken.length === 0 ? [] : await readRecipeSteps(db, record.id);
  const values = new Map<string, string>();
  if (done.length > 0) {
    const products = await readTaken(db, record, taken);
    const offsets = new Map(products.flat().map(({ row, byte_from }) => [row, byte_from]));
    const cellOf = ({ row, field }: Cell) => `${offsets.get(row)} ${field}`;
    const free = new Map(taken.map((cell) => [nameOf(cell), cell]));
    const edited = await readOperatorCells(db, record.id, null, [...offsets.values()]);
    for (const steps of done) {
      const rowsOf = await Promise.all(steps.map(({ target }) => rowsIn(db, record, target, taken)));
      const given = new Set([...free.values()].map(cellOf));
      const own = new Map([...edited].filter(([cell]) => !given.has(cell)));
      const { operated } = await applySteps(db, record, steps, { products, own, rowsOf, carries: [] });
      for (const change of operated.flatMap(({ changes }) => changes)) {
        if (free.delete(nameOf(change))) values.set(nameOf(change), change.after ?? '');
      }
    }
  }
  return (cell) => values.get(nameOf(cell)) ?? cell.value;
}

async function readTaken(
  db: Db,
  record: ImportRecord,
  taken: readonly (Cell & { value: string })[],
): Promise<WholeProduct[]> {
  const of = currentRows(record);
  const numbers = taken.map(({ row }) => row);
  const products = await findProductsOfRows(db, of, numbers);
  const parts = await Array.fromAsync(readProductsInParts(db, of, products, rowsPerRequestPart));
  const changes = taken.map(({ row, field, value }) => ({ row, field, before: null, after: value }));
  return parts.flat().map((rows) => applyCellChanges(rows, changes));
}

async function rowsIn(
  db: Db,
  record: ImportRecord,
  target: StepTarget,
  cells: readonly Cell[],
): Promise<ReadonlySet<number>> {
  const of = currentRows(record);
  if ('items' in target) return new Set(await findRowsOfItems(db, of, target.items));
  const numbers = cells.map(({ row }) => row);
  return filterRows(db, record, target, numbers);
}
