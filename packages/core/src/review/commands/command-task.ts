import type { Kysely } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { ChunkRecord, EditCommandRecord, ImportRecord, Schema } from '../../connection/schema.ts';
import { changeImport, findImport, lockImport } from '../../imports/imports.ts';
import { lockHeld, markDead, markDone } from '../../work/claim-chunk.ts';
import { dropTask, storeTaskProgress, type TaskProgress } from '../../work/tasks.ts';
import { lockRows } from '../rows-lock.ts';
import { updateCounts } from './apply-cells.ts';
import { applyNextRows } from './apply-part.ts';
import { turnIntoUndo } from './begin-undo.ts';
import { findCommand, progressOf, readBase } from './edit-commands.ts';
import { finishCommand } from './end-command.ts';
import { undoNextEdits } from './undo-part.ts';

/** Does the next part of a command's work, of about 150 ms. It locks the rows, then the task, and the import last. */
export async function doCommandPart(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  return db.transaction().execute((trx) => changePart(trx, chunk));
}

async function changePart(db: Db, chunk: ChunkRecord): Promise<TaskProgress> {
  await lockRows(db, chunk.import_id);
  const { done } = await lockHeld(db, chunk);
  const record = await findImport(db, chunk.import_id);
  const command = await findCommand(db, chunk.import_id, chunk.command ?? '');
  if (!record || !command) throw new Error(`Task ${chunk.id} has no command`);
  if (record.status === 'cancelled' && command.kind !== 'undo') {
    await turnIntoUndo(db, record, command);
    await markDone(db, chunk);
    return 'done';
  }
  const part = await nextPart(db, record, command, progressOf(command).batch);
  if (part === null) {
    await markDone(db, chunk);
    await finishCommand(db, record, command);
    return 'done';
  }
  await storeTaskProgress(db, chunk, done + part.done);
  await updateCounts(db, record, [part.changed]);
  return 'more';
}

async function nextPart(db: Db, record: ImportRecord, command: EditCommandRecord, batch: number) {
  if (command.undoes === null) return applyNextRows(db, record, command, batch);
  const base = await readBase(db, command);
  const part = await undoNextEdits(db, record, { command, base }, batch);
  // A push does not begin before the undo has ended.
  if (part === 'being sent') throw new Error(`Products of import ${record.id} are being sent`);
  return part;
}

/**
 * A cancelled import's command cannot be resumed, so another task undoes it. Throws ChunkFenced if the claim was lost.
 */
export async function failCommandTask(
  db: Db,
  chunk: ChunkRecord & { command: string },
  cause: string,
): Promise<void> {
  // Other code that ends such a task locks in this order, too.
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
