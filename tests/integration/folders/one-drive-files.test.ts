import { randomBytes } from 'node:crypto';
import { saveCredential } from '@draftshelf/core/access/credentials';
import { deriveAllSealingKeys } from '@draftshelf/core/access/sealing';
import { saveSettings } from '@draftshelf/core/access/settings';
import { oneDriveService } from '@draftshelf/core/folders/sign-ins';
import { ensureWatchSources } from '@draftshelf/core/folders/sources';
import { afterAll, beforeAll, expect } from 'vitest';
import { lookIfDue } from '../../../apps/folder-worker/src/look.ts';
import { openOneDrive } from '../../../apps/folder-worker/src/one-drive.ts';
import { startGraph, type TestGraph } from '../../support/graph.ts';
import { test as base } from '../../support/test.ts';
import { fileOf, watchFolder } from '../../support/watched-folder.ts';

const path = '/SCD CSV Processing';
const keys = deriveAllSealingKeys({ CREDENTIALS_KEY: randomBytes(32).toString('hex') });

let graph: TestGraph;
beforeAll(async () => {
  graph = await startGraph();
});
afterAll(() => graph?.close());

/** A signed-in OneDrive, and what the loops of a folder worker do with it. */
const test = base.extend('drive', async ({ fixture }, { onCleanup }) => {
  if (!keys) throw new Error('no keys');
  const { db, pool } = fixture.database;
  const watched = await watchFolder(fixture);
  onCleanup(watched.close);
  await db.deleteFrom('watch_sources').execute();
  await ensureWatchSources(db, ['onedrive']);
  const signIn = {
    ...{ way: 'app', simulated: true, cloud: 'global', tenant: 'contoso', clientId: 'an-app' },
    ...{ clientSecret: 'a-secret', drive: { user: 'ada@example.com' } },
  };
  await db
    .transaction()
    .execute((trx) =>
      saveCredential(trx, keys, { service: oneDriveService, value: signIn, shop: null, origin: 'operator' }),
    );
  await saveSettings(db, { oneDriveFolder: path, moveToArchive: true });
  const env = { cloud: 'global', tenant: 'common', clientId: null, simulatorUrl: graph.url } as const;
  const onedrive = openOneDrive({ db, keys, env });
  const worker = watched.workerOf(onedrive, { kind: 'onedrive' });
  return {
    watched,
    /** One round of everything, without its pauses. */
    async round() {
      await pool.query('update watch_sources set next_look_at = now(), blocked_until = null');
      await pool.query(`update watched_files set not_before = null where state in ('settling','waiting')`);
      await lookIfDue(worker, null);
      await pool.query('update watch_sources set blocked_until = null');
      await watched.take(worker);
      await watched.endProcessing();
      await pool.query('update watched_files set not_before = null');
      await watched.doOptions(worker);
    },
    /** Takes files, without the pause after an error. */
    async take() {
      await pool.query('update watch_sources set blocked_until = null');
      await watched.take(worker);
    },
    trouble: async () => {
      const { rows } = await pool.query('select state, trouble_kind from watch_sources');
      return rows[0];
    },
  };
});

test('each file of OneDrive becomes one import and is moved once, whatever Graph answers', async ({
  fixture,
  drive,
}) => {
  const { round, watched } = drive;
  await round();
  expect(await drive.trouble()).toMatchObject({ state: 'ok', trouble_kind: null });
  const names = Array.from({ length: 20 }, (_, at) => `file ${at}.csv`);
  await graph.change(names.map((name) => ({ path: `${path}/${name}`, text: fileOf(name) })));
  const wait = { seconds: 41, as: 'date' } as const;
  await graph.behave({
    pageItems: 7,
    faults: [
      { on: 'delta', status: 429, retryAfter: wait },
      { on: 'delta', status: 410, location: true },
      { on: 'delta', status: 503 },
      { on: 'content', status: 429, name: 'file 1.csv' },
      { on: 'content', status: 423, name: 'file 2.csv' },
      { on: 'download', status: 401, name: 'file 3.csv' },
      { on: 'download', status: 503, name: 'file 4.csv' },
      { on: 'item', status: 500, name: 'file 5.csv' },
      { on: 'move', status: 412, name: 'file 6.csv' },
      { on: 'move', status: 423, name: 'file 7.csv' },
      { on: 'move', status: 503, name: 'file 8.csv' },
      { on: 'make-folder', status: 500 },
      { on: 'content', status: 404, name: 'file 9.csv' },
      { on: 'item', status: 404, name: 'file 10.csv', times: 2 },
      { on: 'move', status: 404, name: 'file 11.csv' },
    ],
  });
  const seen = new Set<string>();
  const isArchived = ({ option }: { option: string | null }) => option === 'archived';
  for (let rounds = 0; rounds < 40; rounds += 1) {
    await round();
    seen.add((await drive.trouble()).trouble_kind);
    const files = await watched.files();
    if (files.length === names.length && files.every(isArchived)) break;
  }
  const files = await watched.files();
  expect(files.map(({ state, option }) => `${state} ${option}`)).toEqual(names.map(() => 'taken archived'));
  const imports = await watched.imports();
  expect(imports.map(({ filename }) => filename).sort()).toEqual(names.toSorted());
  expect(imports.every(({ source }) => source === 'onedrive')).toBe(true);
  expect(new Set(imports.map(({ sha256 }) => sha256)).size).toBe(names.length);
  const paths = (await graph.files()).map((file) => file.path);
  expect(paths).toHaveLength(names.length);
  expect(paths.every((one) => one.startsWith(`${path}/Archive/file `))).toBe(true);
  expect(seen).toContain('throttled');

  // Nothing has changed since: one request a look, and nothing becomes an import.
  await graph.behave();
  await round();
  await graph.calls();
  await round();
  expect(await graph.calls()).toEqual(['delta']);
  expect(await watched.imports()).toHaveLength(names.length);
  const { rows } = await fixture.database.pool.query('select count(*)::int as files from watched_files');
  expect(rows).toEqual([{ files: names.length }]);
});

test('a file that cannot be read lets the others pass', async ({ drive }) => {
  const { watched } = drive;
  await drive.round();
  await graph.change(
    ['broken.csv', 'fine.csv'].map((name) => ({ path: `${path}/${name}`, text: fileOf(name) })),
  );
  await graph.behave({ faults: [{ on: 'download', status: 503, times: 100, name: 'broken.csv' }] });
  await drive.round();
  for (let times = 0; times < 2; times += 1) await drive.take();
  expect(await watched.states()).toEqual(['waiting broken.csv', 'taken fine.csv']);
  expect(await watched.file('broken.csv')).toMatchObject({ attempts: 2, not_before: expect.any(Date) });
});

test('a file that was removed before it was read is gone at the next look', async ({ drive }) => {
  const { watched } = drive;
  await drive.round();
  await graph.change([{ path: `${path}/short.csv`, text: fileOf('short') }]);
  await graph.behave({ faults: [{ on: 'content', status: 404, name: 'short.csv' }] });
  await drive.round();
  expect(await watched.file('short.csv')).toMatchObject({
    state: 'waiting',
    reason: 'OneDrive doesn’t find short.csv now.',
  });
  await graph.change([{ path: `${path}/short.csv`, removed: true }]);
  await drive.take();
  await drive.round();
  expect(await watched.file('short.csv')).toMatchObject({ state: 'gone', import_id: null });
});
