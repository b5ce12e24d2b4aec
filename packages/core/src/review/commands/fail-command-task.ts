import type { Db } from '../../connection/database.ts';
import type { ChunkRecord } from '../../connection/schema.ts';
import { changeImport, lockImport } from '../../imports/imports.ts';
import { markDead } from '../../work/claim-chunk.ts';
import { dropTask } from '../../work/command-tasks.ts';
import { lockRows } from '../rows-lock.ts';
import { turnIntoUndo } from './begin-undo.ts';
import { findCommand } from './edit-commands.ts';

/**
 * A cancelled import's command cannot be resumed, so another task undoes it. Throws ChunkFenced if the claim was lost.
 */
export async function failCommandTask(
  db: Db,
  chunk: ChunkRecord & { command: string },
  cause: string,
): Promise<void> {
  // The same order of locks as everywhere else that ends such a task.
  await lockRows(db, chunk.import_id);
  await markDead(db, chunk, cause);
  const record = await lockImport(db, chunk.import_id);
  const command = await findCommand(db, chunk.import_id, chunk.command);
  if (record?.status === 'cancelled' && command && command.kind !== 'undo') {
    await dropTask(db, chunk);
    await turnIntoUndo(db, record, command);
  }
  await changeImport(db, chunk.import_id, {});
}
