import { type RawBuilder, sql } from 'kysely';
import { tryLock } from '../chunks/repair.ts';
import { ofRun, type RunOfRows } from '../chunks/runs.ts';
import { type Db, isDatabaseUnavailable, type OpenDatabase } from '../connection/database.ts';
import { changeImport } from '../imports/imports.ts';
import type { Schema } from '../schema.ts';
import { addSearchRows, readSearchRows } from './search/row-search.ts';

/** Rows removed per transaction: bounds how long vacuum waits and how much work a kill undoes. */
const removedRowsMax = 20_000;
/** Rows made searchable per transaction. An edit of one of them waits until it ends, a fifth as long as with 20,000. */
const filledRowsMax = 4_000;
/**
 * From this size on the search table is analyzed explicitly: Postgres does it too late for a search of a large import.
 */
const analyzedFromRows = 20_000;
const rowsPerRead = 2_000;

type SearchedRun = { id: string; rows_run: number; total_rows: number };

/** Thrown when the rows of an import cannot be made searchable; those of other imports still can. */
export class SearchNotFilled extends Error {
  readonly importId: string;
  constructor(importId: string, cause: unknown) {
    super(`The rows of import ${importId} could not be made searchable`, { cause });
    this.name = 'SearchNotFilled';
    this.importId = importId;
  }
}

/** Whether the trigram index exists: the database had the extensions for it when it was migrated. */
export async function hasTrigramIndex(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('row_search_trigrams') is not null as found`.execute(db);
  return rows[0]?.found ?? false;
}

/**
 * Adds the next rows of an import that is idle or being pushed to the search table, the smallest import first, and
 * none of `skipped`. Throws SearchNotFilled when it cannot, and what Postgres throws when it is unavailable. Returns
 * how many rows it processed: 0 when there are none left, or when another worker is filling. An interrupted batch
 * leaves nothing behind, and the next one begins where the last complete one ended.
 */
export async function fillSearch(
  database: Pick<OpenDatabase, 'db'>,
  skipped: ReadonlySet<string>,
): Promise<number> {
  const filled = await fillNext(database, skipped).catch((error) => {
    if (error instanceof RunReplaced) return { rows: 0, run: undefined };
    throw error;
  });
  // Not in the transaction of the batch: an edit locks its import while it waits for a row that the batch has added.
  if (filled.run) await endFilling(database, filled.run);
  return filled.rows;
}

type Filled = { rows: number; run: SearchedRun | undefined };

function fillNext({ db }: Pick<OpenDatabase, 'db'>, skipped: ReadonlySet<string>): Promise<Filled> {
  return db.transaction().execute(async (trx) => {
    if (!(await tryLock(trx, 'fill search'))) return { rows: 0, run: undefined };
    const run = await nextUnsearchable(trx, skipped);
    if (!run) return { rows: 0, run };
    return fillBatch(trx, run).catch((cause) => {
      if (cause instanceof RunReplaced || isDatabaseUnavailable(cause)) throw cause;
      throw new SearchNotFilled(run.id, cause);
    });
  });
}

/** Waits for enrichment to end, because found values are searched too. */
async function nextUnsearchable(
  db: Db,
  skipped: ReadonlySet<string>,
): Promise<(SearchedRun & { search_row: number }) | undefined> {
  return db
    .selectFrom('runs')
    .innerJoin('imports', (join) =>
      join.onRef('imports.id', '=', 'runs.import_id').onRef('imports.rows_run', '=', 'runs.run'),
    )
    .select(['imports.id', 'imports.rows_run', 'imports.total_rows', 'runs.search_row'])
    .where('runs.stage', '=', 'parse')
    .where('runs.ended_at', 'is not', null)
    .where('runs.searchable', '=', false)
    .where('imports.id', '<>', sql<string>`all(${[...skipped]}::uuid[])`)
    .where(({ eb, or }) =>
      or([
        eb('imports.status', 'in', ['queued', 'processed', 'uploading', 'completed']),
        eb('imports.paused_from', '=', 'uploading'),
        eb('imports.failed_in', '=', 'push'),
      ]),
    )
    .orderBy('imports.total_rows')
    .limit(1)
    .executeTakeFirst();
}

async function fillBatch(db: Db, run: SearchedRun & { search_row: number }): Promise<Filled> {
  let from = run.search_row;
  let rows = 0;
  let ended = false;
  while (!ended && rows < filledRowsMax) {
    const read = await readSearchRows(db, run, { from, back: false }, rowsPerRead);
    const held = read.filter(({ text }) => text !== '');
    if (held.length > 0) await addSearchRows(db, run, held);
    from = read.at(-1)?.row ?? from;
    rows += read.length;
    ended = read.length < rowsPerRead;
  }
  await changeRun(db, run, { search_row: from });
  await expectCurrent(db, run);
  return { rows, run: ended ? run : undefined };
}

/** Thrown to roll back a batch whose rows a newer run has replaced: they may have been removed already. */
class RunReplaced extends Error {}

/**
 * Call it after locking the run: a finalize that replaces the run has then ended, or waits until the batch is stored.
 */
async function expectCurrent(db: Db, run: SearchedRun): Promise<void> {
  const current = await db
    .selectFrom('imports')
    .select('id')
    .where('id', '=', run.id)
    .where('rows_run', '=', run.rows_run)
    .executeTakeFirst();
  if (!current) throw new RunReplaced();
}

/** Lets searches use the table from now on. A new version makes screens ask again. */
async function endFilling(database: Pick<OpenDatabase, 'db'>, run: SearchedRun): Promise<void> {
  if (await hasTrigramIndex(database.db)) {
    // New entries are in a pending list, which every search would read in full until it is merged into the index.
    await sql`select gin_clean_pending_list('row_search_trigrams')`.execute(database.db);
  }
  // Until the table is analyzed, Postgres expects few new texts and reads all of them in order instead of using the
  // index: half a second for each search of a million rows. Autovacuum analyzes it only once a minute.
  if (run.total_rows >= analyzedFromRows) await sql`analyze row_search`.execute(database.db);
  await database.db.transaction().execute(async (trx) => {
    // Locks the import before its runs, as finalize does.
    await changeImport(trx, run.id, {});
    await changeRun(trx, run, { searchable: true });
  });
}

async function changeRun(
  db: Db,
  run: SearchedRun,
  set: { search_row: number } | { searchable: true },
): Promise<void> {
  await db
    .updateTable('runs')
    .set(set)
    .where(ofRun({ import_id: run.id, stage: 'parse', run: run.rows_run }))
    .execute();
}

/** The tables with data of a run's rows, in the order of removal. */
const tablesOfRows = [
  { table: 'row_search', run: 'run' },
  { table: 'row_findings', run: 'run' },
  { table: 'row_joins', run: 'run' },
  { table: 'found_values', run: 'run' },
  { table: 'row_facets', run: 'run' },
  { table: 'outcomes', run: 'rows_run' },
  { table: 'rows', run: 'run' },
] as const;

/**
 * Removes the next rows of replaced runs, once no unfinished chunk could store more of them. Returns how many rows it
 * removed from one table: 0 when there are none left, or when another worker is removing rows.
 */
export async function removeObsoleteRows({ db }: Pick<OpenDatabase, 'db'>): Promise<number> {
  return db.transaction().execute(async (trx) => {
    if (!(await tryLock(trx, 'remove rows'))) return 0;
    for (;;) {
      const run = await nextObsolete(trx);
      if (!run) return 0;
      const removed = await removeRows(trx, run);
      if (removed > 0) return removed;
      await trx
        .updateTable('runs')
        .set({ rows_obsolete: false })
        .where(ofRun({ import_id: run.import_id, stage: 'parse', run: run.run }))
        .execute();
    }
  });
}

async function nextObsolete(db: Db): Promise<RunOfRows | undefined> {
  const { rows } = await sql<RunOfRows>`
    select import_id, run from runs
    where rows_obsolete and not exists (
      select 1 from chunks
      where chunks.import_id = runs.import_id and chunks.stage = 'parse' and chunks.run = runs.run
        and state in ('pending', 'published'))
    limit 1`.execute(db);
  return rows[0];
}

/** Removes one batch from the first table that has rows of the run. */
async function removeRows(db: Db, of: RunOfRows): Promise<number> {
  for (const { table, run } of tablesOfRows) {
    const which = sql`import_id = ${of.import_id} and ${sql.ref(run)} = ${of.run}`;
    const removed = await deleteBatch(db, table, which);
    if (removed > 0) return removed;
  }
  return 0;
}

/** Deletes at most 20,000 rows of a table that meet the condition. Returns how many. */
export async function deleteBatch(db: Db, table: keyof Schema, which: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${which} limit ${removedRowsMax}))`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
