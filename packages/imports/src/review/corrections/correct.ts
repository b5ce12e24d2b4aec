import type { Db } from '@draftshelf/database/connection/database';
import type { EditCommandRecord } from '@draftshelf/database/connection/schema';
import { readCorrectedCells } from '@draftshelf/database/review/corrections/correction-lines';
import { findCorrectionsOf } from '@draftshelf/database/review/corrections/corrections';
import type { OperatedProduct } from '../commands/operate.ts';
import type { WholeProduct } from '../commands/whole-products.ts';

/** What the corrections of a command do with products. Nothing is stored. */
export async function correct(
  db: Db,
  command: EditCommandRecord,
  products: readonly WholeProduct[],
): Promise<OperatedProduct[]> {
  const corrections = await findCorrectionsOf(db, command);
  if (!corrections) throw new Error(`Command ${command.id} has no corrections`);
  const numbers = products.flat().map(({ row }) => row);
  const cells = Map.groupBy(await readCorrectedCells(db, corrections, numbers), ({ row }) => row);
  return products.map((rows) => ({
    rows,
    changes: rows.flatMap(({ row, values }) =>
      (cells.get(row) ?? []).flatMap(({ field, after }) => {
        const before = values[field] ?? null;
        return after === (before ?? '') ? [] : [{ row, field, before, after }];
      }),
    ),
    left: [],
    unchanged: 0,
    carry: null,
  }));
}
