import type { ImportStatus } from './import-status.ts';

type StageEntry = {
  /** The status of an import whose chunks of this stage may be worked on. */
  runningStatus: ImportStatus;
  /** The unit in which work chunks are counted. */
  unit: 'rows' | 'products';
};

/** The stages of the pipeline, in order. Each has a queue and a worker of its own. */
export const stageCatalog = {
  parse: { runningStatus: 'processing', unit: 'rows' },
  enrich: { runningStatus: 'processing', unit: 'rows' },
  push: { runningStatus: 'uploading', unit: 'products' },
} as const satisfies Record<string, StageEntry>;

export type Stage = keyof typeof stageCatalog;

export const stages = Object.keys(stageCatalog) as [Stage, ...Stage[]];

/** The status in which workers may work on chunks of a stage. */
export function runningStatusOf(stage: Stage): ImportStatus {
  return stageCatalog[stage].runningStatus;
}
