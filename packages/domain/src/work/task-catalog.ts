import type { SourceName } from '../enrich/sources.ts';
import type { ImportAction } from '../imports/import-status.ts';
import type { Stage } from '../imports/stages.ts';

type TaskEntry = {
  /** The stage whose worker does it: that worker has the access it needs. */
  stage: Stage;
  /** What operators and ops read while it runs. */
  label: string;
  /** Whether it ends without a result when a newer run's rows become current. */
  droppedByNewRun: boolean;
  /**
   * Where it runs. 'slots', the default: in a slot of its stage, on a connection. 'calls': beside the slots, because it
   * calls services outside, which may be slow; a call holds no connection.
   */
  lane?: 'slots' | 'calls';
  /** What operators cannot do with the import until it has ended; also while it is dead. Absent: nothing. */
  blocks?: readonly ImportAction[];
};

/**
 * A command that is applied in parts is in effect as a whole or not at all. So nothing reads its half, and nothing else
 * changes rows: those would have their own half.
 */
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
  'remove-rows': { stage: 'parse', label: 'Removing replaced rows', droppedByNewRun: false },
  'retire-rows': { stage: 'parse', label: 'Removing old rows', droppedByNewRun: true },
  'delete-import': { stage: 'parse', label: 'Deleting the import', droppedByNewRun: false },
  'find-in-imports': { stage: 'parse', label: 'Comparing with other imports', droppedByNewRun: true },
  'keep-items': { stage: 'parse', label: 'Keeping products of the list', droppedByNewRun: true },
  'count-list': {
    stage: 'parse',
    label: 'Making it the latest list',
    droppedByNewRun: false,
    blocks: ['reread', 'delete'],
  },
  'apply-command': {
    stage: 'parse',
    label: 'Applying a change',
    droppedByNewRun: false,
    blocks: blockedByCommands,
  },
  'apply-recipes': {
    stage: 'parse',
    label: 'Repeating last time’s changes',
    droppedByNewRun: false,
    blocks: blockedByCommands,
  },
  'undo-command': {
    stage: 'parse',
    label: 'Undoing a change',
    droppedByNewRun: false,
    blocks: blockedByCommands,
  },
  'check-guards': { stage: 'parse', label: 'Checking guards', droppedByNewRun: true },
  'compare-corrections': { stage: 'parse', label: 'Comparing corrections', droppedByNewRun: true },
  'take-pictures': { stage: 'parse', label: 'Taking pictures out of the file', droppedByNewRun: false },
  'update-added': { stage: 'parse', label: 'Updating scanned products', droppedByNewRun: false },
  'look-up-products': { stage: 'enrich', label: 'Looking up products', droppedByNewRun: true },
  'look-up-again': { stage: 'enrich', label: 'Looking up products', droppedByNewRun: true },
  'look-up-anew': { stage: 'enrich', label: 'Looking up products', droppedByNewRun: true },
  'ask-upcitemdb': { stage: 'enrich', label: 'Asking UPCitemdb', droppedByNewRun: false, lane: 'calls' },
  'ask-open-products-facts': {
    stage: 'enrich',
    label: 'Asking Open Products Facts',
    droppedByNewRun: false,
    lane: 'calls',
  },
  'ask-barcode-lookup': {
    stage: 'enrich',
    label: 'Asking Barcode Lookup',
    droppedByNewRun: false,
    lane: 'calls',
  },
  'check-images': { stage: 'enrich', label: 'Checking pictures', droppedByNewRun: true, lane: 'calls' },
  'match-pictures': { stage: 'enrich', label: 'Matching pictures', droppedByNewRun: true },
  'apply-rules': { stage: 'enrich', label: 'Applying rules', droppedByNewRun: true },
  'ask-ai': { stage: 'enrich', label: 'Asking AI', droppedByNewRun: true, lane: 'calls' },
  'plan-push': { stage: 'push', label: 'Planning the push', droppedByNewRun: true },
  'plan-undo': { stage: 'push', label: 'Previewing an undo', droppedByNewRun: false },
  'plan-gone': { stage: 'push', label: 'Planning what is no longer listed', droppedByNewRun: false },
  'learn-values': { stage: 'enrich', label: 'Remembering pushed values', droppedByNewRun: true },
} as const satisfies Record<string, TaskEntry>;

export type TaskKind = keyof typeof taskCatalog;

export type CallingKind = {
  [K in TaskKind]: (typeof taskCatalog)[K] extends { lane: 'calls' } ? K : never;
}[TaskKind];

const workLabels: Record<Stage, Record<string, string>> = {
  parse: { work: 'Reading rows', split: 'Splitting the file again', finalize: 'Preparing rows for review' },
  enrich: { work: 'Filling in known values', finalize: 'Ending the look-ups' },
  push: { work: 'Pushing products', finalize: 'Ending a push' },
};

/** The label of a kind of work of imports: a part of a stage, or a task. */
export const workLabel = (stage: Stage, kind: string): string => workLabels[stage][kind] ?? taskLabel(kind);

/** The label of a task; of a kind that only another version knows, its name as words. */
export function taskLabel(kind: string): string {
  if (Object.hasOwn(taskCatalog, kind)) return taskCatalog[kind as TaskKind].label;
  const words = kind.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const taskKinds = Object.keys(taskCatalog) as TaskKind[];

/** The task that asks each source about an import's products. */
export const lookupTasks = {
  upcitemdb: 'ask-upcitemdb',
  'open-products-facts': 'ask-open-products-facts',
  'barcode-lookup': 'ask-barcode-lookup',
} as const satisfies Record<SourceName, TaskKind>;

/** The tasks in the lane for calls, by name. */
export const callingKinds = taskKinds.filter((kind) => (taskCatalog[kind] as TaskEntry).lane === 'calls');

/** The tasks that end without a result when a newer run's rows become current. */
export const tasksDroppedByNewRun = taskKinds.filter((kind) => taskCatalog[kind].droppedByNewRun);

/** The tasks that block an action until they have ended. */
export const tasksThatBlock = (action: ImportAction): readonly TaskKind[] =>
  taskKinds.filter((kind) => (taskCatalog[kind] as TaskEntry).blocks?.includes(action));
