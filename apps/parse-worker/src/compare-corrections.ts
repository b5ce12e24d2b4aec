import type { ReadLimits } from '@draftshelf/csv/limits';
import { scannedKey } from '@draftshelf/csv/object-keys';
import type { OpenDatabase } from '@draftshelf/database/connection/database';
import type { ChunkRecord } from '@draftshelf/database/connection/schema';
import { changeImport } from '@draftshelf/database/imports/imports';
import { findComparison } from '@draftshelf/database/review/corrections/corrections';
import { markDone } from '@draftshelf/database/work/claim-chunk';
import type { TaskProgress } from '@draftshelf/database/work/tasks';
import { comparedAtOnce, comparePart, settlePart } from '@draftshelf/imports/review/corrections/compare-task';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { readRecords } from '@draftshelf/object-storage/read-records';
import { asChunkError } from './storage-errors.ts';

/** The task 'compare-corrections': compares the next records of the files that were uploaded as corrections. */
export async function compareCorrections(
  { storage, limits }: { storage: ObjectStorage; limits: ReadLimits },
  db: OpenDatabase['db'],
  chunk: ChunkRecord,
): Promise<TaskProgress> {
  const corrections = await findComparison(db, chunk);
  if (!corrections?.at || corrections.object_key === null) {
    await db.transaction().execute(async (trx) => {
      await markDone(trx, chunk);
      await changeImport(trx, chunk.import_id, {});
    });
    return 'done';
  }
  const { source, at, object_key: file } = corrections;
  if (at.settled !== undefined) {
    await settlePart(db, chunk, corrections, at);
    return 'more';
  }
  const table = { ...source, key: scannedKey(file, source.dialect) };
  const part = await readRecords(storage, table, { at, max: comparedAtOnce, limits }).catch((error) => {
    throw asChunkError(error);
  });
  await comparePart(db, chunk, corrections, at, part);
  return 'more';
}
