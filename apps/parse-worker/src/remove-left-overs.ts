import type { Db } from '@draftshelf/database/connect';
import { listKnownObjects } from '@draftshelf/database/sweep';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { list, remove } from '@draftshelf/object-storage/objects';

const dayMs = 24 * 60 * 60 * 1000;
const keysPerQuery = 500;

/** Removes files that are a day old and belong to no import: left over from uploads that were cut off. */
export async function removeLeftOvers(db: Db, storage: ObjectStorage): Promise<number> {
  let removed = 0;
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
  for await (const { key } of list(storage, 'imports/', new Date(Date.now() - dayMs))) {
    batch.push(key);
    if (batch.length >= keysPerQuery) await flush();
  }
  await flush();
  return removed;
}
