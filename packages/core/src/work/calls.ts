import type { Stage } from '@draftshelf/domain/imports/stages';
import type { TaskKind } from '@draftshelf/domain/work/task-catalog';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ChunkRecord, Schema } from '../connection/schema.ts';
import {
  type ClaimedChunk,
  claimedHere,
  endHolder,
  heldBy,
  isDue,
  type StartedChunk,
  startOfImport,
} from './claim-chunk.ts';
import type { TaskProgress } from './tasks.ts';

/**
 * A task that calls a service outside. Taking and storing are short transactions; a call holds no connection, however
 * long it takes.
 */
export type CallingTask<Call = unknown, Answer = unknown> = {
  /** Takes the next call, or returns the task's progress. */
  take(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress | { call: Call }>;
  /**
   * Makes the call. `signal` aborts when the process stops, the claim is lost or isOn is false; the call then ends
   * soon with the answers that it has, or throws.
   */
  call(call: Call, signal: AbortSignal): Promise<Answer>;
  /**
   * Stores the answers, also of an aborted call. It is repeated with the same answer after a lock or a lost
   * connection, so it must be safe to repeat.
   */
  store(db: Kysely<Schema>, chunk: ChunkRecord, answer: Answer): Promise<TaskProgress>;
  /** Returns whether the switches still allow the call. Absent: there are none. */
  isOn?(db: Db, chunk: ChunkRecord, call: Call): Promise<boolean>;
};

const claimMsMax = 8_000;

const untilClaimEnds = {
  not_before: sql<Date>`clock_timestamp() + ${sql.lit(claimMsMax)} * interval '1 millisecond'`,
  deferred_at: sql<Date>`clock_timestamp()`,
};

/**
 * Claims the next due task of these kinds, the one with the fewest publications first; undefined: there is none. A
 * task whose claim was not renewed is due again, because its process was killed or is frozen: the claim's backend is
 * ended, with the locks of its transaction.
 */
export async function claimCall(
  db: Kysely<Schema>,
  stage: Stage,
  kinds: readonly TaskKind[],
  holder: string | null = null,
): Promise<StartedChunk | undefined> {
  return db.transaction().execute(async (trx) => {
    const due = await trx
      .selectFrom('chunks')
      .select(['id', 'publication', 'claims'])
      .where('stage', '=', stage)
      .where('kind', '=', 'task')
      .where('task', 'in', kinds)
      // Each of the two states has an index, which `in` would not use.
      .where((eb) => eb.or([eb('state', '=', 'pending'), eb('state', '=', 'published')]))
      .where(isDue)
      .orderBy('publication')
      .orderBy('id')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!due) return undefined;
    await endHolder(trx, due);
    const [publication, claims] = [sql<number>`publication + 1`, sql<number>`claims + 1`];
    return trx
      .updateTable('chunks')
      .set({ ...claimedHere(holder), ...untilClaimEnds, publication, claims })
      .where('id', '=', due.id)
      .returningAll()
      .returning(startOfImport)
      .executeTakeFirstOrThrow();
  });
}

/** Renews a claim. Returns false when the task was ended, or another process has it. */
export async function renewClaim(db: Db, chunk: ClaimedChunk): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('chunks')
    .set(untilClaimEnds)
    .where(heldBy(chunk))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
