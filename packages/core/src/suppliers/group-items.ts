import { isPartialList } from '@draftshelf/domain/suppliers/is-partial-list';
import { markPartial, readParseRun } from '../work/runs.ts';
import { groupRowsOfItems } from './partial-rows.ts';
import type { PreparedBatch } from './prepared-batch.ts';

/**
 * Finds whether the run reads a list of prices and stock of a known supplier, and joins its rows whose items are of one
 * product. Returns whether the step has ended.
 */
export async function groupItems({ db, of, progress }: PreparedBatch): Promise<boolean> {
  const { id: supplier } = progress.supplier;
  if (supplier === null || !isPartialList((await readParseRun(db, of)).mapping)) return true;
  await markPartial(db, of);
  await groupRowsOfItems(db, of, supplier);
  return true;
}
