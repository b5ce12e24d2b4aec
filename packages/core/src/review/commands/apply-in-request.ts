import type { Db } from '../../connection/database.ts';
import type { EditCommandRecord, ImportRecord } from '../../connection/schema.ts';
import { updateCounts } from '../../reading/refresh-products.ts';
import type { ChangeRefusal } from '../change-refused.ts';
import type { ChangedRows } from './apply-cells.ts';
import { applyNextPart, type CommandWithBase } from './apply-next-part.ts';
import { finishCommand } from './end-command.ts';
import { rowsPerRequestPart } from './whole-products.ts';

/**
 * Applies a whole command in the caller's transaction. The transaction has locked the import's rows, and must roll
 * back if the command is refused. Returns the numbers of the changed rows as `rows`.
 */
export async function applyInRequest(
  db: Db,
  record: ImportRecord,
  { command, base }: CommandWithBase,
): Promise<{ command: EditCommandRecord; rows: number[] } | ChangeRefusal> {
  const changed: ChangedRows[] = [];
  const rows: number[] = [];
  let last = command;
  for (;;) {
    const part = await applyNextPart(db, record, { command: last, base }, rowsPerRequestPart);
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
