import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { listKnownObjects } from '@draftshelf/core/imports/imports';
import { endUpload, sweepUploads } from '@draftshelf/core/imports/uploads';
import { listKnownPhotos } from '@draftshelf/core/scanner/photos';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { list, remove } from '@draftshelf/object-storage/objects';
import { removeUnfinishedUploads } from '@draftshelf/object-storage/put-stream';

/** The others wait for the next sweep. */
const uploadsPerSweepMax = 1_000;

/**
 * Removes files, photos and parts of them that interrupted uploads have left over, and photos that no product names.
 * It looks only at keys that this database has recorded, because other installations may use the same bucket
 * (docs/decisions/0080). Returns how many it removed. `signal` ends it after the current upload.
 */
export async function removeLeftOvers(
  { db }: Pick<OpenDatabase, 'db'>,
  storage: ObjectStorage,
  { signal }: { signal: AbortSignal },
): Promise<number> {
  const keys = await sweepUploads(db, uploadsPerSweepMax);
  const [files, photos] = await Promise.all([listKnownObjects(db, keys), listKnownPhotos(db, keys)]);
  let removed = 0;
  for (const key of keys) {
    if (signal.aborted) break;
    removed += await removeUnfinishedUploads(storage, key);
    if (!files.has(key) && !photos.has(key)) removed += await removeAll(storage, key);
    await endUpload(db, key);
  }
  return removed;
}

/** Removes a file and its transcripts. */
async function removeAll(storage: ObjectStorage, key: string): Promise<number> {
  let removed = 0;
  for await (const object of list(storage, key)) {
    await remove(storage, object.key);
    removed += 1;
  }
  return removed;
}
