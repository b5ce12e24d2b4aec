import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { saveSettings } from '@draftshelf/core/access/settings';
import type { ImportRecord, WatchedFileRecord, WatchSourceRecord } from '@draftshelf/core/connection/schema';
import { ensureWatchSources, findWatchSource, requestLook } from '@draftshelf/core/folders/sources';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import type { ImportStatus } from '@draftshelf/domain/imports/import-status';
import type { FileSource } from '@draftshelf/folders/file-source';
import { createLocalFolder } from '@draftshelf/folders/local/local-folder';
import type { TaskHandler } from '@draftshelf/queues/run-task';
import { createLogger } from '@draftshelf/runtime/logger';
import type { FolderContext } from '../../apps/folder-worker/src/parts.ts';
import { settleFiles } from '../../apps/folder-worker/src/settle.ts';
import { readWaitingFiles } from '../../apps/folder-worker/src/take-files.ts';
import { createFolderTasks } from '../../apps/folder-worker/src/tasks.ts';
import { csvOf, type Fixture, until } from './fixture.ts';
import { liveProcess, quietRunner } from './tasks.ts';

/** A folder that is watched, with functions that do what the loops of a folder worker do, one at a time. */
export type WatchedFolder = Awaited<ReturnType<typeof watchFolder>>;

/** A product file whose bytes no file of another `name` has. */
export const fileOf = (name: string, rows = 2): string =>
  csvOf([
    ['Title', 'Price', 'SKU'],
    ...Array.from({ length: rows }, (_, i) => [`${name} ${i + 1}`, `${i + 1}.50`, `${name}-${i + 1}`]),
  ]);

/** Makes an empty folder and turns watching on. `settleMs`: how long a new version must stay the same. */
export async function watchFolder(
  fixture: Pick<Fixture, 'database' | 'storage'>,
  options: { settleMs?: number; csvBytesMax?: number } = {},
) {
  const { database, storage } = fixture;
  const { db } = database;
  const folder = await mkdtemp(join(tmpdir(), 'draftshelf-watched-'));
  await db.deleteFrom('watch_sources').execute();
  await ensureWatchSources(db, ['local']);
  await saveSettings(db, { oneDriveEnabled: true, watchFrequency: '5', autoProcessMode: 'manual' });
  const local = createLocalFolder({ folder, settleMs: options.settleMs ?? 1 });
  const stopping = new AbortController();
  const workerOf = (source: FileSource = local, change: Partial<FolderContext> = {}): FolderContext => ({
    database,
    storage,
    limits: {
      ...readLimitsDefault,
      csvBytesMax: options.csvBytesMax ?? 1_000_000,
      archiveBytesMax: 2_000_000,
    },
    kind: 'local',
    fileSource: source,
    logger: createLogger({ name: 'folder-worker', level: 'silent', pretty: false }),
    currency: async () => 'EUR',
    holder: null,
    signal: stopping.signal,
    ...change,
  });
  const worker = workerOf();
  const source = async (): Promise<WatchSourceRecord> => {
    const found = await findWatchSource(db, 'local');
    if (!found) throw new Error('The folder is not watched');
    return found;
  };
  const files = (): Promise<WatchedFileRecord[]> =>
    db.selectFrom('watched_files').selectAll().orderBy('name').orderBy('id').execute();
  /** Does a task of the folder, if no process holds it. */
  const runTask = async (
    kind: keyof ReturnType<typeof createFolderTasks>,
    by: FolderContext,
    sources: Parameters<typeof createFolderTasks>[1] = { [by.kind]: by.fileSource },
  ) => {
    // Tests settle files by themselves.
    const take: TaskHandler = {
      subjects: [by.kind],
      async run({ signal }) {
        const { isLast } = await readWaitingFiles({ ...by, signal });
        return isLast ? 'done' : { waitFor: 'Waits until other files have been read.' };
      },
    };
    const handler = kind === 'take-files' ? take : createFolderTasks(by, sources)[kind];
    const processId = await liveProcess(db);
    const runner = quietRunner({ handlers: { [kind]: handler }, database, processId });
    const stop = () => void runner.stop();
    by.signal.addEventListener('abort', stop, { once: true });
    await runner.runDue();
    by.signal.removeEventListener('abort', stop);
  };
  const look = async (by = worker, sources?: Parameters<typeof createFolderTasks>[1]) => {
    // Not within the pause that keeps operators from looking all the time, and although a trouble has a pause.
    await requestLook(db, 'local', 0);
    await db.updateTable('watch_sources').set({ blocked_until: null }).execute();
    await runTask('poll-folder', by, sources);
  };
  return {
    folder,
    local,
    worker,
    workerOf,
    stopping,
    source,
    files,
    look,
    settle: () => settleFiles(worker),
    take: (by = worker) => runTask('take-files', by),
    /** What files wait for that could be read, as a sentence. */
    async waitingFor() {
      const { rows } = await database.pool.query<{ waiting_for: string | null }>(
        `select waiting_for from chunks where task = 'take-files' and subject = 'local'`,
      );
      return rows[0]?.waiting_for ?? null;
    },
    doOptions: (by = worker) => runTask('move-files', by),
    /** State and name of each file. */
    states: async () => (await files()).map(({ state, name }) => `${state} ${name}`),
    async file(name: string): Promise<WatchedFileRecord> {
      const found = (await files()).filter((file) => file.name === name).at(-1);
      if (!found) throw new Error(`${name} was not seen`);
      return found;
    },
    write: (name: string, text: string) => writeFile(join(folder, name), text),
    /** Ends the first look, whose files were there before. */
    async begin() {
      await look();
    },
    /** Looks, and waits until no file settles. */
    async lookAndSettle() {
      await look();
      await until('the files have settled', async () => {
        await settleFiles(worker);
        return (await files()).every(({ state }) => state !== 'settling');
      });
    },
    imports: (): Promise<ImportRecord[]> =>
      db.selectFrom('import_records').selectAll().orderBy('created_at').orderBy('id').execute(),
    /** Ends the processing of all imports, as the workers of the stages would. */
    async endProcessing(status: ImportStatus = 'queued') {
      await database.pool.query(`update imports set status = $1 where status = 'processing'`, [status]);
    },
    async close() {
      stopping.abort();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
