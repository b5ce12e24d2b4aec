import { type Kysely, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { ChunkRecord, Schema } from '../../connection/schema.ts';
import { changeImport } from '../../imports/imports.ts';
import { lockHeld, markDone } from '../../work/claim-chunk.ts';
import { notifyChunks } from '../../work/notify-chunks.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { storeTaskProgress, type TaskProgress } from '../../work/tasks.ts';
import { lockRows } from '../rows-lock.ts';
import { readRowTexts } from './row-search.ts';
import { appendTexts } from './row-texts.ts';

/** Rows whose texts are stored per transaction. An edit of the import waits until it ends. */
const filledRowsMax = 4_000;
const rowsPerRead = 2_000;

/** Notes that a run has all its texts, if its chunks have stored them. Returns whether it has. */
export async function noteTexts(db: Db, { import_id, run }: RunOfRows): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update runs set texts_stored = true
    where import_id = ${import_id} and stage = 'parse' and run = ${run} and not exists (
      select from chunks
      where chunks.import_id = runs.import_id and chunks.stage = runs.stage and chunks.run = runs.run
        and chunks.kind = 'work' and chunks.rows > 0 and not exists (
          select from row_texts
          where row_texts.import_id = runs.import_id and row_texts.run = runs.run and row_from = first_row))`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

/**
 * Enqueues the task 'fill-search' for all imports that lack texts, as after the restore of a backup. Not if such a task
 * was given up. Returns for how many.
 */
export async function enqueueFilling(db: Db): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into chunks (import_id, stage, run, kind, task, total, sequence)
    select import_id, runs.stage, run, 'task', 'fill-search', total_rows, -1
    from runs join imports on imports.id = import_id
    where runs.stage = 'parse' and run = rows_run and runs.ended_at is not null and not texts_stored
      and rows_removed_at is null and deletion_began_at is null and not exists (
        select from chunks
        where chunks.import_id = runs.import_id and chunks.run = runs.run and task = 'fill-search' and state <> 'done')`.execute(
    db,
  );
  if (numAffectedRows > 0n) await notifyChunks(db, 'parse');
  return Number(numAffectedRows);
}

/**
 * The task 'fill-search': stores what the next rows of its run are searched by. An interrupted batch leaves nothing
 * behind, and the next one begins where the last complete one ended. When a newer run replaces the rows, the task is
 * dropped, which waits for the batch in progress.
 */
export async function fillSearch(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  if (!(await db.transaction().execute((trx) => fillBatch(trx, chunk)))) return 'more';
  await db.transaction().execute((trx) => endFilling(trx, chunk));
  return 'done';
}

/** Returns whether there are no more rows. */
async function fillBatch(db: Db, chunk: ChunkRecord): Promise<boolean> {
  await lockRows(db, chunk.import_id);
  const held = await lockHeld(db, chunk);
  let from = held.done;
  let ended = false;
  while (!ended && from - held.done < filledRowsMax) {
    const read = await readRowTexts(db, held, { from, back: false }, rowsPerRead);
    const last = read.at(-1)?.row ?? from;
    for (const table of ['row_texts', 'row_text_signs'] as const) {
      await db
        .deleteFrom(table)
        .where('import_id', '=', held.import_id)
        .where('run', '=', held.run)
        .where('row_from', '>', from)
        .where('row_from', '<=', last)
        .execute();
    }
    await appendTexts(db, held, read);
    from = last;
    ended = read.length < rowsPerRead;
  }
  await storeTaskProgress(db, chunk, from);
  return ended;
}

/** Lets searches use the texts from now on. A new version makes screens ask again. */
async function endFilling(db: Db, chunk: ChunkRecord): Promise<void> {
  // Locks the import before its task, as a newer run does when it drops the task.
  await changeImport(db, chunk.import_id, {});
  await markDone(db, chunk);
  await sql`
    update runs set texts_stored = true
    where import_id = ${chunk.import_id} and stage = 'parse' and run = ${chunk.run}`.execute(db);
}
