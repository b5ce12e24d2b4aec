import { runningStatusOf, type Stage } from '@draftshelf/domain/imports/stages';
import { type Insertable, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import {
  changeRows,
  hasRows,
  queryRow,
  queryRows,
  queryValue,
  queryValues,
} from '../connection/query-rows.ts';
import type { ChunkRecord, ChunksTable } from '../connection/schema.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { attemptsMax, isChunkDue } from './claim-chunk.ts';
import { wakeRelay } from './notify-chunks.ts';
import { isAlive, sumLiveSlots } from './processes.ts';
import { belongsToRun, getRunColumn, type RunOfRows, type RunOfStage } from './runs.ts';

/** Published chunks per slot: the slot's current chunk and its next one. */
const publishedPerSlot = 2;
const slotsAssumed = 4;
/** Maximum number of published chunks. More would slow down the sweep, which checks each of them in the queue. */
export const publishedMax = 4_000;

/** Columns from which screens and logs describe the work of a chunk, for example as a range of rows. */
export type ChunkSummary = Pick<
  ChunkRecord,
  'stage' | 'kind' | 'task' | 'first_row' | 'rows' | 'first_product' | 'products' | 'done' | 'total'
>;

export type PublishableChunk = ChunkSummary &
  Pick<ChunkRecord, 'id' | 'publication' | 'priority' | 'import_id' | 'run'> & { filename: string };

type NewWork = Omit<Insertable<ChunksTable>, 'kind' | 'import_id' | 'stage' | 'run' | 'sequence'>;

const insertMax = 1000;

/** Inserts the work chunks of a run as pending, in order, and wakes the stage's relay. */
export async function insertWorkChunks(db: Db, run: RunOfStage, chunks: readonly NewWork[]): Promise<void> {
  for (let from = 0; from < chunks.length; from += insertMax) {
    await db
      .insertInto('chunks')
      .values(
        chunks.slice(from, from + insertMax).map((chunk, i) => ({
          ...chunk,
          ...run,
          kind: 'work' as const,
          sequence: from + i,
        })),
      )
      .execute();
  }
  await wakeRelay(db, run.stage);
}

export async function enqueueSplit(db: Db, { import_id, run }: RunOfRows): Promise<void> {
  await sql`
    insert into chunks (import_id, stage, run, kind, sequence)
    values (${import_id}, 'parse', ${run}, 'split', -1)`.execute(db);
  await wakeRelay(db, 'parse');
}

/** SQL assignments: make an ended chunk pending again. */
export const pendingAssignments = sql`state = 'pending', publication = chunks.publication + 1, attempts = 0, claims = 0,
  claims_with_progress = 0, lost_by = '{}', waits = 0, not_before = null, error = null, ended_at = null,
  retries = chunks.retries + case when chunks.state = 'dead' then 1 else 0 end`;

/** Inserts the run's one finalize chunk, or makes it pending again. */
export async function enqueueFinalize(db: Db, { import_id, stage, run }: RunOfStage): Promise<void> {
  await sql`
    insert into chunks (import_id, stage, run, kind, sequence) values (${import_id}, ${stage}, ${run}, 'finalize', -1)
    on conflict (import_id, stage, run) where kind = 'finalize' do update set ${pendingAssignments}`.execute(
    db,
  );
  await wakeRelay(db, stage);
}

/** Returns whether a stage has pending chunks of runs (`work`) and pending tasks (`tasks`), due or not. */
export const checkPendingChunks = (db: Db, stage: Stage) =>
  queryRow<{ work: boolean; tasks: boolean }>(db)`${prepared}
    select exists (select from chunks where stage = ${sql.lit(stage)} and state = 'pending' and kind <> 'task') as work,
      exists (select from chunks where stage = ${sql.lit(stage)} and state = 'pending' and kind = 'task') as tasks`;

/**
 * Locks the chunks of a stage that are due for publication, and gives each a priority. Call it in the relay's
 * transaction, which publishes the chunks and then calls markPublished.
 *
 * A stage has two published chunks per live slot. An import without a published chunk gets its first one published even
 * if chunks of other imports reach this limit. A chunk's priority is the lowest number that no published chunk of its
 * import has. Each import therefore has at most one chunk of priority 1, one of priority 2, and so on: the queue
 * alternates between the imports, and a large import still makes progress while small ones keep coming.
 *
 * Time for 100 rows uploaded just after 600,000, with one worker of two slots on a busy machine (npm run
 * bench:fairness; alone they take 0.2 s):
 * - 64 published chunks, first in, first out: 13.5 s. 5 products pushed after 2,500 took 394 s (alone 6.2 s).
 * - Two per slot, first in, first out: 2.9 and 3.6 s. Each further import waits for every published chunk.
 * - 64 by priority: 1.1 and 1.5 s. Slots beyond 64 would be idle, and a pause takes back 62 chunks.
 * - One per slot, by priority: 1.4 and 1.5 s. A slot is idle until the relay has published its next chunk.
 * - Two per slot, by priority: 1.2, 2.7 and 2.9 s, no clear difference from the two above; the push 16 s (alone 2.5
 *   s).
 * The code does the last: it keeps the slots busy, grows with them, and publishes few chunks that a pause takes back.
 */
export async function lockPublishableChunks(db: Db, stage: Stage): Promise<PublishableChunk[]> {
  return queryRows<PublishableChunk>(db)`${prepared}
    with published as (
      select import_id, count(*) as held, array_agg(priority) as taken
      from chunks where stage = ${stage} and state = 'published' and kind <> 'task' group by import_id
    ), slots as (
      select coalesce(nullif(${sumLiveSlots(`${stage}-worker`)}, 0), ${slotsAssumed}) as live
    ), total as (
      select least(${publishedMax}, ${publishedPerSlot} * slots.live) as room, (select coalesce(sum(held), 0) from published) as held
      from slots
    ), free as (
      select greatest(0, room - held)::int as within, greatest(0, ${publishedMax} - held)::int as at_all from total
    ), candidates as (
      select waiting.id, waiting.priority, published.held is null and waiting.priority = 1 as first
      from imports
      left join published on published.import_id = imports.id
      cross join free
      cross join lateral (
        select next.id, open.priority from (
          select id, row_number() over (order by sequence, id) as nth from (
            select id, sequence from chunks
            where stage = ${stage} and import_id = imports.id and run = ${runOf(stage)} and state = 'pending' and kind <> 'task'
              and ${isChunkDue}
            order by sequence, id limit greatest(free.within, case when published.held is null then 1 else 0 end)
          ) due
        ) next join (
          select priority, row_number() over (order by priority) as nth from (
            select generate_series(1, coalesce(published.held, 0)::int + free.within + 1) as priority
            except select unnest(published.taken)
          ) numbers
        ) open using (nth)
      ) waiting
      where imports.status = ${runningStatusOf(stage)}
    ), ranked as (
      select id, priority, first, row_number() over (order by priority, id) as rank from candidates
    ), chosen as (
      select ranked.id, priority from ranked, free where rank <= within or (first and rank <= at_all)
    )
    select chunks.id, publication, chosen.priority, import_id, chunks.stage, run, kind, task, done, total,
      first_row, chunks.rows, first_product, products, imports.filename
    from chosen join chunks on chunks.id = chosen.id join imports on imports.id = chunks.import_id
    where chunks.state = 'pending'
    order by chosen.priority, chunks.id
    for update of chunks skip locked`;
}

export async function markPublished(
  db: Db,
  chunks: readonly Pick<PublishableChunk, 'id' | 'priority'>[],
): Promise<void> {
  await sql`
    update chunks set state = 'published', priority = given.priority
    from ${unnestRows('given', chunks, { id: 'bigint', priority: 'int' })}
    where chunks.id = given.id`.execute(db);
}

/** Returns whether a sweep may have work: an open or dead chunk, an import paused by the store, or a silent process. */
export const hasSweepWork = (db: Db, stage: Stage) =>
  queryValue<boolean>(db)`${prepared}
    select exists (select from chunks where stage = ${sql.lit(stage)} and state = 'pending' and kind <> 'task')
      or exists (select from chunks where stage = ${sql.lit(stage)} and state = 'published')
      or exists (select from chunks where stage = ${sql.lit(stage)} and state = 'dead')
      or exists (select from imports where status = 'paused' and paused_by = 'store')
      or exists (select from processes where not ${isAlive}) as possible`;

/** Returns the ids of imports that have published chunks but none that a worker has claimed. */
export const findWaitingImports = (db: Db, stage: Stage) =>
  queryValues<string>(db)`
    select import_id from chunks where stage = ${stage} and state = 'published' and kind <> 'task'
    group by import_id having bool_and(claim_pid is null)`;

/** `isHeld`: the connection that claimed the chunk is open. */
export type PublishedChunk = Pick<
  ChunkRecord,
  'id' | 'stage' | 'task' | 'publication' | 'claims' | 'attempts'
> & { isHeld: boolean };

export const listPublished = (db: Db, stage: Stage) =>
  // The coalesce is needed, because pg_stat_get_activity(null) returns all connections.
  queryRows<PublishedChunk>(db)`${prepared}
    select id, stage, task, publication, claims, attempts, exists (
      select 1 from pg_stat_get_activity(coalesce(chunks.claim_pid, -1)) as holder
      where holder.backend_start = chunks.claim_backend_start) as "isHeld"
    from chunks where stage = ${stage} and state = 'published' order by id`;

/**
 * Makes a published chunk pending again, so that its job in the queue is outdated. The claim stays recorded, so that
 * the next claim ends a worker that still holds the chunk. Returns false if the publication was outdated.
 */
export const takeBackChunk = (db: Db, { id, publication }: { id: number; publication: number }) =>
  hasRows(db)`
    update chunks set state = 'pending', publication = publication + 1
    where id = ${id} and publication = ${publication} and state = 'published' returning id`;

const runOf = (stage: Stage) => sql.ref(`imports.${getRunColumn(stage)}`);

/**
 * Drops the unfinished chunks of cancelled imports, replaced runs and ended undos, except chunks that a worker has
 * locked. Both states are compared by `=`, because each has an index that `in` would not use: with `in`, the statement
 * read 325,000 chunks every two seconds, in 35 ms instead of 0.5 ms.
 */
export async function dropUnwanted(db: Db, stage: Stage): Promise<void> {
  await sql`${prepared}
    update chunks set state = 'dropped', ended_at = now() where id in (
      select chunks.id from chunks join imports on imports.id = chunks.import_id
      where chunks.stage = ${stage} and (chunks.state = 'pending' or chunks.state = 'published')
        and chunks.kind <> 'task' and (imports.status = 'cancelled' or chunks.run <> ${runOf(stage)}
          or imports.status <> 'uploading' and exists (
            select 1 from previews undo where chunks.stage = 'push' and undo.import_id = chunks.import_id
              and undo.run = chunks.run and undo.ended_at is not null))
      for update of chunks skip locked limit 10000)`.execute(db);
}

/**
 * Drops the chunks of a stopped run, even dead ones. Skips chunks that a worker has locked, because the worker may be
 * waiting for the import, which the caller has locked; the sweep drops these chunks.
 */
export async function dropChunks(db: Db, run: RunOfStage): Promise<void> {
  await sql`
    update chunks set state = 'dropped', ended_at = now() where id in (
      select id from chunks where ${belongsToRun(run)} and kind <> 'task' and state in ('pending', 'published', 'dead')
      for update skip locked)`.execute(db);
}

/** Makes the dead chunks of a run pending again, except its finalize chunk. Returns the number of these chunks. */
export async function reopenDeadChunks(db: Db, run: RunOfStage): Promise<number> {
  const chunks = await changeRows(db)`
    update chunks set ${pendingAssignments}
    where ${belongsToRun(run)} and kind in ('work', 'split') and state = 'dead'`;
  await wakeRelay(db, run.stage);
  return chunks;
}

/** Adds 1 to the retries of a run's pending chunks whose recorded cause had stopped the whole stage. */
export async function incrementRetries(db: Db, run: RunOfStage): Promise<void> {
  await sql`
    update chunks set retries = retries + 1
    where ${belongsToRun(run)} and state = 'pending' and cause is not null`.execute(db);
}

/**
 * Counts a run's unfinished and dead chunks, except its finalize chunk, and returns up to 10 causes of death.
 * `outOfAttempts`: dead chunks that used up their attempts. The others died at once, with a sentence as the cause.
 */
export const countChunks = (db: Db, run: RunOfStage) =>
  queryRow<{
    undone: number;
    dead: number;
    causes: string[];
    outOfAttempts: number;
    finalizeDead: boolean;
  }>(db)`
    select (count(*) filter (where state in ('pending','published') and kind <> 'finalize'))::int as undone,
      (count(*) filter (where state = 'dead' and kind <> 'finalize'))::int as dead,
      coalesce((array_agg(distinct error) filter (where state = 'dead' and error is not null))[1:10], '{}') as causes,
      (count(*) filter (where state = 'dead' and kind <> 'finalize' and attempts >= ${attemptsMax}))::int
        as "outOfAttempts",
      coalesce(bool_or(state = 'dead' and kind = 'finalize'), false) as "finalizeDead"
    from chunks where ${belongsToRun(run)} and kind <> 'task'`;
