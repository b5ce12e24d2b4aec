import type { OpenDatabase } from '@draftshelf/core/connection/database';
import type { ChunkRecord } from '@draftshelf/core/connection/schema';
import { changeImport } from '@draftshelf/core/imports/imports';
import {
  compareFilePart,
  countFilePart,
  recordsPerPart,
} from '@draftshelf/core/review/corrections/compare-task';
import { findRunningComparison } from '@draftshelf/core/review/corrections/corrections';
import { markDone } from '@draftshelf/core/work/claim-chunk';
import type { TaskProgress } from '@draftshelf/core/work/tasks';
import type { ReadLimits } from '@draftshelf/csv/limits';
import { scannedKey } from '@draftshelf/csv/object-keys';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { readRecords } from '@draftshelf/object-storage/read-records';
import { throwChunkError } from './storage-errors.ts';

export async function compareCorrections(
  { storage, limits }: { storage: ObjectStorage; limits: ReadLimits },
  db: OpenDatabase['db'],
  chunk: ChunkRecord,
): Promise<TaskProgress> {
  const corrections = await findRunningComparison(db, chunk);
  if (!corrections?.at || corrections.object_key === null) {
    await db.transaction().execute(async (trx) => {
      await markDone(trx, chunk);
      await changeImport(trx, chunk.import_id, {});
    });
    return 'done';
  }
  const { source, at, object_key: file } = corrections;
  if (at.settled !== undefined) {
    await countFilePart(db, chunk, corrections, at);
    return 'more';
  }
  const table = { ...source, key: scannedKey(file, source.dialect) };
  const read = readRecords(storage, table, { at, max: recordsPerPart, limits });
  const part = await read.catch(throwChunkError);
  await compareFilePart(db, chunk, corrections, at, part);
  return 'more';
}
