import type { SourceName } from '../enrich/sources.ts';
import type { ImportAction } from '../imports/import-status.ts';
import { type Stage, stages } from '../imports/stages.ts';

type TaskEntry = {
  /** The stage whose worker does the task, because only that worker has the needed access. */
  stage: Stage;
  /** Name on screens and in logs while the task runs. */
  label: string;
  /** The task ends without a result when a newer run's rows become current. */
  droppedByNewRun?: true;
  /** Absent: the queue of the stage. Kinds in another queue call slow services and take no slot of the stage. */
  queue?: 'enrich-calls';
  /** The task has the priority of first chunks, because other imports are finalized only after it. */
  isWaitedFor?: true;
  /** Actions on the import that are blocked until the task ends. A dead task still blocks them. Absent: none. */
  blocks?: readonly ImportAction[];
};

/** Actions that are blocked while a command is applied, because they would read or change half-changed rows. */
const blockedByCommands = [
  'edit',
  'bulkEdit',
  'push',
  'plan',
  'retry',
  'undoPush',
  'reread',
  'addProduct',
  'delete',
] as const satisfies readonly ImportAction[];

/** Background work on an import outside its stages. */
export const taskCatalog = {
  'remove-rows': { stage: 'parse', label: 'Removing replaced rows' },
  'retire-rows': { stage: 'parse', label: 'Removing old rows', droppedByNewRun: true },
  'delete-import': { stage: 'parse', label: 'Deleting the import' },
  'find-in-imports': { stage: 'parse', label: 'Comparing with other imports', droppedByNewRun: true },
  'keep-items': {
    stage: 'parse',
    label: 'Keeping products of the list',
    droppedByNewRun: true,
    isWaitedFor: true,
  },
  'count-list': { stage: 'parse', label: 'Making it the latest list', blocks: ['reread', 'delete'] },
  'apply-command': { stage: 'parse', label: 'Applying a change', blocks: blockedByCommands },
  'apply-recipes': { stage: 'parse', label: 'Repeating last time’s changes', blocks: blockedByCommands },
  'undo-command': { stage: 'parse', label: 'Undoing a change', blocks: blockedByCommands },
  'check-guards': { stage: 'parse', label: 'Checking guards', droppedByNewRun: true },
  'compare-corrections': { stage: 'parse', label: 'Comparing corrections', droppedByNewRun: true },
  'take-pictures': { stage: 'parse', label: 'Taking pictures out of the file' },
  'update-added': { stage: 'parse', label: 'Updating scanned products' },
  'look-up-products': { stage: 'enrich', label: 'Looking up products', droppedByNewRun: true },
  'look-up-again': { stage: 'enrich', label: 'Looking up products', droppedByNewRun: true },
  'look-up-anew': { stage: 'enrich', label: 'Looking up products', droppedByNewRun: true },
  'ask-upcitemdb': { stage: 'enrich', label: 'Asking UPCitemdb', queue: 'enrich-calls' },
  'ask-open-products-facts': { stage: 'enrich', label: 'Asking Open Products Facts', queue: 'enrich-calls' },
  'ask-barcode-lookup': { stage: 'enrich', label: 'Asking Barcode Lookup', queue: 'enrich-calls' },
  'check-images': {
    stage: 'enrich',
    label: 'Checking pictures',
    droppedByNewRun: true,
    queue: 'enrich-calls',
  },
  'match-pictures': { stage: 'enrich', label: 'Matching pictures', droppedByNewRun: true },
  'apply-rules': { stage: 'enrich', label: 'Applying rules', droppedByNewRun: true },
  'ask-ai': { stage: 'enrich', label: 'Asking AI', droppedByNewRun: true, queue: 'enrich-calls' },
  'plan-push': { stage: 'push', label: 'Planning the push', droppedByNewRun: true },
  'plan-undo': { stage: 'push', label: 'Previewing an undo' },
  'plan-gone': { stage: 'push', label: 'Planning what is no longer listed' },
  'learn-values': { stage: 'enrich', label: 'Remembering pushed values', droppedByNewRun: true },
} as const satisfies Record<string, TaskEntry>;

export type TaskKind = keyof typeof taskCatalog;

export type ServiceTaskKind = {
  [K in TaskKind]: (typeof taskCatalog)[K] extends { queue: string } ? K : never;
}[TaskKind];

/** The queues of background tasks: one per kind of process. */
export type TaskQueue = `${Stage | 'api' | 'folder'}-tasks`;

export type QueueName = Stage | NonNullable<TaskEntry['queue']> | TaskQueue;

/** Returns the queue that delivers a chunk of a stage, or a task of an import. */
export const findQueue = ({ stage, task }: { stage: Stage; task: TaskKind | null }): QueueName =>
  (task && (taskCatalog[task] as TaskEntry | undefined)?.queue) ?? stage;

const workLabels: Record<Stage, Record<string, string>> = {
  parse: { work: 'Reading rows', split: 'Splitting the file again', finalize: 'Preparing rows for review' },
  enrich: { work: 'Filling in known values', finalize: 'Ending the look-ups' },
  push: { work: 'Pushing products', finalize: 'Ending a push' },
};

/** Returns the label of a kind of work: of a stage, or of a task. */
export const workLabel = (stage: Stage, kind: string): string => workLabels[stage][kind] ?? taskLabel(kind);

/** Returns the label of a task, or the kind in words if another version of Draftshelf added the task. */
export function taskLabel(kind: string): string {
  if (Object.hasOwn(taskCatalog, kind)) return taskCatalog[kind as TaskKind].label;
  const words = kind.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const taskKinds = Object.keys(taskCatalog) as TaskKind[];

/** Returns the queues that a stage's worker serves. The first is the stage's own. */
export const listQueues = (stage: Stage): readonly QueueName[] => {
  const tasks = taskKinds.filter((task) => taskCatalog[task].stage === stage);
  return [...new Set([stage, ...tasks.map((task) => findQueue({ stage, task }))])];
};

/** Kinds of tasks by source. Each kind asks its source about an import's products. */
export const lookupTasks = {
  upcitemdb: 'ask-upcitemdb',
  'open-products-facts': 'ask-open-products-facts',
  'barcode-lookup': 'ask-barcode-lookup',
} as const satisfies Record<SourceName, TaskKind>;

/** The task kinds that call external services. They take no slot of a stage. */
export const serviceTaskKinds = taskKinds.filter(
  (kind) => (taskCatalog[kind] as TaskEntry).queue !== undefined,
);

/** The tasks for which other imports wait. */
export const tasksWaitedFor = taskKinds.filter((kind) => (taskCatalog[kind] as TaskEntry).isWaitedFor);

/** The tasks that end without a result when a newer run's rows become current. */
export const tasksDroppedByNewRun = taskKinds.filter(
  (kind) => (taskCatalog[kind] as TaskEntry).droppedByNewRun,
);

/** Returns the kinds of tasks that block an action until they have ended. */
export const listBlockingTasks = (action: ImportAction): readonly TaskKind[] =>
  taskKinds.filter((kind) => (taskCatalog[kind] as TaskEntry).blocks?.includes(action));

/** The processes that do background tasks. */
export type TaskHost = 'api' | 'parse-worker' | 'enrich-worker' | 'push-worker' | 'folder-worker' | 'keeper';

type BackgroundEntry = {
  /** There is one task of the kind for each object of this type. Absent: there is one task for the installation. */
  subject?: 'shop' | 'folder' | 'supplier' | 'feed';
  /** The process that does the task, because only this process has the needed access. */
  place: TaskHost;
  /** The task's name on screens and in logs. */
  label: string;
  /** The pause between two runs. Absent: the task runs on request. */
  everyMs?: number;
  /** After this many failures in a row, the task waits for its next time or a retry. Absent: no limit. */
  attemptsMax?: number;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The folder worker's repeated work for each folder. */
const ofFolder = { subject: 'folder', place: 'folder-worker', everyMs: 5_000 } as const;

/** Background work that belongs to no import, in a queue per process. Conditions and the keeper's work use no queue. */
export const backgroundCatalog = {
  'watch-conditions': { place: 'api', label: 'Watching conditions', everyMs: 10_000 },
  'sync-store': { subject: 'shop', place: 'api', label: 'Copying the store', attemptsMax: 1 },
  audit: {
    place: 'parse-worker',
    label: 'Comparing counters with the ledger',
    everyMs: 10 * minuteMs,
    attemptsMax: 1,
  },
  'remove-old': { place: 'parse-worker', label: 'Removing what was kept long enough', everyMs: hourMs },
  'remove-left-overs': {
    place: 'parse-worker',
    label: 'Removing files of interrupted uploads',
    everyMs: hourMs,
  },
  'fold-counts': { place: 'parse-worker', label: 'Adding up old counts', everyMs: minuteMs },
  'summarize-folders': {
    place: 'parse-worker',
    label: 'Adding files of folders to the activity',
    everyMs: 5_000,
  },
  'merge-supplier': {
    subject: 'supplier',
    place: 'parse-worker',
    label: 'Merging a supplier into another one',
  },
  'delete-supplier': { subject: 'supplier', place: 'parse-worker', label: 'Deleting a supplier' },
  'auto-push': { place: 'push-worker', label: 'Pushing imports of full-auto', everyMs: 5_000 },
  'poll-folder': { ...ofFolder, label: 'Looking for files' },
  'take-files': { ...ofFolder, label: 'Reading files' },
  'move-files': { ...ofFolder, label: 'Moving and deleting files' },
  'sign-in': {
    subject: 'folder',
    place: 'folder-worker',
    label: 'Signing in to OneDrive',
    attemptsMax: 1,
  },
  'poll-feeds': { place: 'folder-worker', label: 'Looking for lists that are due', everyMs: 5_000 },
  'fetch-list': {
    subject: 'feed',
    place: 'folder-worker',
    label: 'Fetching a list from its address',
    attemptsMax: 5,
  },
  'back-up': { place: 'keeper', label: 'Backing up', everyMs: 5 * minuteMs },
  'check-backup': {
    place: 'keeper',
    label: 'Restoring and comparing a backup',
    everyMs: hourMs,
  },
} as const satisfies Record<string, BackgroundEntry>;

export type BackgroundKind = keyof typeof backgroundCatalog;

/** The kinds of background tasks that run in process `P`. */
export type BackgroundKindsOf<P extends TaskHost> = {
  [K in BackgroundKind]: (typeof backgroundCatalog)[K]['place'] extends P ? K : never;
}[BackgroundKind];

export const backgroundTaskOf = (kind: BackgroundKind): BackgroundEntry => backgroundCatalog[kind];

export const backgroundKinds = Object.keys(backgroundCatalog) as BackgroundKind[];

const taskQueues: readonly TaskQueue[] = ['api-tasks', 'parse-tasks', 'push-tasks', 'folder-tasks'];

export const queueNames: readonly QueueName[] = [...stages.flatMap(listQueues), ...taskQueues];

/** Returns the label of a kind, or the kind itself if another version of Draftshelf added it. */
export const backgroundLabel = (kind: string): string =>
  Object.hasOwn(backgroundCatalog, kind) ? backgroundCatalog[kind as BackgroundKind].label : kind;
