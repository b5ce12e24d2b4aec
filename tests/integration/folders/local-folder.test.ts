import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { saveSettings } from '@draftshelf/core/access/settings';
import { newFilesMax } from '@draftshelf/core/folders/found-files';
import {
  countFolderFiles,
  decideHeldFiles,
  listFolderFiles,
  queueFile,
} from '@draftshelf/core/folders/shown-files';
import { ensureWatchSources, requestLook } from '@draftshelf/core/folders/sources';
import { heldSentences } from '@draftshelf/domain/push/auto-push';
import {
  FileChanged,
  type FileSource,
  FileUnreadable,
  FolderUnreadable,
} from '@draftshelf/folders/file-source';
import { createLocalFolder } from '@draftshelf/folders/local/local-folder';
import { createObjectStorage } from '@draftshelf/object-storage/connect';
import { getStream } from '@draftshelf/object-storage/objects';
import { workbookFile } from '@draftshelf/workbooks/testing/workbook-file';
import { expect } from 'vitest';
import { settleFiles } from '../../../apps/folder-worker/src/settle.ts';
import { type Fixture, storedUnder, until } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { loseTasks } from '../../support/tasks.ts';
import { test as base } from '../../support/test.ts';
import { fileOf, watchFolder } from '../../support/watched-folder.ts';

const test = base.extend('watched', async ({ fixture }, { onCleanup }) => {
  await fixture.database.pool.query('delete from imports');
  const watched = await watchFolder(fixture);
  onCleanup(watched.close);
  return watched;
});

const contentOf = async ({ storage }: Fixture, key: string) =>
  (await buffer(getStream(storage, key))).toString();

const filesStored = async ({ storage }: Fixture) => (await storedUnder(storage, 'files/')).length;

test('files that were there before wait for an answer; one that arrives becomes an import', async ({
  fixture,
  watched,
}) => {
  const { db } = fixture.database;
  await watched.write('old.csv', fileOf('old'));
  await watched.write('older.csv', fileOf('older'));
  await watched.write('prices.xlsb', '');
  await watched.lookAndSettle();
  await watched.take();
  expect(await watched.states()).toEqual(['ignored old.csv', 'ignored older.csv', 'refused prices.xlsb']);
  expect(await watched.source()).toMatchObject({ state: 'ok', baseline: 'asked', can_write: true, files: 3 });
  expect(await countFolderFiles(db, 'local')).toMatchObject({ existing: 2, refused: 1 });
  // Watching is on: they arrived before the first look, so they are listed by name until that is answered.
  const { files: listed } = await listFolderFiles(db, 'local', { limit: 10 });
  expect(listed.map(({ name }) => name).sort()).toEqual(['old.csv', 'older.csv', 'prices.xlsb']);

  await watched.write('new.csv', fileOf('new'));
  await watched.lookAndSettle();
  await watched.take();
  const [record] = await watched.imports();
  expect(record).toMatchObject({
    filename: 'new.csv',
    source: 'local',
    source_path: `${watched.folder}/new.csv`,
    auto_mode: 'manual',
    status: 'processing',
    test_mode: false,
    total_products: 2,
  });
  expect(await contentOf(fixture, record?.object_key ?? '')).toBe(fileOf('new'));
  expect(await watched.file('new.csv')).toMatchObject({
    state: 'taken',
    import_id: record?.id,
    option: null,
  });

  expect(await db.transaction().execute((trx) => decideHeldFiles(trx, 'local', 'take'))).toBe(2);
  await watched.lookAndSettle();
  await watched.take();
  expect(await watched.states()).toEqual([
    'taken new.csv',
    'taken old.csv',
    'taken older.csv',
    'refused prices.xlsb',
  ]);
  expect(await watched.imports()).toHaveLength(3);
  expect(await db.transaction().execute((trx) => decideHeldFiles(trx, 'local', 'take'))).toBe(0);

  const page = await listFolderFiles(db, 'local', { limit: 3 });
  const rest = await listFolderFiles(db, 'local', { limit: 3, after: page.next ?? '' });
  expect([page.files.length, rest.files.length, rest.next]).toEqual([3, 1, null]);
  expect(new Set([...page.files, ...rest.files].map(({ id }) => id)).size).toBe(4);
});

test('a file that the first look could not look at was there before, too', async ({ fixture, watched }) => {
  const { local } = watched;
  await watched.write('locked.csv', fileOf('locked'));
  await watched.write('old.csv', fileOf('old'));
  const partly = watched.workerOf({
    ...local,
    async look(...args) {
      const look = await local.look(...args);
      const files = look.files.filter(({ name }) => name !== 'locked.csv');
      return { ...look, files, unseen: ['locked.csv'] };
    },
  });
  await watched.look(partly);
  expect(await watched.states()).toEqual(['ignored locked.csv', 'ignored old.csv']);
  expect(await countFolderFiles(fixture.database.db, 'local')).toMatchObject({ existing: 2 });
  await watched.look(partly);
  await watched.lookAndSettle();
  await watched.take();
  expect(await watched.states()).toEqual(['ignored locked.csv', 'ignored old.csv']);
  await watched.write('locked.csv', fileOf('newer', 3));
  await watched.lookAndSettle();
  await watched.take();
  expect(await watched.imports()).toMatchObject([{ filename: 'locked.csv', total_products: 3 }]);
});

test('a place that does not answer leaves the files of others alone', async ({ fixture, watched }) => {
  const { database } = fixture;
  const other = join(watched.folder, 'other');
  await mkdir(other);
  await ensureWatchSources(database.db, ['local', 'onedrive']);
  const oneDrive = createLocalFolder({ folder: other, settleMs: 1 });
  const look = async () => {
    await requestLook(database.db, 'onedrive', 0);
    await watched.look(watched.worker, { local: watched.local, onedrive: oneDrive });
  };
  await look();
  await watched.write('a.csv', fileOf('a'));
  await writeFile(join(other, 'b.csv'), fileOf('b'));
  await writeFile(join(other, 'c.csv'), fileOf('c'));
  await look();
  expect(await watched.states()).toEqual(['settling a.csv', 'settling b.csv', 'settling c.csv']);
  // The files of the place that does not answer come first.
  await database.pool.query(
    `update watched_files set not_before = case name when 'a.csv' then now() else now() - interval '1 second' end`,
  );
  let asked = 0;
  const away = {
    ...oneDrive,
    async recheck(): Promise<never> {
      asked += 1;
      throw new FolderUnreadable('network', 'The folder could not be read.');
    },
  };
  await settleFiles(watched.workerOf(away, { kind: 'onedrive' }));
  await settleFiles(watched.worker);
  expect(await watched.states()).toEqual(['waiting a.csv', 'settling b.csv', 'settling c.csv']);
  expect(asked).toBe(1);
});

test('nothing is looked at or taken while watching is off; what arrived meanwhile is taken then', async ({
  fixture,
  watched,
}) => {
  await watched.begin();
  await saveSettings(fixture.database.db, { oneDriveEnabled: false });
  await watched.write('a.csv', fileOf('a'));
  await watched.look();
  expect(await watched.states()).toEqual([]);
  expect(await watched.source()).toMatchObject({ state: 'off', next_look_at: null, can_write: true });
  await saveSettings(fixture.database.db, { oneDriveEnabled: true, autoProcessMode: 'full-auto' });
  await watched.look();
  expect(await watched.states()).toEqual(['settling a.csv']);
  await fixture.database.pool.query('update watched_files set not_before = null');
  await watched.settle();
  await watched.take();
  expect(await watched.imports()).toMatchObject([{ filename: 'a.csv', auto_mode: 'full-auto' }]);
});

test('what the operator takes anyway is read also while watching is off', async ({ fixture, watched }) => {
  const { db } = fixture.database;
  await watched.write('old.csv', fileOf('old'));
  await watched.begin();
  await watched.write('new.csv', fileOf('new'));
  await watched.lookAndSettle();
  expect(await watched.states()).toEqual(['waiting new.csv', 'ignored old.csv']);
  await saveSettings(db, { oneDriveEnabled: false });
  await watched.look();
  const { id } = await watched.file('old.csv');
  expect(await queueFile(db, 'local', id)).toBe('asked');
  await watched.take();
  expect(await watched.states()).toEqual(['waiting new.csv', 'taken old.csv']);
});

test('trouble at the first look after watching was turned on is told', async ({ fixture, watched }) => {
  const { db } = fixture.database;
  await saveSettings(db, { oneDriveEnabled: false });
  await watched.look();
  await rm(watched.folder, { recursive: true });
  await saveSettings(db, { oneDriveEnabled: true });
  await watched.look();
  expect(await watched.source()).toMatchObject({ state: 'trouble', trouble_kind: 'not found' });
});

test.runIf(isLong)(
  'a file that has its earlier content again is imported again, and ends the planned push between',
  async ({ fixture, watched }) => {
    await watched.begin();
    await saveSettings(fixture.database.db, { autoProcessMode: 'full-auto' });
    const arrive = async (name: string, text: string) => {
      await watched.write(name, text);
      await watched.look();
      await fixture.database.pool.query('update watched_files set not_before = null');
      await watched.settle();
      await watched.take();
    };
    for (const text of [fileOf('a'), fileOf('between', 3), fileOf('a'), fileOf('a')])
      await arrive('a.csv', text);
    const [first, between, last, ...others] = await watched.imports();
    expect(others).toEqual([]);
    expect(last?.sha256).toBe(first?.sha256);
    // It is the content of the last import of the path, so the next look at it begins none.
    expect(await watched.file('a.csv')).toMatchObject({ import_id: last?.id });
    await arrive('copy.csv', fileOf('a'));
    expect(await watched.file('copy.csv')).toMatchObject({ state: 'same', import_id: last?.id });
    expect(between).toMatchObject({
      total_products: 3,
      auto_held: expect.stringContaining('a newer version'),
    });
  },
);

test.runIf(isLong)(
  'a file that grows over three looks is taken once, whole',
  async ({ fixture, watched }) => {
    await watched.begin();
    const pieces = [fileOf('grow', 3), 'grow 4,4.50,grow-4\r\n', 'grow 5,5.50,grow-5\r\n'];
    let text = '';
    for (const piece of pieces) {
      text += piece;
      await watched.write('grow.csv', text);
      await watched.look();
      await watched.take();
      expect(await watched.states()).toEqual(['settling grow.csv']);
      // Another observation of what grew meanwhile.
      text += ' ';
      await watched.write('grow.csv', text);
      await until('its time to settle is over', async () => {
        await watched.settle();
        const { version } = await watched.file('grow.csv');
        return version.startsWith(`${text.length}:`);
      });
      text = text.trimEnd().concat('\r\n');
      await watched.write('grow.csv', text);
      await watched.take();
    }
    await watched.lookAndSettle();
    await watched.take();
    await watched.lookAndSettle();
    await watched.take();
    const [record, ...others] = await watched.imports();
    expect(others).toEqual([]);
    expect(await contentOf(fixture, record?.object_key ?? '')).toBe(text);
    expect(record?.total_products).toBe(5);
  },
);

test.runIf(isLong)(
  'a file that changes while it is read is not imported before it is whole',
  async ({ fixture, watched }) => {
    await watched.begin();
    await watched.write('torn.csv', fileOf('torn', 10));
    await watched.lookAndSettle();
    const { local } = watched;
    const changing: FileSource = {
      ...local,
      async read(...args) {
        const pieces = await local.read(...args);
        return (async function* () {
          yield* pieces;
          await watched.write('torn.csv', fileOf('torn', 11));
        })();
      },
    };
    const filesBefore = await filesStored(fixture);
    await watched.take(watched.workerOf(changing));
    expect(await watched.imports()).toEqual([]);
    expect(await watched.states()).toEqual(['settling torn.csv']);
    expect(await filesStored(fixture)).toBe(filesBefore);
    await watched.lookAndSettle();
    await watched.take();
    expect(await watched.imports()).toMatchObject([{ total_products: 11 }]);
  },
);

test('a file that changed, and cannot be looked at then, is tried again', async ({ watched }) => {
  await watched.begin();
  await watched.write('a.csv', fileOf('a'));
  await watched.lookAndSettle();
  const locked = watched.workerOf({
    ...watched.local,
    async read() {
      throw new FileChanged('a.csv');
    },
    async recheck() {
      throw new FileUnreadable('The file is locked.');
    },
  });
  await watched.take(locked);
  expect(await watched.file('a.csv')).toMatchObject({
    ...{ state: 'waiting', reason: 'The file is locked.', attempts: 1 },
  });
});

test.runIf(isLong)(
  'the same content under two names at the same moment begins one import, and another when it is wanted',
  async ({ fixture, watched }) => {
    const { db } = fixture.database;
    await watched.begin();
    await watched.write('one.csv', fileOf('same'));
    await watched.write('two.csv', fileOf('same'));
    await watched.lookAndSettle();
    const filesBefore = await filesStored(fixture);
    const others = Array.from({ length: 3 }, () => watched.workerOf());
    await Promise.all(others.map((worker) => watched.take(worker)));
    await watched.take();
    const [record, ...more] = await watched.imports();
    expect(more).toEqual([]);
    const files = await watched.files();
    expect(files.map(({ state }) => state).toSorted()).toEqual(['same', 'taken']);
    expect(files.map(({ import_id }) => import_id)).toEqual([record?.id, record?.id]);
    // The object of the other one was removed.
    expect(await filesStored(fixture)).toBe(filesBefore + 1);

    const same = files.find(({ state }) => state === 'same');
    expect(await queueFile(db, 'local', same?.id ?? 0)).toBe('asked');
    await watched.take();
    expect(await watched.imports()).toMatchObject([{ id: record?.id }, { same_as: record?.id }]);
    expect(await queueFile(db, 'local', same?.id ?? 0)).toBe('taken');
    expect(await queueFile(db, 'local', 999_999)).toBe(undefined);

    // Content whose imports were cancelled arrives as if it were new.
    await watched.endProcessing('cancelled');
    await watched.write('three.csv', fileOf('same'));
    await watched.lookAndSettle();
    await watched.take();
    expect(await watched.file('three.csv')).toMatchObject({ state: 'taken' });
  },
);

test('an import whose file another process took over begins once', async ({ fixture, watched }) => {
  await watched.begin();
  await watched.write('a.csv', fileOf('a'));
  await watched.lookAndSettle();
  const { local } = watched;
  const filesBefore = await filesStored(fixture);
  const reading = Promise.withResolvers<void>();
  const thawing = Promise.withResolvers<void>();
  const frozen: FileSource = {
    ...local,
    async read(...args) {
      reading.resolve();
      await thawing.promise;
      return local.read(...args);
    },
  };
  const sleeper = watched.take(watched.workerOf(frozen));
  await reading.promise;
  await watched.take();
  expect(await watched.imports()).toEqual([]);
  await loseTasks(fixture.database);
  await watched.take();
  expect(await watched.imports()).toHaveLength(1);
  thawing.resolve();
  await sleeper;
  expect(await watched.imports()).toHaveLength(1);
  expect(await watched.states()).toEqual(['taken a.csv']);
  expect(await filesStored(fixture)).toBe(filesBefore + 1);
});

test('a folder that is missing or suddenly empty is trouble, and nothing is lost', async ({ watched }) => {
  await watched.begin();
  for (let nth = 1; nth <= 60; nth += 1) await watched.write(`file ${nth}.csv`, fileOf(`f${nth}`));
  await watched.look();
  expect(await watched.source()).toMatchObject({ state: 'ok', files: 60 });
  await rename(watched.folder, `${watched.folder}-away`);
  await watched.look();
  expect(await watched.source()).toMatchObject({ state: 'trouble', trouble_kind: 'not found', failures: 1 });
  await mkdir(watched.folder);
  await watched.look();
  expect(await watched.source()).toMatchObject({
    state: 'trouble',
    trouble_kind: 'empty',
    trouble: expect.stringMatching(
      /^The folder is empty, but 60 files were there at the last look\. Is the drive/,
    ),
  });
  expect((await watched.states()).every((state) => state.startsWith('settling'))).toBe(true);
  await rm(watched.folder, { recursive: true });
  await rename(`${watched.folder}-away`, watched.folder);
  await watched.lookAndSettle();
  expect(await watched.source()).toMatchObject({ state: 'ok', trouble: null, failures: 0 });
  expect((await watched.states()).every((state) => state.startsWith('waiting'))).toBe(true);
});

test('at most four imports of folders are processed at a time, the oldest file first', async ({
  watched,
}) => {
  await watched.begin();
  for (let nth = 1; nth <= 6; nth += 1) {
    const name = `file ${nth}.csv`;
    await watched.write(name, fileOf(`f${nth}`));
    await utimes(join(watched.folder, name), 1_000, 10_000 - nth);
  }
  await watched.lookAndSettle();
  await Promise.all([watched.take(), watched.take(watched.workerOf())]);
  const now = async () => ({ waitsFor: await watched.waitingFor(), states: await watched.states() });
  const names = async () => (await watched.imports()).map(({ filename }) => filename).toSorted();
  expect(await now()).toEqual({
    waitsFor: 'Waits until other files have been read.',
    states: [
      'waiting file 1.csv',
      'waiting file 2.csv',
      ...[3, 4, 5, 6].map((nth) => `taken file ${nth}.csv`),
    ],
  });
  await watched.take();
  expect(await names()).toEqual(['file 3.csv', 'file 4.csv', 'file 5.csv', 'file 6.csv']);
  await watched.endProcessing();
  await watched.take();
  expect(await now()).toEqual({
    waitsFor: null,
    states: [1, 2, 3, 4, 5, 6].map((nth) => `taken file ${nth}.csv`),
  });
  expect(await names()).toHaveLength(6);
});

test.runIf(isLong)(
  'files are refused or ignored with a sentence; a newer version of them is taken',
  async ({ fixture, watched }) => {
    const small = await watchFolder(fixture, { csvBytesMax: 1_000 });
    try {
      await small.begin();
      await small.write('large.csv', fileOf('large', 200));
      await small.write('no\u202etes.md', 'Some notes');
      await small.write('report.csv', '%PDF-1.7\n%âãÏÓ\n1 0 obj\n');
      await small.write('empty.csv', '');
      await small.lookAndSettle();
      await small.take();
      const reasons = (await small.files()).map(({ name, state, reason }) => [name, state, reason]);
      expect(reasons).toEqual([
        ['empty.csv', 'refused', 'The file has no header row with data below it.'],
        [
          'large.csv',
          'refused',
          'The file is larger than the 1000 B limit. Split it into smaller files, or raise CSV_BYTES_MAX.',
        ],
        ['notes.md', 'ignored', 'Not a CSV file.'],
        [
          'report.csv',
          'refused',
          'This is a PDF document, not a CSV file. Put a CSV file into the folder instead.',
        ],
      ]);
      await small.write('empty.csv', fileOf('now'));
      await small.lookAndSettle();
      await small.take();
      expect(await small.states()).toContain('taken empty.csv');
      expect(await small.states()).toContain('gone empty.csv');
    } finally {
      await small.close();
    }
    expect(watched.folder).not.toBe(small.folder);
  },
);

test.runIf(isLong)(
  'unusually many new files are held until the operator answers',
  async ({ fixture, watched }) => {
    await watched.begin();
    for (let nth = 0; nth <= newFilesMax; nth += 1) {
      await writeFile(join(watched.folder, `${nth}.csv`), `Title\nVase ${nth}\n`);
    }
    await watched.look();
    const { db } = fixture.database;
    expect(await countFolderFiles(db, 'local')).toMatchObject({ held: newFilesMax + 1, settling: 0 });
    await watched.take();
    expect(await watched.imports()).toEqual([]);
    expect(await db.transaction().execute((trx) => decideHeldFiles(trx, 'local', 'ignore'))).toBe(
      newFilesMax + 1,
    );
    await watched.look();
    expect(await countFolderFiles(db, 'local')).toMatchObject({ held: 0, ignored: newFilesMax + 1 });
  },
);

test.runIf(isLong)(
  'a file is tried again while the storage is away, then it has failed until the operator wants it',
  async ({ fixture, watched }) => {
    const { db } = fixture.database;
    await watched.begin();
    await watched.write('a.csv', fileOf('a'));
    await watched.lookAndSettle();
    const away = createObjectStorage({ ...fixture.storageEnv, S3_ENDPOINT: 'http://127.0.0.1:9' });
    const without = watched.workerOf(undefined, { storage: away });
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await db.updateTable('watched_files').set({ not_before: null }).execute();
      await watched.take(without);
      const { state, attempts, reason, not_before, changed_at } = await watched.file('a.csv');
      expect([attempts, reason]).toEqual([attempt, 'The object storage could not be reached.']);
      if (state === 'waiting') waits.push(Math.round((Number(not_before) - Number(changed_at)) / 60_000));
    }
    expect(waits).toEqual([1, 5, 15, 45]);
    const { id, state } = await watched.file('a.csv');
    expect(state).toBe('failed');
    expect(await queueFile(db, 'local', id)).toBe('asked');
    await watched.take();
    expect(await watched.imports()).toHaveLength(1);
  },
);

test('a worker that stops gives back the file that it reads and the folder that it looks at', async ({
  watched,
}) => {
  await watched.begin();
  await watched.write('a.csv', fileOf('a'));
  await watched.lookAndSettle();
  const { local } = watched;
  const held = Promise.withResolvers<never>();
  const stopping = new AbortController();
  let calls = 0;
  const hanging: FileSource = {
    ...local,
    read: () => {
      calls += 1;
      return held.promise;
    },
    look: () => {
      calls += 1;
      return held.promise;
    },
  };
  const worker = watched.workerOf(hanging, { signal: stopping.signal });
  const working = Promise.all([watched.take(worker), watched.look(worker)]);
  await until('the worker reads and looks', () => calls === 2);
  expect(await watched.states()).toEqual(['taking a.csv']);
  stopping.abort(new Error('stopped'));
  await working;
  expect(await watched.states()).toEqual(['waiting a.csv']);
  expect(await watched.source()).toMatchObject({ state: 'ok', look_until: null });
  await watched.look();
  await watched.take();
  expect(await watched.imports()).toHaveLength(1);
});

test('a look of a process that slept until another one took it stores nothing', async ({
  fixture,
  watched,
}) => {
  await watched.begin();
  await watched.write('a.csv', fileOf('a'));
  const { local } = watched;
  const looking = Promise.withResolvers<void>();
  const thawing = Promise.withResolvers<void>();
  const frozen: FileSource = {
    ...local,
    async look(...args) {
      const look = await local.look(...args);
      looking.resolve();
      await thawing.promise;
      return { ...look, files: look.files.map((file) => ({ ...file, version: 'of the sleeper' })) };
    },
  };
  const sleeper = watched.look(watched.workerOf(frozen));
  await looking.promise;
  const { look } = await watched.source();
  await watched.look();
  expect((await watched.source()).look).toBe(look);
  await loseTasks(fixture.database);
  await watched.look();
  expect((await watched.source()).look).toBe(look + 1);
  thawing.resolve();
  await sleeper;
  expect((await watched.files()).map(({ version }) => version)).not.toContain('of the sleeper');
  expect(await watched.source()).toMatchObject({ state: 'ok', failures: 0 });
});

test.runIf(isLong)(
  'trouble is shown when it lasts, and the pauses until the next look grow',
  async ({ watched }) => {
    await watched.begin();
    let trouble: FolderUnreadable | undefined;
    const failing = watched.workerOf({
      ...watched.local,
      look: (...args) => (trouble ? Promise.reject(trouble) : watched.local.look(...args)),
    });
    const states = async (times: number) => {
      const seen: [string, number][] = [];
      for (let nth = 1; nth <= times; nth += 1) {
        await watched.look(failing);
        const { state, blocked_until, changed_at } = await watched.source();
        seen.push([state, Math.round((Number(blocked_until) - Number(changed_at)) / 1_000)]);
      }
      return seen;
    };
    trouble = new FolderUnreadable('network', 'The folder could not be read.');
    expect(await states(4)).toEqual([
      ['ok', 10],
      ['ok', 20],
      ['trouble', 40],
      ['trouble', 80],
    ]);
    trouble = undefined;
    await watched.look(failing);
    expect(await watched.source()).toMatchObject({
      state: 'ok',
      failures: 0,
      blocked_until: null,
      trouble: null,
    });
    trouble = new FolderUnreadable('throttled', 'Microsoft asks to wait.', { waitMs: 90_000 });
    expect(await states(2)).toEqual([
      ['waiting', 90],
      ['waiting', 90],
    ]);
    trouble = new FolderUnreadable('setup', 'Nothing is connected.');
    expect((await states(1))[0]?.[0]).toBe('setup');
    expect(await watched.source()).toMatchObject({ trouble: 'Nothing is connected.', trouble_kind: 'setup' });
  },
);

test.runIf(isLong)(
  'a workbook of a folder becomes an import; full-auto leaves the choice among several lists to a person',
  async ({ fixture, watched }) => {
    await watched.begin();
    await saveSettings(fixture.database.db, { autoProcessMode: 'full-auto' });
    const sheet = (name: string) => ({
      name,
      rows: [
        ['Title', 'Price', 'SKU'],
        ['Lamp', 1, `${name}-1`],
      ],
    });
    const write = async (name: string, ...sheets: string[]) =>
      writeFile(join(watched.folder, name), await workbookFile({ sheets: sheets.map(sheet) }));
    await write('one.xlsx', 'Prices');
    await write('several.xlsx', 'Prices', 'New');
    await write('~$one.xlsx', 'Lock');
    await watched.lookAndSettle();
    await watched.take();
    const records = await watched.imports();
    expect(records.map(({ filename, auto_held }) => [filename, auto_held]).sort()).toEqual([
      ['one.xlsx', null],
      ['several.xlsx', heldSentences.tables],
    ]);
  },
);

test.runIf(isLong)(
  'a workbook that is cut off is tried again: a program may still hold it',
  async ({ fixture, watched }) => {
    await watched.begin();
    const rows = [
      ['Title', 'Price'],
      ['Lamp', 1],
    ];
    const bytes = await workbookFile({ sheets: [{ name: 'Prices', rows }] });
    const write = (content: Uint8Array) => writeFile(join(watched.folder, 'prices.xlsx'), content);
    const before = await filesStored(fixture);
    await write(bytes.subarray(0, 700));
    await watched.lookAndSettle();
    await watched.take();
    expect(await watched.file('prices.xlsx')).toMatchObject({
      state: 'waiting',
      attempts: 1,
      reason: expect.stringContaining('The file is damaged: it ends before its table of contents.'),
    });
    expect(await filesStored(fixture)).toBe(before);
    await write(bytes);
    await watched.lookAndSettle();
    await watched.take();
    expect(await watched.imports()).toMatchObject([{ filename: 'prices.xlsx', total_rows: 1 }]);
  },
);
