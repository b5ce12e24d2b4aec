import { toIssueSet } from '@draftshelf/domain/review/issue-set';
import type { MatchedState } from '@draftshelf/domain/review/matched-state';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { runWithoutNestedLoops } from '../connection/planner.ts';
import { hasRows, queryRows } from '../connection/query-rows.ts';
import type { ChunkRecord, RowRecord, Schema } from '../connection/schema.ts';
import { lockImport } from '../imports/imports.ts';
import { lockHeldChunk, markDone } from '../work/claim-chunk.ts';
import type { RunOfRows } from '../work/runs.ts';
import { storeTaskProgress, type TaskProgress } from '../work/tasks.ts';
import { type Key, keys } from './duplicates.ts';
import { addToRunCounts, diffFacets } from './row-facets.ts';
import { lockRows } from './rows-lock.ts';

/** The number of other imports to compare with, the newest first. */
const othersMax = 20;
const matchesMax = 20_000;
/** Rows marked per transaction. The number is small, because an edit of the import may wait for the transaction. */
const markedRowsMax = 1_000;
/** Rows compared per transaction, counted in both imports of each pair. A single pair may exceed this limit. */
const comparedRowsMax = 100_000;

const bit = toIssueSet(['in-other-import']);

/** SQL query: other imports that wait for a push, except test imports and other uploads of the same file. */
const waitingImports = (importId: string) => sql`
  select other.id as import_id, other.rows_run as run, mine.total_rows + other.total_rows as compared
  from import_records mine join import_records other on other.id <> mine.id and other.sha256 <> mine.sha256
  where mine.id = ${importId} and other.status in ('queued','processed','paused') and other.push_run = 0
    and not other.test_mode and exists (select 1 from runs where runs.import_id = other.id and runs.stage = 'parse'
      and runs.run = other.rows_run and runs.ended_at is not null)
  order by other.created_at desc, other.id`;

/** Returns whether other imports wait for a push, so that this import's rows can be compared with theirs. */
export const hasWaitingImports = (db: Db, importId: string) =>
  hasRows(db)`${waitingImports(importId)} limit 1`;

/** Runs the task 'find-in-imports': marks rows whose SKU or GTIN also occurs in an import that waits for a push. */
export async function markRowsAlsoInOtherImports(
  db: Kysely<Schema>,
  chunk: ChunkRecord,
): Promise<TaskProgress> {
  if (await hasRows(db)`${unmarked(chunk)} limit 1`) {
    await db.transaction().execute(async (trx) => {
      await lockRows(trx, chunk.import_id);
      await lockImport(trx, chunk.import_id);
      await lockHeldChunk(trx, chunk);
      await markMatches(trx, chunk);
    });
    return 'more';
  }
  return db.transaction().execute(async (trx) => {
    const { done } = await lockHeldChunk(trx, chunk);
    const rows = await queryRows<OtherImport>(trx)`
      ${waitingImports(chunk.import_id)} limit ${othersMax}`;
    const others = nextOthers(rows.slice(done));
    if (others.length > 0) {
      await findMatches(trx, chunk, others);
      await storeTaskProgress(trx, chunk, done + others.length);
      return 'more';
    }
    return markDone(trx, chunk);
  });
}

type OtherImport = RunOfRows & { compared: number };

/** Returns the first import, and as many of the next imports as fit into the limit of compared rows. */
function nextOthers(others: readonly OtherImport[]): readonly OtherImport[] {
  let compared = 0;
  return others.filter((other, at) => {
    compared += other.compared;
    return at === 0 || compared <= comparedRowsMax;
  });
}

/** Stores the rows whose key also occurs in another import, each row once. Runs one statement per import and key. */
async function findMatches(
  db: Db,
  { import_id, run }: RunOfRows,
  others: readonly OtherImport[],
): Promise<void> {
  const compare = async (other: RunOfRows, { column, field }: Key) => {
    const key = sql.ref(column);
    await sql`
      insert into row_matches (import_id, run, row, field, other_import)
      select ${import_id}, ${run}, row, ${field}, ${other.import_id} from rows
      where import_id = ${import_id} and run = ${run} and ignored is null and ${key} in (
        select ${key} from rows where import_id = ${other.import_id} and run = ${other.run} and ignored is null
          and ${key} is not null)
      order by row
      limit greatest(0, ${matchesMax}::int - (
        select count(*) from row_matches where import_id = ${import_id} and run = ${run}))
      on conflict do nothing`.execute(db);
  };
  // A fresh run has no statistics, so the planner would choose nested loops, which compare all rows with all.
  await runWithoutNestedLoops(db, async () => {
    for (const other of others) for (const key of keys) await compare(other, key);
  });
}

const unmarked = (of: RunOfRows) => sql`
  select row from row_matches where import_id = ${of.import_id} and run = ${of.run} and not marked`;

async function markMatches(db: Db, of: RunOfRows): Promise<void> {
  const rows = await queryRows<Pick<RowRecord, 'row' | 'class' | 'ignored' | 'issues'>>(db)`
    with marked as (
      update row_matches set marked = true where import_id = ${of.import_id} and run = ${of.run}
        and row = any(array(${unmarked(of)} order by row limit ${markedRowsMax}))
      returning row
    )
    update rows set issues = issues | ${bit}::bigint
    where rows.import_id = ${of.import_id} and rows.run = ${of.run} and rows.row = any(array(select row from marked))
      and rows.issues & ${bit}::bigint = 0
    returning rows.row, rows.class, rows.ignored, rows.issues`;
  const moved = rows.map((after) => ({ before: { ...after, issues: after.issues - bit }, after }));
  await addToRunCounts(db, of, { facets: diffFacets(moved) });
}

export type RowMatch = {
  row: number;
  field: 'sku' | 'upc';
  importId: string;
  filename: string;
  state: MatchedState;
  foundAt: Date;
};

export const matchedState = sql<MatchedState>`
  case when push_run > 0 then 'pushed' when status in ('completed','failed','cancelled') then 'ended' else 'waiting' end`;

/** Reads the matches of rows, except matches in imports that have been deleted since. */
export async function readRowMatches(db: Db, of: RunOfRows, rows: readonly number[]): Promise<RowMatch[]> {
  if (rows.length === 0) return [];
  return queryRows<RowMatch>(db)`
    select row, field, imports.id as "importId", filename, found_at as "foundAt", ${matchedState} as state
    from row_matches join imports on imports.id = other_import
    where import_id = ${of.import_id} and run = ${of.run} and row = any(${rows}::int[])`;
}
