import type { Stage } from './stages.ts';

type TaskEntry = {
  /** The stage whose worker does it: that worker has the access it needs. */
  stage: Stage;
  /** What operators and ops read while it runs. */
  label: string;
  /** Whether it ends without a result when a newer run's rows become current. */
  droppedByNewRun: boolean;
};

/** Background work on an import outside its stages. */
export const taskCatalog = {
  'fill-search': { stage: 'parse', label: 'Preparing search', droppedByNewRun: true },
  'remove-rows': { stage: 'parse', label: 'Removing replaced rows', droppedByNewRun: false },
} as const satisfies Record<string, TaskEntry>;

export type TaskKind = keyof typeof taskCatalog;

const taskKinds = Object.keys(taskCatalog) as TaskKind[];

/** The tasks that end without a result when a newer run's rows become current. */
export const tasksDroppedByNewRun = taskKinds.filter((kind) => taskCatalog[kind].droppedByNewRun);
