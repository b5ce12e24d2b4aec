import { openDatabase } from '@draftshelf/core/connection/database';
import { requestTask, TaskLost } from '@draftshelf/core/work/leased-tasks';
import { leasedKinds, leasedTask } from '@draftshelf/domain/work/leased-tasks';
import type { TaskRun } from '@draftshelf/queues/run-tasks';
import { quietRunner } from '../support/tasks.ts';

/**
 * Holds a task of each kind of the catalog until it is killed. Prints each kind that it has begun, and `lost KIND` when
 * it noticed that another process has the task and its transaction stored nothing.
 */
const [connectionString = '', subject = '', leaseMs = ''] = process.argv.slice(2);
const database = openDatabase({ connectionString, applicationName: 'hold-tasks' });
for (const kind of leasedKinds) {
  await requestTask(database.db, kind, subject);
  const runner = quietRunner({
    ...{ place: leasedTask(kind).place, database, leaseMsMax: Number(leaseMs) },
    handlers: {
      [kind]: {
        subjects: [subject],
        async run({ signal, lock }: TaskRun) {
          console.log(kind);
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
          await database.db
            .transaction()
            .execute(lock)
            .catch((error) => error instanceof TaskLost && console.log(`lost ${kind}`));
          return 'done';
        },
      },
    },
  });
  runner.start();
}
