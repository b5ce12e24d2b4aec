import type { CommandProgress, EditCommandRecord } from '../../connection/schema.ts';

export function progressOf({ id, progress }: EditCommandRecord): CommandProgress {
  if (!progress) throw new Error(`Command ${id} has ended`);
  return progress;
}

/** Target time of a part, because others wait while it changes rows. */
const partMs = 150;
const [batchMin, batchMax] = [50, 2_000];

/** Returns the rows of the next part after `batch` rows took `ms`; at most twice as many, because rows differ. */
export function nextBatch(batch: number, ms: number): number {
  const next = Math.min(2 * batch, Math.round((batch * partMs) / Math.max(1, ms)));
  return Math.max(batchMin, Math.min(batchMax, next));
}
