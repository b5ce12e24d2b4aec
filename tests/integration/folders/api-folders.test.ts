import { randomBytes } from 'node:crypto';
import type { Folder, WatchedFile } from '@draftshelf/contract/folders/folders';
import { deriveAllSealingKeys } from '@draftshelf/core/access/sealing';
import { beginSignIn, completeSignIn, failSignIn, storeSignInCode } from '@draftshelf/core/folders/sign-ins';
import { completeTask } from '@draftshelf/core/work/background-tasks';
import { describe, expect } from 'vitest';
import { startApi } from '../../support/api.ts';
import { reportFolderWorker, saveSignIn, writeFile, writeSource } from '../../support/folder-rows.ts';
import { recordedEvent } from '../../support/recorded-events.ts';
import { claimKind } from '../../support/tasks.ts';
import { test } from '../../support/test.ts';

test.beforeEach(async ({ fixture }) => {
  const { pool } = fixture.database;
  await pool.query(`delete from chunks where subject is not null;
    truncate watched_files, watch_sources, sign_ins, processes, settings cascade`);
  await pool.query(`delete from credentials where service like 'onedrive%'`);
});

const watching = { oneDriveEnabled: true, oneDriveFolder: '/In' };
const minutes = (count: number) => new Date(Date.now() + count * 60_000);
const looked = { state: 'ok', account: 'ada@example.com', looked_at: minutes(-1), next_look_at: minutes(29) };

describe('the list of watched folders', () => {
  test('has OneDrive before it is connected, and the local folder only if the server has one', async ({
    api,
    fixture,
  }) => {
    const list = async () => (await api.call('GET', '/api/folders')).body as Folder[];
    expect(await list()).toMatchObject([
      {
        source: 'onedrive',
        badge: 'Setup Required',
        sentence: 'Nothing in OneDrive is watched until it is connected.',
        place: null,
        lastLook: null,
        workers: 0,
      },
    ]);
    await writeSource(fixture, 'local', { place: { path: '/data/watched' } });
    expect(await list()).toMatchObject([
      { source: 'local', badge: 'Off', sentence: 'Turn on file monitoring to watch /data/watched.' },
      { source: 'onedrive', badge: 'Setup Required' },
    ]);
  });

  test('says Connected only when signed in, on, and after a look that succeeded', async ({
    api,
    fixture,
  }) => {
    const oneDrive = async () => ((await api.call('GET', '/api/folders')).body as Folder[])[0];
    const connection = async () =>
      ((await api.call('GET', '/api/connections')).body as { status: string; details: object }[])[1];
    await saveSignIn(fixture);
    await reportFolderWorker(fixture);
    await writeSource(fixture, 'onedrive', looked);
    expect(await oneDrive()).toMatchObject({
      badge: 'Setup Required',
      sentence: 'Enter the folder to watch.',
    });
    await api.call('POST', '/api/settings', { body: { oneDriveFolder: '/In' } });
    expect(await oneDrive()).toMatchObject({ badge: 'Off', nextLook: null });
    expect(await connection()).toMatchObject({ status: 'disconnected', details: { badge: 'Off' } });
    await api.call('POST', '/api/settings', { body: watching });
    expect(await oneDrive()).toMatchObject({
      badge: 'Connected',
      account: 'ada@example.com',
      place: '/In',
      lastLook: looked.looked_at.toISOString(),
      nextLook: looked.next_look_at.toISOString(),
      trouble: null,
      workers: 1,
    });
    expect(await connection()).toMatchObject({
      id: 'onedrive',
      service: 'onedrive',
      status: 'connected',
      details: { account: 'ada@example.com', folder: '/In', lastLook: looked.looked_at.toISOString() },
    });
    const since = minutes(-5);
    await writeSource(fixture, 'onedrive', {
      ...looked,
      state: 'trouble',
      trouble: 'The sign-in has ended.',
      trouble_kind: 'sign in',
      trouble_cause: 'invalid_grant',
      trouble_since: since,
    });
    expect(await oneDrive()).toMatchObject({
      badge: 'Sign In Again',
      trouble: {
        sentence: 'The sign-in has ended.',
        cause: 'invalid_grant',
        since: since.toISOString(),
        action: 'sign in',
      },
    });
    expect(await connection()).toMatchObject({
      status: 'Sign In Again',
      details: { cause: 'invalid_grant' },
    });
    await writeSource(fixture, 'onedrive', { ...looked, trouble: 'No answer.', trouble_kind: 'network' });
    expect(await oneDrive()).toMatchObject({ badge: 'Connected', trouble: null });
    await fixture.database.pool.query('delete from processes');
    await writeSource(fixture, 'onedrive', { ...looked, trouble: null, trouble_kind: null });
    expect(await oneDrive()).toMatchObject({ badge: 'Can’t Look', sentence: 'No folder worker is running.' });
  });

  test('needs a session', async ({ api }) => {
    for (const path of ['/api/folders', '/api/folders/local/files', '/api/folders/onedrive/sign-in']) {
      expect((await fetch(`${api.url}${path}`)).status).toBe(401);
    }
  });
});

describe('a look', () => {
  test('is asked for at most every ten seconds, and not while the folder cannot be looked into', async ({
    api,
    fixture,
  }) => {
    const look = () => api.call('POST', '/api/folders/onedrive/look');
    expect(await look()).toMatchObject({ status: 409, body: { message: 'OneDrive isn’t connected.' } });
    expect((await api.call('POST', '/api/folders/local/look')).status).toBe(404);
    expect((await api.call('POST', '/api/folders/ftp/look')).status).toBe(404);
    await saveSignIn(fixture);
    await reportFolderWorker(fixture);
    await writeSource(fixture, 'onedrive', looked);
    await api.call('POST', '/api/settings', { body: watching });
    expect(await look()).toMatchObject({ status: 202, body: { success: true, message: 'Checking now.' } });
    const due = `select next_look_at <= clock_timestamp() as due from watch_sources`;
    expect((await fixture.database.pool.query(due)).rows).toEqual([{ due: true }]);
    const soon = await look();
    expect(soon).toMatchObject({ status: 429, body: { code: 'busy' } });
    expect(soon.headers.get('retry-after')).toBe('10');
    await writeSource(fixture, 'onedrive', {
      ...looked,
      asked_at: null,
      trouble_kind: 'throttled',
      blocked_until: minutes(12),
    });
    expect(await look()).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/Microsoft is limiting requests/) },
    });
  });

  test('tests the connection: its result, or why there is none', async ({ api, fixture }) => {
    const tested = async () => (await api.call('POST', '/api/connections/test/onedrive')).body;
    const { pool } = fixture.database;
    /** The test's reply, with a look as the worker makes it once it is requested. */
    const testedWithLook = async () => {
      await pool.query('update watch_sources set asked_at = null');
      const look = async () =>
        (await pool.query('update watch_sources set look = look + 1 where asked_at is not null')).rowCount;
      return (await Promise.all([tested(), expect.poll(look).toBe(1)]))[0];
    };
    expect(await tested()).toEqual({ success: false, message: 'OneDrive isn’t connected.' });
    await saveSignIn(fixture);
    expect(await tested()).toEqual({ success: false, message: 'No folder worker is running.' });
    await reportFolderWorker(fixture);
    expect(await tested()).toEqual({ success: false, message: 'Enter the folder to watch.' });
    const source = await writeSource(fixture, 'onedrive', { ...looked, look: 1 });
    await api.call('POST', '/api/settings', { body: { oneDriveFolder: '/In' } });
    expect(await tested()).toEqual({
      success: true,
      message: 'Signed in as ada@example.com. Turn on file monitoring to watch /In.',
    });
    await api.call('POST', '/api/settings', { body: watching });
    await writeSource(fixture, 'onedrive', {
      ...looked,
      trouble_kind: 'throttled',
      blocked_until: minutes(11.5),
    });
    expect(await tested()).toEqual({
      success: false,
      message: 'Microsoft is limiting requests. Wait another 12 minutes.',
    });
    for (const name of ['a.csv', 'b.csv']) await writeFile(fixture, source, { name, state: 'ignored' });
    await writeFile(fixture, source, { name: 'gone.csv', state: 'gone' });
    await writeFile(fixture, source, { name: 'moved.csv', state: 'taken', option: 'archived' });
    await writeSource(fixture, 'onedrive', { ...looked, trouble_kind: null, blocked_until: null });
    expect(await testedWithLook()).toEqual({
      success: true,
      message: 'Connected as ada@example.com. /In has 2 files.',
    });
    await api.call('POST', '/api/settings', { body: { moveToArchive: true } });
    await writeSource(fixture, 'onedrive', { ...looked, can_write: false });
    expect(await testedWithLook()).toMatchObject({
      success: false,
      message: expect.stringMatching(/can be read, but not changed/),
    });
  });
});

describe('files', () => {
  const filesOf = async (
    api: { call: (method: 'GET', path: string) => Promise<{ body: unknown }> },
    query = '',
  ) =>
    (await api.call('GET', `/api/folders/local/files${query}`)).body as {
      files: WatchedFile[];
      next: string | null;
    };

  test('are listed in pages, with sentences', async ({ api, fixture }) => {
    const source = await writeSource(fixture, 'local', {});
    for (let at = 0; at < 60; at += 1) {
      await writeFile(fixture, source, { name: `f${at}.csv`, state: at === 59 ? 'refused' : 'waiting' });
    }
    await fixture.database.pool.query(
      `update watched_files set reason = 'This is an Excel workbook.' where state = 'refused'`,
    );
    const first = await filesOf(api);
    expect(first.files).toHaveLength(50);
    expect(first.files[0]).toMatchObject({
      name: 'f59.csv',
      state: 'refused',
      sentence: 'This is an Excel workbook.',
      canTake: true,
      importId: null,
      option: null,
    });
    const second = await filesOf(api, `?after=${first.next}`);
    expect(second).toMatchObject({ next: null });
    const names = [...first.files, ...second.files].map(({ name }) => name);
    expect(new Set(names).size).toBe(60);
    for (const after of ['x', '9999-99-99T00:00:00Z_1', '99999999999999999_1']) {
      expect((await api.call('GET', `/api/folders/local/files?after=${after}`)).status).toBe(400);
    }
    expect((await filesOf(api, '?state=refused')).files.map(({ name }) => name)).toEqual(['f59.csv']);
  });

  test('can be taken unless they are read, imported or gone', async ({ api, fixture }) => {
    const source = await writeSource(fixture, 'local', {});
    const take = async (state: string) => {
      const id = await writeFile(fixture, source, { name: `${state}.csv`, state, reason: 'A reason.' });
      return { id, ...(await api.call('POST', `/api/folders/local/files/${id}/take`)) };
    };
    const same = await take('same');
    expect(same).toMatchObject({ status: 202, body: { success: true } });
    const { rows } = await fixture.database.pool.query(
      'select state, take_anyway, reason from watched_files where id = $1',
      [same.id],
    );
    expect(rows).toEqual([{ state: 'waiting', take_anyway: true, reason: null }]);
    expect(await take('taking')).toMatchObject({
      status: 409,
      body: { message: 'This file is being read.' },
    });
    expect(await take('taken')).toMatchObject({ status: 409 });
    expect(await take('gone')).toMatchObject({
      status: 410,
      body: { message: 'This file is no longer in the folder.' },
    });
    expect((await api.call('POST', `/api/folders/onedrive/files/${same.id}/take`)).status).toBe(404);

    // Nobody would read a file of a OneDrive that was disconnected.
    const onedrive = await writeSource(fixture, 'onedrive', {});
    const id = await writeFile(fixture, onedrive, { name: 'a.csv', state: 'ignored' });
    expect(await api.call('POST', `/api/folders/onedrive/files/${id}/take`)).toMatchObject({
      status: 409,
      body: { message: 'Nothing in OneDrive is watched until it is connected.' },
    });
    expect((await filesOf(api, '?state=ignored')).files).toEqual([]);
    const ignored = await api.call('GET', '/api/folders/onedrive/files?state=ignored');
    expect(ignored.body).toMatchObject({ files: [{ name: 'a.csv', canTake: true }] });
  });

  test('that were there before wait for one answer, and so do those that are held', async ({
    api,
    fixture,
  }) => {
    const source = await writeSource(fixture, 'local', {});
    for (const name of ['a.csv', 'b.csv']) await writeFile(fixture, source, { name, state: 'ignored' });
    await writeFile(fixture, source, { name: 'c.txt', state: 'ignored', reason: 'Not a CSV file.' });
    await writeFile(fixture, source, { name: 'held.csv', state: 'held' });
    const folder = async () => ((await api.call('GET', '/api/folders')).body as Folder[])[0];
    expect(await folder()).toMatchObject({ existing: { files: 2 }, held: { files: 1 }, files: 4 });
    const answer = (action: string) => api.call('POST', '/api/folders/local/existing', { body: { action } });
    expect(await answer('take')).toMatchObject({ status: 200, body: { success: true, files: 3 } });
    expect(await folder()).toMatchObject({ existing: null, held: null, counts: { waiting: 3, ignored: 1 } });
    await writeFile(fixture, source, { name: 'more.csv', state: 'held' });
    expect(await answer('ignore')).toMatchObject({ status: 200, body: { files: 1 } });
    expect(await folder()).toMatchObject({ held: null, counts: { waiting: 3, ignored: 2 } });
    expect((await answer('burn')).status).toBe(400);
  });
});

describe('a sign-in', () => {
  const keys = deriveAllSealingKeys({ CREDENTIALS_KEY: randomBytes(32).toString('hex') });

  test('shows the code, ends, can be cancelled, and is replaced by another', async ({ api, fixture }) => {
    const noKey = await api.call('POST', '/api/folders/onedrive/sign-in', { body: { way: 'code' } });
    expect(noKey).toMatchObject({ status: 409, body: { message: expect.stringMatching(/CREDENTIALS_KEY/) } });
    if (keys === null) throw new Error('No key');
    const sealed = await startApi(fixture, { set: { sealingKeys: keys } });
    const { db } = fixture.database;
    const path = '/api/folders/onedrive/sign-in';
    expect((await sealed.call('GET', path)).body).toEqual({ signIn: null });
    const begin = async (body: object = { way: 'code' }) => {
      const begun = await sealed.call('POST', path, { body });
      expect(begun.status).toBe(202);
      return (begun.body as { id: string }).id;
    };
    const read = async (id: string) => (await sealed.call('GET', `${path}/${id}`)).body;
    const replaced = await begin();
    const event = { client: '127.0.0.1', detail: 'OneDrive' };
    expect(await recordedEvent(fixture.database.pool, 'connection-begun')).toMatchObject(event);
    const id = await begin();
    expect(await read(replaced)).toMatchObject({ state: 'cancelled' });
    expect(await read(id)).toMatchObject({ state: 'asked', userCode: null });
    const claimSignIn = async () => {
      const task = await claimKind(db, 'sign-in');
      return { task, claimed: task && (await beginSignIn(db, task)) };
    };
    const { claimed, task } = await claimSignIn();
    if (claimed === undefined || !task) throw new Error('Nothing to claim');
    const verificationUrl = 'https://microsoft.com/devicelogin';
    await storeSignInCode(db, claimed, { userCode: 'ABCD-1234', verificationUrl, expiresInS: 900 });
    expect((await sealed.call('GET', path)).body).toMatchObject({
      signIn: { id, state: 'code', userCode: 'ABCD-1234', verificationUrl, expiresAt: expect.any(String) },
    });
    const message = 'Signed in as ada@example.com.';
    const account = { value: { cache: 'none' }, account: 'ada@example.com', message, simulated: true };
    await db.transaction().execute((trx) => completeSignIn(trx, keys, claimed, account));
    await completeTask(db, task);
    expect(await read(id)).toMatchObject({
      state: 'done',
      userCode: null,
      message: expect.stringMatching(/ada@example\.com/),
    });
    expect((await sealed.call('DELETE', `${path}/${id}`)).status).toBe(409);
    expect((await sealed.call('GET', '/api/folders')).body).toMatchObject([
      { isSignedIn: true, account: 'ada@example.com', simulated: true },
    ]);

    const app = { tenant: 't', clientId: 'c', clientSecret: 'secret~1', drive: { user: 'ada@example.com' } };
    const second = await begin({ way: 'app', ...app });
    expect(await sealed.call('DELETE', `${path}/${second}`)).toMatchObject({ status: 200 });
    expect(await read(second)).toMatchObject({ state: 'cancelled' });
    const third = await begin({ way: 'app', ...app });
    const { claimed: again } = await claimSignIn();
    if (again === undefined) throw new Error('Nothing to claim');
    await db.transaction().execute((trx) => failSignIn(trx, again, 'Microsoft refuses the client secret.'));
    expect(await read(third)).toMatchObject({
      state: 'failed',
      message: 'Microsoft refuses the client secret.',
    });
    expect((await sealed.call('GET', `${path}/${crypto.randomUUID()}`)).status).toBe(404);
    expect((await sealed.call('POST', path, { body: { way: 'app' } })).status).toBe(400);

    expect(await sealed.call('DELETE', path)).toMatchObject({
      status: 200,
      body: { success: true, message: 'OneDrive is disconnected.' },
    });
    expect((await sealed.call('GET', '/api/folders')).body).toMatchObject([
      { isSignedIn: false, account: null, badge: 'Setup Required' },
    ]);
    expect((await sealed.call('DELETE', path)).status).toBe(404);
    await sealed.close();
  });
});
