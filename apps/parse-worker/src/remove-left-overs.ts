import { withLock } from '@draftshelf/database/connection/advisory-lock';
import type { OpenDatabase } from '@draftshelf/database/connection/database';
import { listKnownObjects } from '@draftshelf/database/imports/imports';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { list, remove } from '@draftshelf/object-storage/objects';
import { removeUnfinishedUploads } from '@draftshelf/object-storage/put-stream';

const keysPerQuery = 500;

/** One worker at a time removes left-overs. */
export const leftOversLock = 'remove left-overs';

/**
 * Removes files and parts of files that were last written before `olderThan` and belong to no import: they are left
 * over from interrupted uploads. Returns how many it removed: 0 when another worker is removing them. `signal` ends it
 * after the current file.
 */
export async function removeLeftOvers(
  database: OpenDatabase,
  storage: ObjectStorage,
  { olderThan, signal }: { olderThan: Date; signal: AbortSignal },
): Promise<number> {
  const removed = await withLock(database, leftOversLock, async () => {
    const parts = await removeUnfinishedUploads(storage, olderThan);
    return parts + (await removeFiles(database, storage, { olderThan, signal }));
  });
  return removed ?? 0;
}

async function removeFiles(
  { db }: OpenDatabase,
  storage: ObjectStorage,
  { olderThan, signal }: { olderThan: Date; signal: AbortSignal },
): Promise<number> {
  let removed = 0;
  let batch: string[] = [];
  const flush = async () => {
    const known = await listKnownObjects(db, batch);
    for (const key of batch) {
      if (known.has(key) || signal.aborted) continue;
      await remove(storage, key);
      removed += 1;
    }
    batch = [];
  };
  for await (const { key } of list(storage, 'imports/', olderThan)) {
    batch.push(key);
    if (batch.length >= keysPerQuery) await flush();
    if (signal.aborted) break;
  }
  await flush();
  return removed;
}
