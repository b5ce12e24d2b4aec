import type { PreparedBatch } from './prepared-batch.ts';

/** Finds whose list a run reads. Returns whether the step has ended. */
export async function findSupplier(_batch: PreparedBatch): Promise<boolean> {
  return true;
}
