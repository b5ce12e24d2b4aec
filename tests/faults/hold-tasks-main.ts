import { openDatabase } from '@draftshelf/core/connection/database';
import { requestTask } from '@draftshelf/core/work/background-tasks';
import { ChunkFenced } from '@draftshelf/core/work/claim-chunk';
import { reportThisProcess } from '@draftshelf/core/work/report-process';
import { backgroundKinds } from '@draftshelf/domain/work/task-catalog';
import type { TaskRun } from '@draftshelf/queues/run-task';
import { quietRunner } from '../support/tasks.ts';

/**
 * Holds a task of each kind of the catalog until it is killed. Prints each kind that it has begun, and `lost KIND` when
 * it noticed that another process has the task and its transaction stored nothing.
 */
const [connectionString = '', subject = ''] = process.argv.slice(2);
const database = openDatabase({ connectionString, applicationName: 'hold-tasks' });
const self = await reportThisProcess(database.db, {
  ...{ kind: 'parse-worker', version: '0', slots: 0 },
  onProblem: () => {},
});
for (const kind of backgroundKinds) {
  await requestTask(database.db, kind, subject);
  const runner = quietRunner({
    ...{ processId: self.id, database },
    handlers: {
      [kind]: {
        subjects: [subject],
        async run({ signal, lock }: TaskRun) {
          console.log(kind);
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
          await database.db
            .transaction()
            .execute(lock)
            .catch((error) => error instanceof ChunkFenced && console.log(`lost ${kind}`));
          return 'done';
        },
      },
    },
  });
  runner.start();
}
