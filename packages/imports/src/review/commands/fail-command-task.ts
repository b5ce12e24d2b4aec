import type { Db } from '@draftshelf/database/connection/database';
import type { ChunkRecord } from '@draftshelf/database/connection/schema';
import { changeImport, lockImport } from '@draftshelf/database/imports/imports';
import { findCommand } from '@draftshelf/database/review/commands/edit-commands';
import { lockRows } from '@draftshelf/database/review/rows-lock';
import { markDead } from '@draftshelf/database/work/claim-chunk';
import { dropTask } from '@draftshelf/database/work/command-tasks';
import { turnIntoUndo } from './begin-undo.ts';

/**
 * Marks the task of a command dead with its cause, in the caller's transaction. If the import was cancelled meanwhile,
 * nobody resumes the command, so another task undoes it. Throws ChunkFenced if the claim was lost.
 */
export async function failCommandTask(
  db: Db,
  chunk: ChunkRecord & { command: string },
  cause: string,
): Promise<void> {
  // In the order of locks of all that end such a task.
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
