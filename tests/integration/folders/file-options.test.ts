import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { saveSettings } from '@draftshelf/core/access/settings';
import type { ImportStatus } from '@draftshelf/domain/imports/import-status';
import {
  type FileSource,
  FolderUnreadable,
  hashFileVersion,
  type KnownFile,
  type Place,
} from '@draftshelf/folders/file-source';
import { expect } from 'vitest';
import type { Fixture } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { loseTasks } from '../../support/tasks.ts';
import { test as base } from '../../support/test.ts';
import { fileOf, type WatchedFolder, watchFolder } from '../../support/watched-folder.ts';

const test = base.extend('watched', async ({ fixture }, { onCleanup }) => {
  await fixture.database.pool.query('delete from imports');
  const watched = await watchFolder(fixture);
  onCleanup(watched.close);
  return watched;
});

type Wanted = { moveToArchive?: boolean; deleteAfterProcess?: boolean };

/** Takes a file `a.csv` with these settings. */
async function taken(fixture: Fixture, watched: WatchedFolder, wanted: Wanted): Promise<void> {
  const settings = { moveToArchive: false, deleteAfterProcess: false, ...wanted };
  await saveSettings(fixture.database.db, settings);
  await watched.begin();
  await watched.write('a.csv', fileOf('a'));
  await watched.lookAndSettle();
  await watched.take();
}

async function inFolder({ folder }: WatchedFolder): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted();
}

const archived = /^Archive\/a \(\d{4}-\d\d-\d\d \d{6}\)\.csv$/;

test('a file is moved when its import has left processing, not before', async ({ fixture, watched }) => {
  await taken(fixture, watched, { moveToArchive: true, deleteAfterProcess: true });
  await watched.doOptions();
  expect(await inFolder(watched)).toEqual(['a.csv']);
  expect(await watched.file('a.csv')).toMatchObject({ option: 'due', option_wanted: 'archive' });
  await watched.endProcessing();
  await watched.doOptions();
  const file = await watched.file('a.csv');
  expect(file).toMatchObject({
    state: 'taken',
    option: 'archived',
    new_key: expect.stringMatching(archived),
  });
  expect(await inFolder(watched)).toEqual([file.new_key]);
  expect(await readFile(join(watched.folder, file.new_key ?? ''), 'utf8')).toBe(fileOf('a'));
  await watched.lookAndSettle();
  expect(await watched.states()).toEqual(['taken a.csv']);
});

test('a file is deleted once its import has been read, and stays if it was not', async ({
  fixture,
  watched,
}) => {
  const cases: [status: ImportStatus, failedIn: string | null, option: string][] = [
    ['processed', null, 'deleted'],
    ['completed', null, 'deleted'],
    ['failed', 'push', 'deleted'],
    ['failed', 'parse', 'due'],
    ['paused', null, 'due'],
    ['cancelled', null, 'kept'],
  ];
  await saveSettings(fixture.database.db, { moveToArchive: false, deleteAfterProcess: true });
  await watched.begin();
  const { pool } = fixture.database;
  for (const [at, [status, failedIn]] of cases.entries()) {
    await watched.write(`${at}.csv`, fileOf(String(at)));
    await watched.lookAndSettle();
    await watched.take();
    await pool.query(
      `with ended as (update imports set status = $1 where filename = $2 returning id)
       update runs set failed_in = $3 from ended where import_id = ended.id and runs.stage = 'parse'`,
      [status, `${at}.csv`, failedIn],
    );
  }
  await watched.doOptions();
  const options = await Promise.all(cases.map(async (_, at) => (await watched.file(`${at}.csv`)).option));
  expect(options).toEqual(cases.map(([, , option]) => option));
  expect(await inFolder(watched)).toEqual(['3.csv', '4.csv', '5.csv']);
});

test('a file whose import was deleted stays', async ({ fixture, watched }) => {
  await taken(fixture, watched, { deleteAfterProcess: true });
  await watched.endProcessing();
  await fixture.database.pool.query('delete from imports');
  await watched.doOptions();
  expect(await watched.file('a.csv')).toMatchObject({
    option: 'kept',
    reason: 'The import was deleted, so the file stayed.',
  });
  expect(await inFolder(watched)).toEqual(['a.csv']);
});

test('a file of the same content counts like its import; the options are those of the time of taking', async ({
  fixture,
  watched,
}) => {
  await taken(fixture, watched, {});
  await saveSettings(fixture.database.db, { deleteAfterProcess: true });
  await watched.write('b.csv', fileOf('a'));
  await watched.lookAndSettle();
  await watched.take();
  await watched.endProcessing();
  await watched.doOptions();
  expect(await watched.file('a.csv')).toMatchObject({ state: 'taken', option: null });
  expect(await watched.file('b.csv')).toMatchObject({ state: 'same', option: 'deleted' });
  expect(await inFolder(watched)).toEqual(['a.csv']);
});

test('a newer version under the same name stays and is taken', async ({ fixture, watched }) => {
  await taken(fixture, watched, { deleteAfterProcess: true });
  await watched.write('a.csv', fileOf('newer', 3));
  await watched.endProcessing();
  await watched.doOptions();
  expect(await watched.file('a.csv')).toMatchObject({
    option: 'left',
    reason: 'The file had changed, so it stayed.',
  });
  await watched.lookAndSettle();
  await watched.take();
  expect(await watched.imports()).toMatchObject([{ total_products: 2 }, { total_products: 3 }]);
});

/** Between which steps of moving or deleting a file the process is killed. */
const points = ['before the act', 'after the act'] as const;

const killed = points.flatMap((point) => [
  [point, { moveToArchive: true }] as const,
  [point, { deleteAfterProcess: true }] as const,
]);
test.for(isLong ? killed : killed.filter((_, at) => at === 0 || at === 3))(
  'a process that is killed %s: another one completes it once (%o)',
  async ([point, wanted], { fixture, watched }) => {
    await taken(fixture, watched, wanted);
    await watched.endProcessing();
    const { local } = watched;
    const died = Promise.withResolvers<void>();
    const dying = async (act: () => Promise<unknown>): Promise<never> => {
      if (point === 'after the act') await act();
      died.resolve();
      return new Promise<never>(() => {});
    };
    const source: FileSource = {
      ...local,
      archive: (...args) => dying(() => local.archive(...args)),
      remove: (...args) => dying(() => local.remove(...args)),
    };
    void watched.doOptions(watched.workerOf(source)).catch(() => {});
    await died.promise;
    // As long as the claim lasts, nobody else does it.
    await watched.doOptions();
    expect((await watched.file('a.csv')).option).toBe('due');
    await loseTasks(fixture.database);
    await watched.doOptions();
    const { option } = await watched.file('a.csv');
    if ('moveToArchive' in wanted) {
      expect(option).toBe('archived');
      expect(await inFolder(watched)).toEqual([expect.stringMatching(archived)]);
    } else {
      expect(option).toBe('deleted');
      expect(await inFolder(watched)).toEqual([]);
    }
    expect(await watched.imports()).toHaveLength(1);
  },
);

test('a file that was put aside when its import was cancelled goes back, and is not imported again', async ({
  fixture,
  watched,
}) => {
  await taken(fixture, watched, { deleteAfterProcess: true });
  await watched.endProcessing();
  const { local, folder } = watched;
  const died = Promise.withResolvers<void>();
  const dying = async (_place: Place, file: KnownFile): Promise<never> => {
    await mkdir(join(folder, '.draftshelf'));
    await rename(join(folder, 'a.csv'), join(folder, '.draftshelf', `${hashFileVersion(file)}-000000000000`));
    died.resolve();
    return new Promise<never>(() => {});
  };
  void watched.doOptions(watched.workerOf({ ...local, remove: dying })).catch(() => {});
  await died.promise;
  await fixture.database.pool.query(`update imports set status = 'cancelled'`);
  // The process that holds it may still complete the act.
  await watched.doOptions();
  await watched.look();
  expect(await watched.file('a.csv')).toMatchObject({ option: 'due' });
  expect(await inFolder(watched)).toEqual([expect.stringMatching(/^\.draftshelf\//)]);

  await loseTasks(fixture.database);
  await watched.doOptions();
  expect(await watched.file('a.csv')).toMatchObject({ option: 'kept' });
  for (let looks = 0; looks < 2; looks += 1) {
    await watched.lookAndSettle();
    await watched.take();
    expect(await inFolder(watched)).toEqual(['a.csv']);
  }
  expect(await watched.states()).toEqual(['taken a.csv']);
  expect(await watched.imports()).toHaveLength(1);
});

test('what cannot be moved is tried again, then it stays with a sentence', async ({ fixture, watched }) => {
  await taken(fixture, watched, { moveToArchive: true });
  await watched.endProcessing();
  const later = watched.workerOf({
    ...watched.local,
    archive: async () => ({ is: 'later', sentence: 'The file is open elsewhere, so it stayed.', waitMs: 1 }),
  });
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await watched.doOptions(later);
    expect(await watched.file('a.csv')).toMatchObject({ option: 'due', attempts: attempt });
    await fixture.database.pool.query('update watched_files set not_before = null');
  }
  await watched.doOptions(later);
  expect(await watched.file('a.csv')).toMatchObject({
    option: 'kept',
    reason: 'The file is open elsewhere, so it stayed.',
  });
});

test('a file is gone when it was not found twice, whatever failed before', async ({ fixture, watched }) => {
  await taken(fixture, watched, { deleteAfterProcess: true });
  await watched.endProcessing();
  const failing = watched.workerOf({
    ...watched.local,
    async remove() {
      throw new FolderUnreadable('network', 'The folder could not be read.');
    },
  });
  const missing = watched.workerOf({ ...watched.local, remove: async () => ({ is: 'missing' }) });
  const again = async (worker: typeof missing) => {
    await fixture.database.pool.query('update watched_files set not_before = null');
    await fixture.database.pool.query('update watch_sources set blocked_until = null');
    await watched.doOptions(worker);
    return watched.file('a.csv');
  };
  expect(await again(failing)).toMatchObject({ option: 'due', attempts: 1 });
  expect(await again(missing)).toMatchObject({ option: 'due', attempts: 2 });
  expect(await again(missing)).toMatchObject({ option: 'deleted' });
});

test('a folder that is away while files are moved is trouble, and they are moved later', async ({
  fixture,
  watched,
}) => {
  await taken(fixture, watched, { moveToArchive: true });
  await watched.endProcessing();
  await rename(watched.folder, `${watched.folder}-away`);
  await watched.doOptions();
  expect(await watched.file('a.csv')).toMatchObject({ option: 'due' });
  expect(await watched.source()).toMatchObject({ trouble_kind: 'not found' });
  await rename(`${watched.folder}-away`, watched.folder);
  await watched.look();
  await fixture.database.pool.query('update watched_files set not_before = null');
  await watched.doOptions();
  expect(await watched.file('a.csv')).toMatchObject({ option: 'archived' });
});
