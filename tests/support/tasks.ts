import type { Db } from '@draftshelf/core/connection/database';
import { claimTask, type HeldTask, lockTask } from '@draftshelf/core/work/leased-tasks';
import type { LeasedKind } from '@draftshelf/domain/work/leased-tasks';
import { createTaskRunner } from '@draftshelf/queues/run-tasks';
import { createLogger } from '@draftshelf/runtime/logger';

const logger = createLogger({ name: 'test', level: 'silent', pretty: false });

/** A runner of tasks that logs nothing. */
export const quietRunner = (
  options: Omit<Parameters<typeof createTaskRunner>[0], 'logger' | 'processId'> & { processId?: string },
) => createTaskRunner({ processId: null, ...options, logger });

/** Claims a task that is due, like the process that does its kind. */
export const claimKind = (db: Db, kind: LeasedKind, leaseMs = 30_000): Promise<HeldTask | undefined> =>
  claimTask(db, [{ kind, subjects: null }], leaseMs);

/** The lock of a claimed task. */
export const lockOf = (task: HeldTask) => (trx: Db) => lockTask(trx, task);

/** Of a task that no process holds. */
export const noLock = async () => {};
