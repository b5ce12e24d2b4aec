import type { Db } from '@draftshelf/database/connect';
import { listKnownObjects } from '@draftshelf/database/sweep';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { list, remove } from '@draftshelf/object-storage/objects';
import { removeUnfinishedUploads } from '@draftshelf/object-storage/put-stream';

const keysPerQuery = 500;

/**
 * Removes what was last written before `olderThan` and belongs to no import: files and parts of files that are left
 * over from uploads that were cut off. Answers how many it removed.
 */
export async function removeLeftOvers(db: Db, storage: ObjectStorage, olderThan: Date): Promise<number> {
  let removed = await removeUnfinishedUploads(storage, olderThan);
  let batch: string[] = [];
  const flush = async () => {
    const known = await listKnownObjects(db, batch);
    for (const key of batch) {
      if (known.has(key)) continue;
      await remove(storage, key);
      removed += 1;
    }
    batch = [];
  };
  for await (const { key } of list(storage, 'imports/', olderThan)) {
    batch.push(key);
    if (batch.length >= keysPerQuery) await flush();
  }
  await flush();
  return removed;
}
