import { ensureSources } from '@draftshelf/database/folders/sources';
import { createTaskRunner, type TaskHandlers } from '@draftshelf/queues/run-tasks';
import { doFileOptions } from './file-options.ts';
import { keepRounds } from './keep-rounds.ts';
import { lookAtDue } from './look.ts';
import { type FolderWorker, kindsOf } from './parts.ts';
import { settleFiles } from './settle.ts';
import { takeFiles } from './take-files.ts';

/** Claims and looks belong to a process for this long after their last renewal. */
const leaseMsDefault = 60_000;

/** A notification wakes the loops; they also run at least this often. */
const everyMs = 5_000;
/** While files wait for imports to leave `processing`, nothing wakes the loop that takes them. */
const takeAgainMs = 1_000;

export type RunningFolderWorker = { wake(): void; close(): Promise<void> };

/**
 * Runs a folder worker: looks at places that are due, reads what settled, moves and deletes files, does leased tasks.
 * `close` interrupts what is running and gives back what was claimed.
 */
export function startFolderWorker(
  parts: Omit<FolderWorker, 'signal' | 'leaseMs' | 'settingsVersion'> & {
    leaseMs?: number;
    handlers: Partial<TaskHandlers<'folder-worker'>>;
  },
): RunningFolderWorker {
  const { handlers, leaseMs = leaseMsDefault, ...others } = parts;
  const stopping = new AbortController();
  const worker: FolderWorker = { ...others, leaseMs, signal: stopping.signal, settingsVersion: null };
  const { logger, database, sources } = worker;
  const repeat = (name: string, round: (signal: AbortSignal) => Promise<void>) =>
    keepRounds({
      everyMs,
      round,
      onError: (err) => logger.warn({ err, name }, 'A round failed; the next one tries again'),
    });
  let takeAgain: NodeJS.Timeout | undefined;
  const files = repeat('files', async () => {
    await settleFiles(worker);
    const { isLast } = await takeFiles(worker);
    if (!isLast && !worker.signal.aborted) takeAgain = setTimeout(() => files.wake(), takeAgainMs);
  });
  const looks = repeat('looks', async () => {
    await ensureSources(database.db, kindsOf(sources));
    if (await lookAtDue(worker)) files.wake();
  });
  const options = repeat('file options', () => doFileOptions(worker));
  const tasks = createTaskRunner({ place: 'folder-worker', handlers, database, logger, leaseMs });
  tasks.start();
  const all = [looks, files, options];
  return {
    wake() {
      for (const rounds of all) rounds.wake();
      tasks.wake();
    },
    async close() {
      stopping.abort(new Error('The folder worker stops'));
      clearTimeout(takeAgain);
      await Promise.all([...all.map((rounds) => rounds.stop()), tasks.stop()]);
    },
  };
}
