import { randomUUID } from 'node:crypto';
import type { Db, OpenDatabase } from '@draftshelf/core/connection/database';
import { type ClaimedTask, listDueTasks, toBackgroundTask } from '@draftshelf/core/work/background-tasks';
import { claimChunk, lockHeldChunk } from '@draftshelf/core/work/claim-chunk';
import { recordHeartbeat } from '@draftshelf/core/work/processes';
import { createTallies } from '@draftshelf/domain/operate/tallies';
import type { BackgroundKind } from '@draftshelf/domain/work/task-catalog';
import { createTaskRunner, deliverInProcess } from '@draftshelf/queues/start-tasks';
import { createLogger } from '@draftshelf/runtime/logger';

const logger = createLogger({ name: 'test', level: 'silent', pretty: false });

type RunnerOptions = Parameters<typeof createTaskRunner>[0];

/** A runner of tasks that logs nothing and, by default, needs no queue. */
export const quietRunner = (
  options: Pick<RunnerOptions, 'handlers' | 'database'> &
    Partial<Pick<RunnerOptions, 'processId' | 'deliver'>>,
) =>
  createTaskRunner({
    ...{ processId: randomUUID(), deliver: deliverInProcess, logger, tallies: createTallies() },
    ...options,
  });

/** A process that has just reported itself. */
export async function liveProcess(db: Db, id: string = randomUUID()): Promise<string> {
  await recordHeartbeat(db, { id, kind: 'parse-worker', version: '1', host: 'test', pid: 1, slots: 1 });
  return id;
}

/**
 * Claims a task that is due, or that no live process holds, like the process that does its kind. `holder`: by default
 * one that reports itself when it has claimed it.
 */
export async function claimKind(
  db: Db,
  kind: BackgroundKind,
  holder?: string,
): Promise<ClaimedTask | undefined> {
  const id = holder ?? randomUUID();
  const due: { id: number; publication: number }[] = [
    ...(await listDueTasks(db, [{ kind, subjects: null }])),
    ...(await db
      .selectFrom('chunks')
      .select(['id', 'publication'])
      .where('subject', 'is not', null)
      .where('task', '=', kind as never)
      .where('state', '=', 'published')
      .execute()),
  ];
  for (const chunk of due) {
    const claimed = await claimChunk(db, chunk, id);
    if (claimed && holder === undefined) await liveProcess(db, id);
    if (claimed) return toBackgroundTask(claimed);
  }
  return undefined;
}

/** As if the processes that hold tasks had been killed a while ago. */
export const loseTasks = ({ pool }: Pick<OpenDatabase, 'pool'>) =>
  pool.query(
    `update chunks set held_by = gen_random_uuid() where subject is not null and state = 'published'`,
  );

/** The lock of a claimed task. */
export const lockOf = (task: ClaimedTask) => async (trx: Db) => void (await lockHeldChunk(trx, task));

/** Of a task that no process holds. */
export const noLock = async () => {};
