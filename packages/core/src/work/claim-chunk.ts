import { toCauseCode } from '@draftshelf/domain/operate/cause-code';
import { sql } from 'kysely';
import { isWaitOver, timeFromNow } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { changeRows, findRow, hasRows } from '../connection/query-rows.ts';
import type { ChunkRecord } from '../connection/schema.ts';
import { hasLiveHolder, ownBackendStart } from './processes.ts';

/** Number of thrown errors after which a chunk is dead. */
export const attemptsMax = 5;
/** A chunk is dead after this many claims whose workers were killed. */
export const lostClaimsMax = 10;
const waitMsMax = 30_000;

export const isChunkDue = isWaitOver(sql.ref('not_before'), sql.ref('deferred_at'));

/** A claim of a chunk's publication. Writes compare it with the chunk, so that an outdated worker stores nothing. */
export type ClaimedChunk = Pick<ChunkRecord, 'id' | 'publication' | 'claims'>;

/** `start`: the value of the import's `starts` when the chunk was claimed. */
export type StartedChunk = ChunkRecord & { start: number };

/** SQL condition: a chunk's latest claim has not ended. A background task's claim has ended if `held_by` is null. */
export const isClaimed = sql<boolean>`(chunks.claim_pid is not null
  or chunks.subject is not null and chunks.held_by is not null)`;

/** SQL: joins chunks with the open connections that hold them. */
export const holderJoin = sql`join pg_stat_activity holder
  on holder.pid = chunks.claim_pid and holder.backend_start = chunks.claim_backend_start`;

async function endHolder(db: Db, { id, publication, claims }: ClaimedChunk): Promise<void> {
  await sql`${prepared}
    select pg_terminate_backend(holder.pid)
    from chunks ${holderJoin}
    where chunks.id = ${id} and chunks.publication = ${publication} and chunks.claims = ${claims}
      and holder.pid <> pg_backend_pid()`.execute(db);
}

/**
 * Claims a chunk for the connection of `db`. Ends the connection of the previous claim first, because a process that
 * is frozen in a transaction keeps its locks through every time-out. If two calls claim at once, one wins, and the
 * loser cannot end the winner's connection: each ends only the holder that it read before. A background task is held
 * by the process `holder` instead of a connection. Returns undefined if the claim was lost, the publication is
 * outdated, or another live process holds the background task.
 */
export async function claimChunk(
  db: Db,
  wanted: { id: number; publication: number },
  holder: string | null = null,
): Promise<StartedChunk | undefined> {
  const isWanted = sql<boolean>`
    id = ${wanted.id} and publication = ${wanted.publication} and state in ('pending', 'published')`;
  const before = await findRow<{ claims: number }>(
    db,
  )`${prepared}select claims from chunks where ${isWanted}`;
  if (!before) return undefined;
  await endHolder(db, { ...wanted, claims: before.claims });
  return findRow<StartedChunk>(db)`
    update chunks set state = 'published', claims = claims + 1, held_by = ${holder},
      claim_pid = case when subject is null then pg_backend_pid() end,
      claim_backend_start = case when subject is null then ${ownBackendStart} end,
      not_before = case when subject is null then not_before end,
      waiting_for = case when subject is null then waiting_for end,
      lost_by = case when ${isClaimed} and held_by <> ${holder} then array_append(lost_by, held_by) else lost_by end
    where ${isWanted} and claims = ${before.claims}
      and (subject is null or held_by = ${holder} or not ${hasLiveHolder})
    returning *, (select starts from imports where imports.id = chunks.import_id) as start`;
}

/** Moves a claim to the connection that `db` is pinned to. Throws ChunkFenced. */
export async function moveClaim(db: Db, chunk: StartedChunk): Promise<StartedChunk> {
  const moved = await findRow<ChunkRecord>(db)`
    update chunks set claim_pid = pg_backend_pid(), claim_backend_start = ${ownBackendStart}
    where ${isHeldByClaim(chunk)} returning *`;
  if (!moved) throw new ChunkFenced(chunk);
  return { ...moved, start: chunk.start };
}

/** Thrown to roll a transaction back, because its chunk is done, dropped, published again or claimed elsewhere. */
export class ChunkFenced extends Error {
  constructor(chunk: { id: number; publication: number }) {
    super(`Publication ${chunk.publication} of chunk ${chunk.id} is no longer current`);
    this.name = 'ChunkFenced';
  }
}

/** SQL condition: this claim still holds the chunk. */
export const isHeldByClaim = ({ id, publication, claims }: ClaimedChunk) => sql<boolean>`(
  chunks.id = ${id} and publication = ${publication} and claims = ${claims} and chunks.state = 'published')`;

/** SQL assignments: the cause of a failure. If the cause is new, the count of retries begins at 0 again. */
function failedFor(message: string) {
  const cause = toCauseCode(message);
  return sql`cause = ${cause}, retries = case when cause is distinct from ${cause} then 0 else retries end`;
}

/**
 * Releases a claimed chunk if its import is not running or the process stops, so that the relay publishes it again.
 * Returns false if the claim was lost. `failed`: the cause for which the stage stops.
 */
export async function releaseChunk(db: Db, chunk: ClaimedChunk, failed?: string): Promise<boolean> {
  const released = await changeRows(db)`
    update chunks set state = 'pending', publication = publication + 1, claims = claims - 1, claim_pid = null,
      claim_backend_start = null, not_before = null ${failed === undefined ? sql`` : sql`, ${failedFor(failed)}`}
    where ${isHeldByClaim(chunk)}`;
  return released > 0;
}

/**
 * Ends a claim that a dropped or republished chunk still records, once the claim's work has ended. Claims of a process
 * share one connection, which stays open, so the claim would otherwise count as held until the process ends.
 */
export async function endRecordedClaim(
  db: Db,
  { id, claims, claim_pid }: Pick<ChunkRecord, 'id' | 'claims' | 'claim_pid'>,
): Promise<void> {
  await sql`
    update chunks set claim_pid = null, claim_backend_start = null
    where id = ${id} and claims = ${claims} and claim_pid = ${claim_pid}`.execute(db);
}

export const isChunkHeld = (db: Db, chunk: ClaimedChunk) =>
  hasRows(db)`select from chunks where ${isHeldByClaim(chunk)}`;

/** Locks a chunk for this transaction and returns it. Throws ChunkFenced. */
export async function lockHeldChunk(db: Db, chunk: ClaimedChunk): Promise<ChunkRecord> {
  const held = await findRow<ChunkRecord>(db)`select * from chunks where ${isHeldByClaim(chunk)} for update`;
  if (!held) throw new ChunkFenced(chunk);
  return held;
}

/** Marks a chunk done. Returns 'done', which a task returns as its progress. Throws ChunkFenced. */
export async function markDone(db: Db, chunk: ClaimedChunk): Promise<'done'> {
  await endChunk(db, chunk, null);
  return 'done';
}

/** Marks a chunk dead with its cause. Throws ChunkFenced. */
export const markDead = (db: Db, chunk: ClaimedChunk, error: string): Promise<void> =>
  endChunk(db, chunk, error);

async function endChunk(db: Db, chunk: ClaimedChunk, error: string | null): Promise<void> {
  const ended = await changeRows(db)`
    update chunks set state = ${error === null ? 'done' : 'dead'}, error = ${error},
      ${error === null ? sql`cause = null` : failedFor(error)}, claim_pid = null, claim_backend_start = null,
      waiting_for = null, ended_at = now()
    where ${isHeldByClaim(chunk)}`;
  if (ended === 0) throw new ChunkFenced(chunk);
}

/**
 * Stores how many products of a chunk are decided, so that a repeated chunk continues after them. Progress resets the
 * chunk's attempts, its lost claims and the pause of its next wait.
 */
export async function storeProductProgress(db: Db, chunk: ChunkRecord, done: number): Promise<void> {
  const isFirst = chunk.claims === 1 && chunk.waits === 0;
  if (isFirst || done <= chunk.done) return;
  await sql`
    update chunks set done = ${done}, attempts = 0, waits = 0, claims_with_progress = claims - 1, lost_by = '{}'
    where ${isHeldByClaim(chunk)}`.execute(db);
}

/** Counts a thrown error and ends the claim. Returns the attempts so far. */
export async function recordFailedAttempt(db: Db, chunk: ClaimedChunk, error: string): Promise<number> {
  const row = await findRow<{ attempts: number }>(db)`
    update chunks set attempts = attempts + 1, error = ${error}, claim_pid = null, claim_backend_start = null
    where ${isHeldByClaim(chunk)} returning attempts`;
  return row?.attempts ?? 0;
}

/**
 * Makes a chunk wait for `waitMs`. By default, the pause doubles from 1 s to 30 s with each wait without progress. A
 * wait does not count as an attempt. Returns the time at which the chunk is due, or undefined if the claim was lost.
 */
export async function deferChunk(
  db: Db,
  chunk: ClaimedChunk,
  wait: { cause: string; waitMs?: number },
): Promise<Date | undefined> {
  const pauseMs = wait.waitMs ?? sql<number>`least(${waitMsMax}, 1000 * power(2, least(waits, 10)))`;
  const row = await findRow<Pick<ChunkRecord, 'not_before'>>(db)`
    update chunks set state = 'pending', publication = publication + 1, claim_pid = null, claim_backend_start = null,
      waits = waits + 1, claims = claims - 1, waiting_for = ${wait.cause}, deferred_at = clock_timestamp(),
      not_before = ${timeFromNow(pauseMs)}
    where ${isHeldByClaim(chunk)} returning not_before`;
  return row?.not_before ?? undefined;
}
