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
 * A task that calls a service outside. Each part takes, calls and stores. Taking and storing are short transactions of
 * their own; a call has no connection, however long it takes.
 */
export type CallingTask<Call = unknown, Answer = unknown> = {
  /** Admits and takes what is called for next; without a call, the task's progress. */
  take(db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress | { call: Call }>;
  /**
   * Makes the call. `signal` aborts when the process stops, the claim is lost or isOn is false. The call ends soon
   * after that, with the answers that it has, or throws if it has none to store.
   */
  call(call: Call, signal: AbortSignal): Promise<Answer>;
  /**
   * Stores the answers, also those of a call that was aborted. It is called again with the same answer if a lock or a
   * lost connection stopped it, so it repeats nothing that it has committed, or only what can be repeated.
   */
  store(db: Kysely<Schema>, chunk: ChunkRecord, answer: Answer): Promise<TaskProgress>;
  /** Whether the switches still allow the call; read while it is made. Absent: it has none. */
  isOn?(db: Db, chunk: ChunkRecord, call: Call): Promise<boolean>;
};

/** A claim of a calling task ends after this time, unless it is renewed. */
const claimMsMax = 8_000;

const untilClaimEnds = {
  not_before: sql<Date>`clock_timestamp() + ${sql.lit(claimMsMax)} * interval '1 millisecond'`,
  deferred_at: sql<Date>`clock_timestamp()`,
};

/**
 * Claims the next due task of these kinds for the connection of `db`, the one with the fewest publications first;
 * undefined: there is none. No queue delivers it. A task is due again when its claim was not renewed, because its
 * process was killed or is frozen: the claim's backend is ended then, with the locks of its transaction.
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

/** Renews the claim of a calling task. Returns false when it is lost: the task was ended, or another process has it. */
export async function renewClaim(db: Db, chunk: ClaimedChunk): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('chunks')
    .set(untilClaimEnds)
    .where(heldBy(chunk))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
