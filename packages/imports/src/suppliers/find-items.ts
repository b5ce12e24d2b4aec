import type { PreparedBatch } from './prepared-batch.ts';

/** Finds the items of the rows, and what differs from the last counted list. Returns whether the step has ended. */
export async function findItems(_batch: PreparedBatch): Promise<boolean> {
  return true;
}
