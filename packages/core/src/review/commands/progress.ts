import type { CommandProgress, EditCommandRecord } from '../../connection/schema.ts';

/** How far a command is that has not ended. */
export function progressOf({ id, progress }: EditCommandRecord): CommandProgress {
  if (!progress) throw new Error(`Command ${id} has ended`);
  return progress;
}

/** Rows of a part follow the time of the last one towards this: others wait for a part that changes rows. */
const partMs = 150;
const [batchMin, batchMax] = [50, 2_000];

/** Rows of the next part after one of `batch` rows took `ms`. At most twice as many, because rows differ. */
export function nextBatch(batch: number, ms: number): number {
  const next = Math.min(2 * batch, Math.round((batch * partMs) / Math.max(1, ms)));
  return Math.max(batchMin, Math.min(batchMax, next));
}
