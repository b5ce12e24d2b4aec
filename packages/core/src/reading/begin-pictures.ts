import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { type FoundPicture, insertFilePictures } from '../enrich/file-pictures.ts';
import { enqueueTask } from '../work/tasks.ts';

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
