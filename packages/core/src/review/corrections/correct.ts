import type { Db } from '../../connection/database.ts';
import type { CorrectionsRecord, EditCommandRecord } from '../../connection/schema.ts';
import type { OperatedProduct } from '../commands/operate.ts';
import type { WholeProduct } from '../commands/whole-products.ts';
import { findCorrectedRows, readCorrectedCells } from './correction-lines.ts';
import { findCorrectionsOf } from './corrections.ts';

export async function findCorrected(
  db: Db,
  command: EditCommandRecord,
  { after, limit }: { after: number; limit: number },
): Promise<{ rows: number[]; next: number | null }> {
  const rows = await findCorrectedRows(db, await correctionsOf(db, command), { after, limit });
  return { rows, next: rows.length === limit ? (rows.at(-1) ?? null) : null };
}

async function correctionsOf(db: Db, command: EditCommandRecord): Promise<CorrectionsRecord> {
  const corrections = await findCorrectionsOf(db, command);
  if (!corrections) throw new Error(`Command ${command.id} has no corrections`);
  return corrections;
}

/** Applies the corrections of a command in memory. Cells that changed since the comparison are left. */
export async function correct(
  db: Db,
  command: EditCommandRecord,
  products: readonly WholeProduct[],
): Promise<OperatedProduct[]> {
  const corrections = await correctionsOf(db, command);
  const numbers = products.flat().map(({ row }) => row);
  const cells = Map.groupBy(await readCorrectedCells(db, corrections, numbers), ({ row }) => row);
  return products.map((rows) => {
    const differing = rows.flatMap((row) =>
      (cells.get(row.row) ?? []).flatMap(({ field, now, after }) => {
        const before = row.values[field] ?? null;
        if (after === (before ?? '')) return [];
        // The operator has not changed values that a look-up has found since.
        const isEdited = (now ?? '') !== (before ?? '') && row.sources[field] !== 'found';
        return [{ row: row.row, field, before, after, isEdited }];
      }),
    );
    return {
      rows,
      changes: differing.flatMap(({ isEdited, ...change }) => (isEdited ? [] : [change])),
      left: differing.flatMap(({ isEdited, row, field, before }) =>
        isEdited ? [{ row, field, before, reason: 'changed-since' as const }] : [],
      ),
      unchanged: 0,
      carry: null,
    };
  });
}
