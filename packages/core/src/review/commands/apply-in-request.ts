import type { Db } from '../../connection/database.ts';
import type { EditCommandRecord, ImportRecord } from '../../connection/schema.ts';
import { updateCounts } from '../../reading/refresh-products.ts';
import type { ChangeRefused } from '../change-refused.ts';
import type { RowsChanged } from './apply-cells.ts';
import { applyNextRows, type PartDone } from './apply-part.ts';
import { nextBatch, progressOf, storeCommandPart } from './edit-commands.ts';
import { finishCommand } from './end-command.ts';
import { type Undo, undoNextEdits } from './undo-part.ts';
import { requestPartRows } from './whole-products.ts';

/** Applies a command to its next rows; an undo or redo restores the next cells of its base. Null: none is left. */
export async function applyNextPart(
  db: Db,
  record: ImportRecord,
  { command, base }: Undo,
  limit: number,
): Promise<(PartDone & { command: EditCommandRecord }) | ChangeRefused | null> {
  const since = performance.now();
  const part =
    command.undoes === null
      ? await applyNextRows(db, record, command, limit)
      : await undoNextEdits(db, record, { command, base }, limit);
  if (part === null || 'reason' in part) return part;
  const before = progressOf(command);
  const stored = await storeCommandPart(db, command, part, {
    ...{ ...before, ...part.progress },
    batch: nextBatch(limit, performance.now() - since),
    pictured: before.pictured || part.changed.pictured,
  });
  return { ...part, command: stored };
}

/**
 * Applies a command in the caller's transaction, which holds the lock of the import's rows and must roll back if this
 * is refused. `rows`: the changed rows.
 */
export async function applyInRequest(
  db: Db,
  record: ImportRecord,
  { command, base }: Undo,
): Promise<{ command: EditCommandRecord; rows: number[] } | ChangeRefused> {
  const changed: RowsChanged[] = [];
  const rows: number[] = [];
  let last = command;
  for (;;) {
    const part = await applyNextPart(db, record, { command: last, base }, requestPartRows);
    if (part === null) break;
    if ('reason' in part) return part;
    last = part.command;
    changed.push(part.changed);
    rows.push(...part.rows);
  }
  await updateCounts(db, record, changed);
  await finishCommand(db, record, last);
  return { command: last, rows };
}
