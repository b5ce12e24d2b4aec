import type { Db } from '../../connection/database.ts';
import type { EditCommandRecord, ImportRecord } from '../../connection/schema.ts';
import type { ChangeRefused } from '../change-refused.ts';
import { applyNextRows, type PartDone } from './apply-part.ts';
import { nextBatch, progressOf, storeCommandPart } from './edit-commands.ts';
import { type Undo, undoNextEdits } from './undo-part.ts';

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
