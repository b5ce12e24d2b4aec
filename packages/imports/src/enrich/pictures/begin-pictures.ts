import type { Db } from '@draftshelf/database/connection/database';
import type { ImportRecord } from '@draftshelf/database/connection/schema';
import { type FoundPicture, insertFilePictures } from '@draftshelf/database/enrich/file-pictures';
import { currentRows } from '@draftshelf/database/work/runs';
import { dropTasks, enqueueTask, hasOpenTask } from '@draftshelf/database/work/tasks';

/** Stores which pictures the file of a new import has, in the transaction that begins it, and enqueues their taking. */
export async function beginPictures(
  db: Db,
  { id }: Pick<ImportRecord, 'id'>,
  pictures: readonly FoundPicture[],
): Promise<void> {
  if (pictures.length === 0) return;
  await insertFilePictures(db, id, pictures);
  await enqueueTask(db, { import_id: id, run: 1 }, 'take-pictures');
}

type Pictured = Pick<ImportRecord, 'id' | 'rows_run' | 'status' | 'pictures'>;

/**
 * Enqueues the matching of an import's pictures with its current rows, unless they are still being taken out of the
 * file: that ends with it. The caller has locked the import.
 */
export async function enqueueMatching(db: Db, record: Pictured): Promise<void> {
  if (record.pictures === 0 || (await hasOpenTask(db, record.id, 'take-pictures'))) return;
  await dropTasks(db, record.id, ['match-pictures']);
  await enqueueTask(db, currentRows(record), 'match-pictures');
}
