import type { Kysely } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { ChunkRecord, EditCommandRecord, ImportRecord, Schema } from '../../connection/schema.ts';
import { changeImport, findImport, lockImport } from '../../imports/imports.ts';
import { updateCounts } from '../../reading/refresh-products.ts';
import { lockHeldChunk, markDead, markDone } from '../../work/claim-chunk.ts';
import { dropTask, setTaskTotal, storeTaskProgress, type TaskProgress } from '../../work/tasks.ts';
import { findCorrectedRows } from '../corrections/correction-lines.ts';
import { lockRows } from '../rows-lock.ts';
import { toShownRun } from '../search/row-sql.ts';
import { applyNextPart } from './apply-next-part.ts';
import { undoCancelledCommand } from './begin-undo.ts';
import { countTargetRows, insertTarget } from './command-targets.ts';
import { findCommand, readBaseCommand, requireProgress, storeCommandProgress } from './edit-commands.ts';
import { finishCommand } from './end-command.ts';

type Work = { chunk: ChunkRecord; command: EditCommandRecord; record: ImportRecord };

/**
 * Runs the next part of a command's task, about 150 ms. A part that changes rows locks the rows first, then the task,
 * and the import last. A part that only searches locks nothing until it stores its result.
 */
export async function runCommandPart(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  const work = await readWork(db, chunk);
  if (requireProgress(work.command).step !== 'search')
    return db.transaction().execute((trx) => changePart(trx, chunk));
  await db.transaction().execute((trx) => searchPart(trx, work));
  return 'more';
}

async function readWork(db: Db, chunk: ChunkRecord): Promise<Work> {
  const record = await findImport(db, chunk.import_id);
  const command = await findCommand(db, chunk.import_id, chunk.command ?? '');
  if (!record || !command) throw new Error(`Task ${chunk.id} has no command`);
  return { chunk, command, record };
}

const foundRowsMax = 20_000;

async function searchPart(db: Db, { chunk, command, record }: Work): Promise<void> {
  const progress = requireProgress(command);
  const { rows, next } = await findCorrectedRows(db, command, { after: progress.at, limit: foundRowsMax });
  await lockHeldChunk(db, chunk);
  const ofRun = { ...toShownRun(record), command: command.id };
  await insertTarget(db, ofRun, rows);
  await storeTaskProgress(db, chunk, 0);
  if (next !== null) return storeCommandProgress(db, command, { ...progress, at: next });
  await setTaskTotal(db, chunk, await countTargetRows(db, ofRun));
  return storeCommandProgress(db, command, { ...progress, step: 'rows', at: 0 });
}

async function changePart(db: Db, chunk: ChunkRecord): Promise<TaskProgress> {
  await lockRows(db, chunk.import_id);
  const held = await lockHeldChunk(db, chunk);
  const { command, record } = await readWork(db, held);
  if (record.status === 'cancelled' && command.kind !== 'undo') {
    await undoCancelledCommand(db, record, command);
    return markDone(db, chunk);
  }
  const base = await readBaseCommand(db, command);
  const part = await applyNextPart(db, record, { command, base }, requireProgress(command).batch);
  // This cannot happen, because no push begins before the undo has ended.
  if (part && 'reason' in part) throw new Error(`Products of import ${record.id} are being sent`);
  if (part === null) {
    await markDone(db, chunk);
    await finishCommand(db, record, command);
    return 'done';
  }
  await storeTaskProgress(db, held, held.done + part.done);
  await updateCounts(db, record, [part.changed]);
  return 'more';
}

/**
 * Marks a command's task as dead, or, if the import is cancelled, starts an undo. Throws ChunkFenced without a claim.
 */
export async function failCommandTask(
  db: Db,
  chunk: ChunkRecord & { command: string },
  cause: string,
): Promise<void> {
  // Locks the rows first, like `changePart`, which also ends tasks of commands.
  await lockRows(db, chunk.import_id);
  await markDead(db, chunk, cause);
  const record = await lockImport(db, chunk.import_id);
  const command = await findCommand(db, chunk.import_id, chunk.command);
  if (record?.status === 'cancelled' && command && command.kind !== 'undo') {
    await dropTask(db, chunk);
    await undoCancelledCommand(db, record, command);
  }
  await changeImport(db, chunk.import_id, {});
}
