import type { Db } from '@draftshelf/database/connection/database';
import type { ImportRecord } from '@draftshelf/database/connection/schema';
import { type FoundPicture, insertFilePictures } from '@draftshelf/database/enrich/file-pictures';
import { enqueueTask } from '@draftshelf/database/work/tasks';

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
