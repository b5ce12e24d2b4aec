import { type Kysely, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { ChunkRecord, Schema } from '../../connection/schema.ts';
import { changeImport } from '../../imports/imports.ts';
import { lockHeld, markDone } from '../../work/claim-chunk.ts';
import { ofRun } from '../../work/runs.ts';
import { storeTaskProgress, type TaskProgress } from '../../work/tasks.ts';
import { addSearchRows, readSearchRows } from './row-search.ts';

/** Rows made searchable per transaction. An edit of one of them waits until it ends, a fifth as long as with 20,000. */
const filledRowsMax = 4_000;
/**
 * From this size on the search table is analyzed explicitly: Postgres does it too late for a search of a large import.
 */
const analyzedFromRows = 20_000;
const rowsPerRead = 2_000;

/**
 * The task 'fill-search': adds the next rows of its run to the search table. An interrupted batch leaves nothing
 * behind, and the next one begins where the last complete one ended. When a newer run replaces the rows, the task is
 * dropped, which waits for the batch in progress.
 */
export async function fillSearch(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> {
  const { isFirst, ended } = await db.transaction().execute((trx) => fillBatch(trx, chunk));
  // A version without `code` may have filled the first rows of other runs.
  if (isFirst) await setSearch(db, chunk, { codes_searchable: true });
  if (!ended) return 'more';
  // Not in the transaction of the batch: an edit locks its import while it waits for a row that the batch has added.
  await endFilling(db, chunk);
  return 'done';
}

async function fillBatch(db: Db, chunk: ChunkRecord): Promise<{ isFirst: boolean; ended: boolean }> {
  const held = await lockHeld(db, chunk);
  let from = held.done;
  let rows = 0;
  let ended = false;
  while (!ended && rows < filledRowsMax) {
    const read = await readSearchRows(db, held, { from, back: false }, rowsPerRead);
    const found = read.filter(({ text }) => text !== '');
    if (found.length > 0) await addSearchRows(db, held, found);
    from = read.at(-1)?.row ?? from;
    rows += read.length;
    ended = read.length < rowsPerRead;
  }
  await storeTaskProgress(db, chunk, from);
  return { isFirst: held.done === 0, ended };
}

/** Lets searches use the table from now on. A new version makes screens ask again. */
async function endFilling(db: Kysely<Schema>, chunk: ChunkRecord): Promise<void> {
  // New entries are in a pending list, which every search would read in full until it is merged into the index. Until
  // the table is analyzed, Postgres expects few new texts and reads all of them in order instead of using the index:
  // half a second for each search of a million rows. Autovacuum analyzes it only once a minute.
  await sql`select settle_row_search(${(chunk.total ?? 0) >= analyzedFromRows})`.execute(db);
  await db.transaction().execute(async (trx) => {
    // Locks the import before its task, as a newer run does when it drops the task.
    await changeImport(trx, chunk.import_id, {});
    await markDone(trx, chunk);
    await setSearch(trx, chunk, { searchable: true });
  });
}

async function setSearch(
  db: Db,
  { import_id, run }: ChunkRecord,
  set: { searchable: true } | { codes_searchable: true },
): Promise<void> {
  await db
    .updateTable('runs')
    .set(set)
    .where(ofRun({ import_id, stage: 'parse', run }))
    .execute();
}
