import { readPreferences } from '@draftshelf/core/access/preferences';
import { isCancelledStatement, type OpenDatabase } from '@draftshelf/core/connection/database';
import { listUnsummarizedFolders, summarizeFolders } from '@draftshelf/core/folders/summarize-folders';
import { listKnownObjects } from '@draftshelf/core/imports/imports';
import { endUpload, sweepUploads } from '@draftshelf/core/imports/uploads';
import { beginDueAudit, endAudit, runAudit } from '@draftshelf/core/operate/audit/audits';
import { foldOldCounts } from '@draftshelf/core/operate/dashboard';
import { beginExpiredRemovals, type RetentionDays } from '@draftshelf/core/operate/remove-old';
import { removeOldEntries } from '@draftshelf/core/operate/retention/old-entries';
import { listUsedPhotos } from '@draftshelf/core/scanner/photos';
import { mergeOrDeletePart } from '@draftshelf/core/suppliers/change-supplier';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { list, remove } from '@draftshelf/object-storage/objects';
import { removeUnfinishedUploads } from '@draftshelf/object-storage/put-stream';
import type { TaskHandlers, TaskRun } from '@draftshelf/queues/run-task';
import type { Logger } from '@draftshelf/runtime/logger';

const tookTooLong = 'Comparing took too long. The database is busy, or its statistics are old: run analyze.';
const failed =
  'Comparing failed because of an internal error. Keep the log of the parse worker (“A task failed”), and ' +
  'report it as a fault.';

/** Returns the installation's periodic tasks. `retention` from the environment overrides the stored preferences. */
export function createInstallationTasks(parts: {
  database: OpenDatabase;
  storage: ObjectStorage;
  retention: Partial<RetentionDays>;
  logger: Logger;
}): TaskHandlers<'parse-worker'> {
  const { database, storage, logger } = parts;
  const { db } = database;
  const partOf = (left: number | boolean) => (Number(left) > 0 ? 'more' : 'done');
  return {
    audit: {
      async run(run) {
        await beginDueAudit(db);
        return runAudit(db, run);
      },
      onFailed: (trx, _task, error) => endAudit(trx, isCancelledStatement(error) ? tookTooLong : failed),
    },
    'remove-old': {
      async run() {
        const retention = { ...(await readPreferences(db)), ...parts.retention };
        return partOf(
          (await beginExpiredRemovals(database, retention)) || (await removeOldEntries(database)),
        );
      },
    },
    'remove-left-overs': {
      async run({ signal }) {
        const removed = await removeLeftovers(database, storage, { signal });
        if (removed > 0) logger.info({ removed }, 'Removed files of interrupted uploads');
        return signal.aborted ? 'more' : 'done';
      },
    },
    'merge-supplier': { run: leaveSupplier },
    'delete-supplier': { run: leaveSupplier },
    'fold-counts': { run: () => inTransaction(foldOldCounts) },
    'summarize-folders': {
      hasWork: async () => (await listUnsummarizedFolders(db)).length > 0,
      run: () => inTransaction(summarizeFolders),
    },
  };

  function leaveSupplier({ task, lock }: TaskRun) {
    return mergeOrDeletePart(db, Number(task.subject), lock);
  }

  async function inTransaction(work: typeof foldOldCounts): Promise<'done'> {
    await db.transaction().execute(work);
    return 'done';
  }
}

/** Uploads per sweep. The next sweep handles the rest. */
const uploadsPerSweepMax = 1_000;

/**
 * Removes files, photos and parts of both that interrupted uploads have left behind, and photos that no product uses.
 * Checks only keys recorded by this database, because other installations may use the same bucket
 * (docs/why/reading.md). Returns the number of removed objects. `signal` ends it after the current upload.
 */
export async function removeLeftovers(
  { db }: Pick<OpenDatabase, 'db'>,
  storage: ObjectStorage,
  { signal }: { signal: AbortSignal },
): Promise<number> {
  const keys = await sweepUploads(db, uploadsPerSweepMax);
  const [files, photos] = await Promise.all([listKnownObjects(db, keys), listUsedPhotos(db, keys)]);
  let removed = 0;
  for (const key of keys) {
    if (signal.aborted) break;
    removed += await removeUnfinishedUploads(storage, key);
    if (!files.has(key) && !photos.has(key)) removed += await removeAll(storage, key);
    await endUpload(db, key);
  }
  return removed;
}

/** Removes a file and its transcripts. Returns the number of removed objects. */
async function removeAll(storage: ObjectStorage, key: string): Promise<number> {
  let removed = 0;
  for await (const object of list(storage, key)) {
    await remove(storage, object.key);
    removed += 1;
  }
  return removed;
}
