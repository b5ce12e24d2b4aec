import { readVersionedSettings } from '@draftshelf/core/access/settings';
import { hasFilesToImport, hasFilesToMove } from '@draftshelf/core/folders/claimed-files';
import { ensureWatchSources, isFolderLookDue } from '@draftshelf/core/folders/sources';
import { requestTask } from '@draftshelf/core/work/background-tasks';
import type { TaskProgress } from '@draftshelf/core/work/tasks';
import type { FolderKind } from '@draftshelf/domain/folders/folders';
import type { FileSource } from '@draftshelf/folders/file-source';
import type { TaskHandler, TaskHandlers } from '@draftshelf/queues/run-task';
import { moveOrDeleteFiles } from './file-options.ts';
import { lookIfDue } from './look.ts';
import type { FolderContext, FolderServices } from './parts.ts';
import { settleFiles } from './settle.ts';
import { readWaitingFiles } from './take-files.ts';

/** Pause after which the task runs again, because nothing wakes the task when imports leave `processing`. */
const takeAgainMs = 1_000;

/** Returns the tasks of the watched folders that this process serves. Each task is for one folder. */
export function createFolderTasks(
  parts: FolderServices,
  sources: Partial<Record<FolderKind, FileSource>>,
): Pick<TaskHandlers<'folder-worker'>, 'poll-folder' | 'take-files' | 'move-files'> {
  const { db } = parts.database;
  const subjects = Object.keys(sources) as FolderKind[];
  /** Version of the settings at the last look at each kind of folder. */
  const versions = new Map<FolderKind, number>();
  const handler = (
    hasWork: (kind: FolderKind) => Promise<boolean>,
    work: (worker: FolderContext) => Promise<TaskProgress>,
  ): TaskHandler => ({
    subjects,
    hasWork: (subject) => hasWork(subject as FolderKind),
    async run({ task, signal }) {
      const kind = task.subject as FolderKind;
      const fileSource = sources[kind];
      if (!fileSource) throw new Error(`This worker does not serve ${kind}`);
      return work({ ...parts, kind, fileSource, holder: task.held_by, signal });
    },
  });
  return {
    'poll-folder': handler(isLookDue, async (worker) => {
      const { kind } = worker;
      await ensureWatchSources(db, subjects);
      const { hasLooked, settingsVersion } = await lookIfDue(worker, versions.get(kind) ?? null);
      versions.set(kind, settingsVersion);
      if (hasLooked) await requestTask(db, 'take-files', kind);
      return 'done';
    }),
    'take-files': handler(
      (kind) => hasFilesToImport(db, kind),
      async (worker) => {
        await settleFiles(worker);
        const { isLast } = await readWaitingFiles(worker);
        return isLast ? 'done' : { waitFor: 'Waits until other files have been read.', waitMs: takeAgainMs };
      },
    ),
    'move-files': handler(
      (kind) => hasFilesToMove(db, kind),
      async (worker) => {
        await moveOrDeleteFiles(worker);
        return 'done';
      },
    ),
  };

  async function isLookDue(kind: FolderKind): Promise<boolean> {
    const { settings, version } = await readVersionedSettings(db);
    return version !== versions.get(kind) || isFolderLookDue(db, kind, settings.oneDriveEnabled);
  }
}
