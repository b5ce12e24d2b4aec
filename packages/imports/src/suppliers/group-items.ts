import type { PreparedBatch } from './prepared-batch.ts';

/** Joins the rows of a list of prices and stock whose items are of one product. Returns whether the step has ended. */
export async function groupItems(_batch: PreparedBatch): Promise<boolean> {
  return true;
}
