import type { Db } from '../../connection/database.ts';
import type { EditCommandRecord, ImportRecord } from '../../connection/schema.ts';
import { countChanges, type RowsChanged } from './apply-cells.ts';
import { applyNextRows, type PartDone } from './apply-part.ts';
import { finishCommand } from './end-command.ts';
import { type Undo, undoNextEdits } from './undo-part.ts';
import { requestPartRows } from './whole-products.ts';

/** Applies a command in the caller's transaction, which holds the lock of the import's rows. */
export async function applyInRequest(
  db: Db,
  record: ImportRecord,
  command: EditCommandRecord,
): Promise<EditCommandRecord> {
  const parts: PartDone[] = [];
  const last = () => parts.at(-1)?.command ?? command;
  for (;;) {
    const part = await applyNextRows(db, record, last(), requestPartRows);
    if (part === null) break;
    parts.push(part);
  }
  await finishInRequest(
    db,
    record,
    last(),
    parts.map(({ changed }) => changed),
  );
  return last();
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
  await finishInRequest(db, record, command, changed);
  return { command, rows };
}

async function finishInRequest(
  db: Db,
  record: ImportRecord,
  command: EditCommandRecord,
  changed: readonly RowsChanged[],
): Promise<void> {
  await countChanges(db, record, changed);
  await finishCommand(db, record, command);
}
