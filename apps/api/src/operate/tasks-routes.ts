import { type BackgroundTask, giveTaskUp, listTasks, retryTask } from '@draftshelf/contract/operate/tasks';
import { suppliersMax } from '@draftshelf/contract/suppliers/suppliers';
import type { Db } from '@draftshelf/core/connection/database';
import { listSuppliers } from '@draftshelf/core/suppliers/suppliers';
import * as leased from '@draftshelf/core/work/leased-tasks';
import { listOpenTasks } from '@draftshelf/core/work/tasks';
import type { FolderKind } from '@draftshelf/domain/folders/folders';
import { folderNames } from '@draftshelf/domain/imports/activity';
import { leasedLabel, leasedTask } from '@draftshelf/domain/work/leased-tasks';
import { taskLabel } from '@draftshelf/domain/work/task-catalog';
import type { ApiDatabases } from '../http/databases.ts';
import { conflict } from '../http/refusal.ts';
import type { SecurityLog } from '../http/security-log.ts';
import { type Api, serve } from '../http/serve.ts';

const notFailed = 'This task has not failed any more.';

/** Tasks of all subjects, and what an operator does about those that failed. */
export function serveTasks(
  api: Api,
  { database: { db }, changes, securityLog }: ApiDatabases & { securityLog: SecurityLog },
): void {
  serve(api, listTasks, async () => ({
    tasks: [
      ...(await withSubjects(db, await leased.listLeasedTasks(db))),
      ...(await listOpenTasks(db)).map(
        ({ id, task, import_id, filename, state, not_before, waiting_for }): BackgroundTask => ({
          ...{ id, label: taskLabel(task ?? ''), subject: filename, importId: import_id, error: null },
          state: state === 'published' ? 'running' : 'waiting',
          dueAt: not_before?.toISOString() ?? null,
          everySeconds: null,
          waitingFor: waiting_for,
        }),
      ),
    ],
  }));
  const done = (message: string) => ({ success: true as const, message });
  serve(api, retryTask, async ({ params: { id } }) => {
    if (!(await leased.retryTask(changes.db, id))) throw conflict(notFailed);
    return done('The task runs again within seconds.');
  });
  serve(api, giveTaskUp, async ({ params: { id }, request }) => {
    const given = await changes.db.transaction().execute((trx) => leased.giveTaskUp(trx, id));
    if (!given) throw conflict(notFailed);
    securityLog.record(request, 'work-given-up', { detail: 'One task' });
    return done('Task given up.');
  });
}

/** A task that is due for longer than its period and this is late. */
const lateAfterMs = 15_000;

/** Tasks with the names of what they belong to. */
async function withSubjects(db: Db, tasks: readonly leased.ListedTask[]): Promise<BackgroundTask[]> {
  const suppliers = await listSuppliers(db, suppliersMax);
  return tasks.map((task) => {
    const { subject } = task;
    const of = leasedTask(task.kind).subject;
    if (of === 'folder') return toTask(task, folderNames[subject as FolderKind]);
    const name = of === 'supplier' && suppliers.find(({ id }) => String(id) === subject)?.name;
    return toTask(task, name || subject);
  });
}

function toTask(task: leased.ListedTask, subject: string): BackgroundTask {
  const { id, kind, is_held, due_at, overdue_ms, waiting_for, error } = task;
  const { everyMs = Number.POSITIVE_INFINITY } = leasedTask(kind);
  const isOnTime = overdue_ms !== null && overdue_ms < everyMs + lateAfterMs;
  const isFrequent = everyMs < 60_000 && isOnTime && error === null && waiting_for === null;
  return {
    ...{ id, label: leasedLabel(kind), importId: null, waitingFor: waiting_for, error },
    subject: subject || null,
    state: is_held ? 'running' : error === null ? 'waiting' : 'failed',
    dueAt: isFrequent ? null : (due_at?.toISOString() ?? null),
    everySeconds: isFrequent ? everyMs / 1000 : null,
  };
}
