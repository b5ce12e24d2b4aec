import type { Db, OpenDatabase } from '@draftshelf/core/connection/database';
import { claimTask, type HeldTask, listOpenTasks } from '@draftshelf/core/work/background-tasks';
import { lockHeld } from '@draftshelf/core/work/claim-chunk';
import type { BackgroundKind } from '@draftshelf/domain/work/task-catalog';
import { createTaskRunner } from '@draftshelf/queues/run-background';
import { createLogger } from '@draftshelf/runtime/logger';

const logger = createLogger({ name: 'test', level: 'silent', pretty: false });

/** A runner of tasks that logs nothing. */
export const quietRunner = (
  options: Omit<Parameters<typeof createTaskRunner>[0], 'logger' | 'processId'> & { processId?: string },
) => createTaskRunner({ processId: null, ...options, logger });

/** Claims a task that is due, like the process that does its kind. */
export async function claimKind(
  db: Db,
  kind: BackgroundKind,
  holder: string | null = null,
): Promise<HeldTask | undefined> {
  const open = await listOpenTasks(db, [{ kind, subjects: null }]);
  const free = open.find(({ isFree }) => isFree);
  return free && claimTask(db, free, holder);
}

/** As if the processes that hold tasks had been killed a while ago. */
export const loseTasks = ({ pool }: Pick<OpenDatabase, 'pool'>) =>
  pool.query(
    `update chunks set held_by = gen_random_uuid() where subject is not null and state = 'published'`,
  );

/** The lock of a claimed task. */
export const lockOf = (task: HeldTask) => async (trx: Db) => void (await lockHeld(trx, task));

/** Of a task that no process holds. */
export const noLock = async () => {};
