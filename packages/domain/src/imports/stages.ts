import type { ImportStatus } from './import-status.ts';

type StageEntry = {
  /** The import status in which workers may process chunks of the stage. */
  runningStatus: ImportStatus;
  /** Unit in which work chunks are counted. */
  unit: 'rows' | 'products';
};

/** The stages of the pipeline, in order. Each stage has its own queue and worker. */
export const stageCatalog = {
  parse: { runningStatus: 'processing', unit: 'rows' },
  enrich: { runningStatus: 'processing', unit: 'rows' },
  push: { runningStatus: 'uploading', unit: 'products' },
} as const satisfies Record<string, StageEntry>;

export type Stage = keyof typeof stageCatalog;

export const stages = Object.keys(stageCatalog) as [Stage, ...Stage[]];

/** Returns the import status in which workers may process chunks of a stage. */
export function runningStatusOf(stage: Stage): ImportStatus {
  return stageCatalog[stage].runningStatus;
}
