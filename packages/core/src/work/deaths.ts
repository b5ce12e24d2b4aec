import { fileDeathSentences, workerDeathsMax } from '@draftshelf/domain/work/deaths';
import { type RawBuilder, sql } from 'kysely';
import { isInFuture } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { hasRows, queryValue } from '../connection/query-rows.ts';
import type { ChunkRecord } from '../connection/schema.ts';
import { isClaimed } from './claim-chunk.ts';
import { isAlive, isProcessConnected } from './processes.ts';

/** SQL condition: another process is live and has reached Postgres, without a gap, since before the time `since`. */
const hasAnswered = (since: RawBuilder<unknown>, holder: RawBuilder<unknown>) => sql<boolean>`exists (
  select from processes where processes.id <> ${holder} and ${isAlive} and processes.answered_since < ${since})`;

/**
 * SQL value: the id of the only chunk that a process held when it was last seen, or null if it held none or several. A
 * background task counts only if the process held no chunk of an import and no file.
 */
const onlyChunk = (holder: RawBuilder<unknown>) => sql<number | null>`(
  select case
    when count(*) filter (where chunks.subject is null) = 1 then min(chunks.id) filter (where chunks.subject is null)
    when count(*) = 1 and not exists (
      select from watched_files file where file.held_by = ${holder} and file.state = 'taking') then min(chunks.id) end
  from chunks where chunks.held_by = ${holder} and ${isClaimed} or ${holder} = any(chunks.lost_by))`;

/**
 * Records the deaths of processes that were not asked to stop. A process is dead if it is silent and its connection is
 * closed while Postgres answers another process. A death counts against a chunk or file only if the process held
 * nothing else. Files that a dead process held wait again or fail. countDeaths counts a chunk's deaths by `lost_by`.
 */
export async function recordDeaths(db: Db): Promise<void> {
  // This runs every two seconds and rarely finds a silent process. The statement below takes 3 ms to plan.
  if (!(await hasRows(db)`${prepared}select from processes where died_at is null and not ${isAlive} limit 1`))
    return;
  await sql`
    with died as (
      update processes as dead set died_at = seen_at, died_with = ${onlyChunk(sql.ref('dead.id'))}
      where died_at is null and seen_at > pg_postmaster_start_time() and backend_pid is not null
        and not exists (select from processes where processes.id = dead.id
          and (${isAlive} or ${isInFuture(sql.ref('processes.seen_at'))} or ${isProcessConnected}))
        and ${hasAnswered(sql.ref('dead.seen_at'), sql.ref('dead.id'))}
      returning id, died_with
    ), files as (
      select file.id, file.claim, file.held_by,
        file.deaths + (count(*) over (partition by file.held_by) = 1)::int as deaths
      from watched_files file join died on died.id = file.held_by where file.state = 'taking'
    )
    update watched_files set suspected = true, deaths = files.deaths, claim = watched_files.claim + 1, held_by = null,
      state = case when files.deaths >= ${workerDeathsMax} then 'failed' else 'waiting' end,
      reason = case when files.deaths >= ${workerDeathsMax} then ${fileDeathSentences.failed} else ${fileDeathSentences.again} end,
      not_before = null, changed_at = clock_timestamp()
    from files where watched_files.id = files.id and watched_files.claim = files.claim`.execute(db);
}

/** Returns how many processes died while this chunk was the only work that they held. */
export const countDeaths = (db: Db, { id, lost_by }: Pick<ChunkRecord, 'id' | 'lost_by'>) =>
  queryValue<number>(db)`
    select count(*)::int as count from processes
    where id = any(${lost_by}::uuid[]) and died_with = ${id} and died_at is not null`;
