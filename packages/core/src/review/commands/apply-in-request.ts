import type { Db } from '../../connection/database.ts';
import type { EditCommandRecord, ImportRecord } from '../../connection/schema.ts';
import { type RowsChanged, updateCounts } from './apply-cells.ts';
import { applyNextRows } from './apply-part.ts';
import { finishCommand } from './end-command.ts';
import { type Undo, undoNextEdits } from './undo-part.ts';
import { requestPartRows } from './whole-products.ts';

/** Applies a command in the caller's transaction, which holds the lock of the import's rows. */
export async function applyInRequest(
  db: Db,
  record: ImportRecord,
  command: EditCommandRecord,
): Promise<EditCommandRecord> {
  const changed: RowsChanged[] = [];
  let last = command;
  for (;;) {
    const part = await applyNextRows(db, record, last, requestPartRows);
    if (part === null) break;
    last = part.command;
    changed.push(part.changed);
  }
  await updateCounts(db, record, changed);
  await finishCommand(db, record, last);
  return last;
}

/** Like applyInRequest, for an undo or redo. `rows`: the changed rows. After 'being sent' the caller must roll back. */
export async function undoInRequest(
  db: Db,
  record: ImportRecord,
  undo: Undo,
): Promise<{ command: EditCommandRecord; rows: number[] } | 'being sent'> {
  const changed: RowsChanged[] = [];
  const rows: number[] = [];
  let { command } = undo;
  for (;;) {
    const part = await undoNextEdits(db, record, { ...undo, command }, requestPartRows);
    if (part === 'being sent') return part;
    if (part === null) break;
    command = part.command;
    changed.push(part.changed);
    rows.push(...part.rows);
  }
  await updateCounts(db, record, changed);
  await finishCommand(db, record, command);
  return { command, rows };
}
