import {
  type FailedCause,
  giveUpCause,
  listWork,
  retryCause,
  type WorkKind,
} from '@draftshelf/contract/operate/work';
import { suppliersMax } from '@draftshelf/contract/suppliers/suppliers';
import type { Db } from '@draftshelf/core/connection/database';
import * as actions from '@draftshelf/core/operate/dead-work';
import * as stored from '@draftshelf/core/operate/work-kinds';
import { listSuppliers } from '@draftshelf/core/suppliers/suppliers';
import { attemptsMax } from '@draftshelf/core/work/claim-chunk';
import * as dead from '@draftshelf/core/work/dead-work';
import * as leased from '@draftshelf/core/work/leased-tasks';
import { countOf } from '@draftshelf/domain/base/format';
import type { FolderKind } from '@draftshelf/domain/folders/folders';
import { folderNames } from '@draftshelf/domain/imports/activity';
import { causeCode } from '@draftshelf/domain/operate/cause-code';
import { causeOfDeath } from '@draftshelf/domain/operate/dead-work';
import { leasedLabel, leasedTask } from '@draftshelf/domain/work/leased-tasks';
import { workLabel } from '@draftshelf/domain/work/task-catalog';
import type { ApiDatabases } from '../http/databases.ts';
import { conflict } from '../http/refusal.ts';
import type { SecurityLog } from '../http/security-log.ts';
import { type Api, serve } from '../http/serve.ts';

/** What runs, waits and has failed, by kind and by cause, and what is done about all that failed for one cause. */
export function serveWork(
  api: Api,
  { database: { db }, changes, securityLog }: ApiDatabases & { securityLog: SecurityLog },
): void {
  serve(api, listWork, async () => {
    const tasks = await withSubjects(db, await leased.listLeasedTasks(db));
    const kinds = [...(await stored.listWorkKinds(db)).map(ofImports), ...tasks.map(ofTask)];
    const causes = (await dead.listFailedCauses(db)).map(toCause);
    return { kinds, causes: [...causesOfTasks(tasks), ...causes] };
  });
  serve(api, retryCause, async ({ body: { cause }, request }) => {
    const tasks = await tasksOf(db, cause);
    const { done, pushed, refused } = await actions.retryCause(changes.db, cause);
    let retried = 0;
    for (const { id } of tasks) if (await leased.retryTask(changes.db, id)) retried += 1;
    if (done + retried === 0) throw conflict(refused[0] ?? 'No failed work is left that can be tried again.');
    for (const importId of pushed) securityLog.record(request, 'push-begun', { importId });
    const what = amountOf(done, retried);
    securityLog.record(request, 'work-retried', { detail: `${what}: ${cause}` });
    return { success: true as const, message: `Retrying ${what}.${leftOf(refused)}` };
  });
  serve(api, giveUpCause, async ({ body: { cause }, request }) => {
    const tasks = await tasksOf(db, cause);
    const { done, refused } = await actions.giveUpCause(changes.db, cause);
    let given = 0;
    for (const { id } of tasks) {
      if (await changes.db.transaction().execute((trx) => leased.giveTaskUp(trx, id))) given += 1;
    }
    if (done + given === 0) throw conflict(refused[0] ?? 'No failed work is left.');
    const what = amountOf(done, given);
    securityLog.record(request, 'work-given-up', { detail: `${what}: ${cause}` });
    return { success: true as const, message: `Given up: ${what}.${leftOf(refused)}` };
  });
}

const amountOf = (imports: number, tasks: number): string =>
  [imports > 0 && countOf(imports, 'import'), tasks > 0 && countOf(tasks, 'background task')]
    .filter((text) => text !== false)
    .join(' and ');

const leftOf = (refused: readonly string[]): string =>
  refused.length === 0 ? '' : ` ${countOf(refused.length, 'import')} could not: ${refused[0]}`;

/** A task of the installation, a shop, a folder or a supplier, with the name of what it belongs to. */
type NamedTask = leased.ListedTask & { subjectName: string | null };

async function withSubjects(db: Db, tasks: readonly leased.ListedTask[]): Promise<NamedTask[]> {
  const suppliers = await listSuppliers(db, suppliersMax);
  const nameOf = ({ kind, subject }: leased.ListedTask) => {
    const of = leasedTask(kind).subject;
    if (of === 'folder') return folderNames[subject as FolderKind];
    return of === 'supplier' ? suppliers.find(({ id }) => String(id) === subject)?.name : undefined;
  };
  return tasks.map((task) => ({ ...task, subjectName: nameOf(task) ?? (task.subject || null) }));
}

/** The failed tasks of a cause. */
const tasksOf = async (db: Db, cause: string): Promise<leased.ListedTask[]> =>
  (await leased.listLeasedTasks(db)).filter((task) => causeOfTask(task) === cause);

/** The code of a failed task's cause. Apart from those of imports, which have actions of their own. */
const causeOfTask = ({ error }: leased.ListedTask): string | null =>
  error === null ? null : `Task: ${causeCode(new Error(error))}`;

function ofImports({ stage, kind, waits_since, waiting_for, ...counts }: stored.WorkKind): WorkKind {
  return {
    ...{ kind: `${stage} ${kind}`, label: workLabel(stage, kind), subject: null, ...counts },
    waitsSince: waits_since?.toISOString() ?? null,
    waitingFor: waiting_for,
    ...{ dueAt: null, everySeconds: null },
  };
}

/** A task that is due for longer than its period and this is late. */
const lateAfterMs = 15_000;

function ofTask({
  id,
  kind,
  subjectName,
  is_held,
  due_at,
  overdue_ms,
  waiting_for,
  error,
}: NamedTask): WorkKind {
  const { everyMs = Number.POSITIVE_INFINITY } = leasedTask(kind);
  const isOnTime = overdue_ms !== null && overdue_ms < everyMs + lateAfterMs;
  const isFrequent = everyMs < 60_000 && isOnTime && error === null && waiting_for === null;
  const isDue = !is_held && overdue_ms !== null && overdue_ms > 0 && !isFrequent;
  return {
    ...{ kind: `task ${id}`, label: leasedLabel(kind), subject: subjectName },
    ...{
      running: is_held ? 1 : 0,
      waiting: isDue ? 1 : 0,
      begun: null,
      ended: null,
      waitingFor: waiting_for,
    },
    waitsSince: isDue ? (due_at?.toISOString() ?? null) : null,
    dueAt: isFrequent || isDue ? null : (due_at?.toISOString() ?? null),
    everySeconds: isFrequent ? everyMs / 1000 : null,
  };
}

function causesOfTasks(tasks: readonly NamedTask[]): FailedCause[] {
  const failed = Map.groupBy(tasks, causeOfTask);
  failed.delete(null);
  return [...failed].map(([cause, own]) => ({
    ...{ cause: cause ?? '', sentence: own[0]?.error ?? '', technical: null },
    kinds: own.map(({ kind, subjectName }) => [leasedLabel(kind), subjectName].filter(Boolean).join(' · ')),
    ...{ parts: own.length, chunks: 0, imports: 0, since: null, last: null, files: [] },
    ...{ canRetry: own.length, wornOut: 0 },
  }));
}

function toCause({
  error,
  attempts,
  kinds,
  can_retry,
  worn_out,
  since,
  last,
  ...one
}: dead.FailedCause): FailedCause {
  return {
    ...one,
    ...causeOfDeath({ error, attempts }, attemptsMax),
    kinds: kinds.map(({ stage, kind }) => workLabel(stage, kind)),
    ...{ canRetry: Math.min(can_retry, dead.importsPerPress), wornOut: worn_out },
    ...{ since: since?.toISOString() ?? null, last: last?.toISOString() ?? null },
  };
}
