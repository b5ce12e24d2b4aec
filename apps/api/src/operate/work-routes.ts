import * as contract from '@draftshelf/contract/operate/work';
import { suppliersMax } from '@draftshelf/contract/suppliers/suppliers';
import type { Db } from '@draftshelf/core/connection/database';
import * as actions from '@draftshelf/core/operate/dead-work';
import * as stored from '@draftshelf/core/operate/work-kinds';
import { readFeedSupplierNames } from '@draftshelf/core/suppliers/feeds';
import { listSuppliers } from '@draftshelf/core/suppliers/suppliers';
import * as background from '@draftshelf/core/work/background-tasks';
import { attemptsMax } from '@draftshelf/core/work/claim-chunk';
import * as dead from '@draftshelf/core/work/dead-work';
import { countOf } from '@draftshelf/domain/base/format';
import type { FolderKind } from '@draftshelf/domain/folders/folders';
import { folderNames } from '@draftshelf/domain/imports/activity';
import { toCauseCode } from '@draftshelf/domain/operate/cause-code';
import {
  endWithPeriod,
  explainDeadChunk,
  findLossIfGivenUp,
  importsPerActionMax,
} from '@draftshelf/domain/operate/dead-work';
import { backgroundLabel, backgroundTaskOf, workLabel } from '@draftshelf/domain/work/task-catalog';
import { conflict } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';

export function serveWork(api: Api): void {
  const { db, changes } = api;
  serve(api, contract.listWork, async () => {
    const tasks = await withSubjects(db, await background.listBackgroundTasks(db));
    const kinds = [...(await stored.listWorkKinds(db)).map(ofImports), ...tasks.map(ofTask)];
    const causes = await dead.listFailureCauses(db);
    return {
      kinds,
      causes: [...causesOfTasks(tasks), ...causes.slice(0, dead.causesMax).map(toCause)],
      hasMore: causes.length > dead.causesMax,
    };
  });
  serve(api, contract.retryCause, async ({ body: { cause }, logSecurity }) => {
    const { pushed, ...result } = await actions.retryByCause(changes.db, cause);
    let tasks = 0;
    for (const { id } of await tasksOf(db, cause)) if (await background.retryTask(changes.db, id)) tasks += 1;
    for (const importId of pushed) logSecurity('push-begun', { importId });
    const what = amountOf(result.done, tasks);
    if (what !== '') logSecurity('work-retried', { detail: `${what}: ${cause}` });
    return answer(`Retrying ${what}.`, what, result);
  });
  serve(api, contract.giveUpCause, async ({ body: { cause }, logSecurity }) => {
    const result = await actions.giveUpByCause(changes.db, cause);
    let tasks = 0;
    for (const task of await tasksOf(db, cause))
      if (await background.giveUpFailedTask(changes.db, task)) tasks += 1;
    const what = amountOf(result.done, tasks);
    if (what !== '') logSecurity('work-given-up', { detail: `${what}: ${cause}` });
    return answer(`Given up: ${what}.`, what, result);
  });
}

/** Returns the reply to an action. Throws the action's error, or the first refusal if nothing was done. */
function answer(
  message: string,
  what: string,
  { refused, failed }: Omit<actions.CauseActionResult, 'pushed'>,
) {
  if (failed !== undefined) throw failed;
  if (what === '') throw conflict(refused[0] ?? 'No failed work is left for this action.');
  return { success: true as const, message: `${message}${leftOf(refused)}` };
}

const amountOf = (imports: number, tasks: number): string =>
  [imports > 0 && countOf(imports, 'import'), tasks > 0 && countOf(tasks, 'background task')]
    .filter((text) => text !== false)
    .join(' and ');

const leftOf = (refused: readonly string[]): string =>
  refused.length === 0
    ? ''
    : ` Refused ${refused.length === 1 ? 'once' : `${refused.length} times`}: ${refused[0]}`;

type NamedTask = background.ListedTask & { subjectName: string | null };

async function withSubjects(db: Db, tasks: readonly background.ListedTask[]): Promise<NamedTask[]> {
  const suppliers = await listSuppliers(db, suppliersMax);
  const feedNames = await readFeedSupplierNames(db);
  const nameOf = ({ kind, subject }: background.ListedTask) => {
    const of = backgroundTaskOf(kind).subject;
    if (of === 'folder') return folderNames[subject as FolderKind];
    if (of === 'feed') return feedNames.get(subject);
    return of === 'supplier' ? suppliers.find(({ id }) => String(id) === subject)?.name : undefined;
  };
  return tasks.map((task) => ({ ...task, subjectName: nameOf(task) ?? (task.subject || null) }));
}

const tasksOf = async (db: Db, cause: string): Promise<background.ListedTask[]> =>
  (await background.listBackgroundTasks(db)).filter((task) => causeOfTask(task) === cause);

/** Returns a background task's cause of failure. The prefix keeps it apart from the causes of imports. */
const causeOfTask = ({ error }: background.ListedTask): string | null =>
  error === null ? null : `Task: ${toCauseCode(error)}`;

function ofImports({ stage, kind, oldest_at, waiting_for, ...counts }: stored.WorkCounts): contract.WorkKind {
  return {
    ...{ kind: `${stage} ${kind}`, label: workLabel(stage, kind), subject: null, ...counts },
    oldestAt: oldest_at?.toISOString() ?? null,
    waitingFor: waiting_for,
    ...{ dueAt: null, everySeconds: null },
  };
}

/** A task whose period has passed still counts as on time for this long. */
const lateAfterMs = 15_000;

function ofTask({
  id,
  kind,
  subjectName,
  is_held,
  waiting_for,
  error,
  ...task
}: NamedTask): contract.WorkKind {
  const { everyMs = Number.POSITIVE_INFINITY } = backgroundTaskOf(kind);
  const { overdue_ms } = task;
  const isOnTime = overdue_ms !== null && overdue_ms < everyMs + lateAfterMs;
  const isFrequent = everyMs < 60_000 && isOnTime && error === null && waiting_for === null;
  const isDue = !is_held && overdue_ms !== null && overdue_ms > 0 && !isFrequent;
  const dueAt = task.not_before?.toISOString() ?? null;
  return {
    ...{ kind: `task ${id}`, label: backgroundLabel(kind), subject: subjectName },
    ...{ running: is_held ? 1 : 0, waiting: isDue ? 1 : 0, added: null, done: null },
    waitingFor: error === null ? waiting_for : `Failed: ${error}`,
    oldestAt: isDue ? dueAt : null,
    dueAt: isFrequent || isDue ? null : dueAt,
    everySeconds: isFrequent ? everyMs / 1000 : null,
  };
}

function sentenceOf(
  { error, attempts }: Pick<background.ListedTask, 'error' | 'attempts'> = { error: null, attempts: 0 },
) {
  return attempts > 0
    ? `${endWithPeriod(error ?? '')} The task is retried automatically.`
    : endWithPeriod(error ?? '');
}

function causesOfTasks(tasks: readonly NamedTask[]): contract.FailureCause[] {
  const failed = Map.groupBy(tasks, causeOfTask);
  failed.delete(null);
  return [...failed].map(([cause, own]) => ({
    ...{ cause: cause ?? '', sentence: sentenceOf(own[0]), technical: null },
    kinds: own.map(({ kind, subjectName }) =>
      [backgroundLabel(kind), subjectName].filter(Boolean).join(' · '),
    ),
    ...{ parts: own.length, chunks: 0, imports: 0, since: null, hasParts: false, without: [], files: [] },
    ...{ canRetry: own.length, wornOut: 0 },
  }));
}

function toCause(stored: dead.FailureCause): contract.FailureCause {
  const { error, attempts, kinds, can_retry, worn_out, has_parts, since, ...one } = stored;
  const tasks = kinds.flatMap(({ kind, isTask }) => (isTask ? [findLossIfGivenUp(kind)] : []));
  return {
    ...one,
    ...explainDeadChunk({ error, attempts }, attemptsMax),
    kinds: kinds.map(({ stage, kind }) => workLabel(stage, kind)),
    ...{ canRetry: Math.min(can_retry, importsPerActionMax), wornOut: worn_out },
    ...{ hasParts: has_parts, without: tasks.filter((sentence) => sentence !== null) },
    since: since?.toISOString() ?? null,
  };
}
