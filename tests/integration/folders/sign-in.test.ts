import { randomBytes, randomUUID } from 'node:crypto';
import {
  findCredential,
  readCredential,
  resealCredentials,
  updateCredential,
} from '@draftshelf/core/access/credentials';
import { deriveAllSealingKeys } from '@draftshelf/core/access/sealing';
import { saveSettings } from '@draftshelf/core/access/settings';
import type { Db } from '@draftshelf/core/connection/database';
import {
  beginSignIn,
  cancelSignIn,
  disconnectOneDrive,
  oneDriveService,
  readSignIn,
  requestSignIn,
  untestedAppService,
} from '@draftshelf/core/folders/sign-ins';
import { clouds } from '@draftshelf/folders/onedrive/clouds';
import { type DriveEnv, openDrive } from '@draftshelf/folders/onedrive/open-drive';
import { SavedSignIn } from '@draftshelf/folders/onedrive/saved-sign-in';
import { createLogger } from '@draftshelf/runtime/logger';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openOneDrive } from '../../../apps/folder-worker/src/one-drive.ts';
import { createSignInTask } from '../../../apps/folder-worker/src/sign-ins.ts';
import { until } from '../../support/fixture.ts';
import { startGraph, type TestGraph } from '../../support/graph.ts';
import { claimKind, liveProcess, loseTasks, quietRunner } from '../../support/tasks.ts';
import { test } from '../../support/test.ts';

const path = '/SCD CSV Processing';
const { signal } = new AbortController();
const keyTexts = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')] as const;
const keysOf = (CREDENTIALS_KEY: string, CREDENTIALS_KEY_OLD?: string) => {
  const keys = deriveAllSealingKeys({ CREDENTIALS_KEY, CREDENTIALS_KEY_OLD });
  if (!keys) throw new Error('no keys');
  return keys;
};
const keys = keysOf(keyTexts[0]);
const versionOf = async (db: Db, service: string) => (await findCredential(db, service))?.version;
const logger = createLogger({ name: 'test', level: 'silent', pretty: false });
const app = {
  ...{ tenant: 'contoso.example', clientId: 'an-app', clientSecret: 'the-secret' },
  drive: { user: 'ada@example.com' },
};

let graph: TestGraph;
let env: DriveEnv;
beforeAll(async () => {
  graph = await startGraph();
  env = { cloud: 'global', tenant: 'common', clientId: null, simulatorUrl: graph.url };
});
afterAll(() => graph?.close());

let workers: { look(): Promise<void>; stop(): Promise<void> }[] = [];
test.beforeEach(async ({ fixture }) => {
  workers = [];
  await saveSettings(fixture.database.db, { oneDriveFolder: path });
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await graph.behave();
  await graph.account({ name: 'ada@example.com' });
});
test.afterEach(({ fixture }) =>
  fixture.database.pool.query(
    'delete from chunks where subject is not null; truncate sign_ins, credentials, watch_sources, watched_files, settings cascade',
  ),
);

type Options = { keys?: typeof keys | null; env?: DriveEnv };
function inDatabase(db: Parameters<typeof createSignInTask>[0]['db'], options: Options = {}) {
  const deps = {
    db,
    keys: options.keys === undefined ? keys : options.keys,
    env: options.env ?? env,
    logger,
  };
  return {
    worker() {
      const processId = randomUUID();
      const runner = quietRunner({
        ...{ processId, database: { db } },
        handlers: { 'sign-in': createSignInTask(deps) },
      });
      /** Begins what is due, and does not wait for it. */
      const runs: Promise<void>[] = [];
      const look = async () => {
        await liveProcess(db, processId);
        runs.push(runner.runDue());
      };
      const stop = async () => {
        await runner.stop();
        await Promise.all(runs);
      };
      const worker = { look, stop };
      workers.push(worker);
      return worker;
    },
    drive: () => openOneDrive(deps),
    request: (way: 'code' | 'app' = 'code') =>
      db.transaction().execute((trx) => requestSignIn(trx, way === 'code' ? { way } : { way, app, keys })),
    async reach(id: string, state: string) {
      await until(state, async () => (await readSignIn(db, id))?.state === state);
      const found = await readSignIn(db, id);
      if (!found) throw new Error('The sign-in is gone');
      return found;
    },
    /** Signs in with a code. */
    async signIn() {
      const id = await this.request();
      await this.worker().look();
      const { user_code: code } = await this.reach(id, 'code');
      expect(await graph.answer(code ?? '', true)).toBe(true);
      await this.reach(id, 'done');
      return id;
    },
    /** The files of the folder that is set. */
    async namesIn() {
      const source = this.drive();
      const { files } = await source.look(await source.resolve(null, signal), null, signal);
      return files.map(({ name }) => name);
    },
  };
}

test('a code is shown, allowed at Microsoft, and the drive is read; nothing of the code stays', async ({
  fixture,
}) => {
  const { db, pool } = fixture.database;
  const steps = inDatabase(db);
  await graph.change([{ path: `${path}/a.csv`, text: 'Title,Price\nVase,1\n' }]);
  await expect(steps.namesIn()).rejects.toMatchObject({ kind: 'setup' });
  const id = await steps.request();
  expect(await readSignIn(db, id)).toMatchObject({ state: 'asked', user_code: null });
  await steps.worker().look();
  const shown = await steps.reach(id, 'code');
  expect(shown.verification_url).toBe(`${graph.url}/device`);
  expect(shown.expires_at?.getTime()).toBeGreaterThan(Date.now() + 800_000);
  await graph.answer(shown.user_code ?? '', true);
  const done = await steps.reach(id, 'done');
  expect(done).toMatchObject({
    message: 'Signed in as ada@example.com.',
    ...{ user_code: null, verification_url: null, expires_at: null },
  });
  expect(await steps.namesIn()).toEqual(['a.csv']);
  const { rows } = await pool.query('select kind, account, simulated, next_look_at from watch_sources');
  expect(rows).toMatchObject([{ kind: 'onedrive', account: 'ada@example.com', simulated: true }]);
  expect(rows[0].next_look_at).not.toBeNull();
});

test('a code that is declined or expires ends with a sentence', async ({ fixture }) => {
  const steps = inDatabase(fixture.database.db);
  const declined = await steps.request();
  await steps.worker().look();
  await graph.answer((await steps.reach(declined, 'code')).user_code ?? '', false);
  expect((await steps.reach(declined, 'failed')).message).toContain('was declined');

  await graph.behave({ codeSeconds: 0.5, blocksCodes: true });
  const blocked = await steps.request();
  await steps.worker().look();
  const { user_code: code } = await steps.reach(blocked, 'code');
  expect(await graph.answer(code ?? '', true)).toBe(false);
  expect((await steps.reach(blocked, 'failed')).message).toMatch(/code has expired.*organization blocks/);
  await expect(steps.namesIn()).rejects.toMatchObject({ kind: 'setup' });
});

test('a refused app and a login server that is away end with a sentence', async ({ fixture }) => {
  const steps = inDatabase(fixture.database.db);
  await graph.behave({ faults: [{ on: 'devicecode', status: 400, code: 'unauthorized_client' }] });
  const first = await steps.request();
  await steps.worker().look();
  expect((await steps.reach(first, 'failed')).message).toBe(
    'Microsoft refuses the sign-in. AADSTS1: Simulated.',
  );
  await graph.behave({ faults: [{ on: 'devicecode', status: 503 }] });
  const second = await steps.request();
  await steps.worker().look();
  expect((await steps.reach(second, 'failed')).message).toContain('can’t be reached');
  const third = await inDatabase(fixture.database.db, { env: { ...env, simulatorUrl: null } }).request();
  await inDatabase(fixture.database.db, { env: { ...env, simulatorUrl: null } })
    .worker()
    .look();
  expect((await steps.reach(third, 'failed')).message).toContain('Set ONEDRIVE_CLIENT_ID');
});

test('cancelled, replaced, interrupted and unanswered sign-ins say so, and do not sign in', async ({
  fixture,
}) => {
  const { db, pool } = fixture.database;
  const steps = inDatabase(db);
  const first = await steps.request();
  const worker = steps.worker();
  await worker.look();
  const { user_code: code } = await steps.reach(first, 'code');
  expect(await cancelSignIn(db, first)).toBe(true);
  expect(await cancelSignIn(db, first)).toBe(false);
  await graph.answer(code ?? '', true);

  const second = await steps.request();
  const third = await steps.request();
  expect(await readSignIn(db, second)).toMatchObject({
    state: 'cancelled',
    message: 'Another sign-in was started.',
  });
  await steps.worker().look();
  await steps.reach(third, 'code');
  // Its process is killed: it reports itself no more.
  await loseTasks({ pool });
  expect(await readSignIn(db)).toMatchObject({
    id: third,
    ...{ state: 'failed', message: 'The sign-in was interrupted. Start again.' },
  });

  const fourth = await steps.request();
  await pool.query(`update sign_ins set created_at = now() - interval '2 minutes' where id = $1`, [fourth]);
  expect((await readSignIn(db, fourth))?.message).toContain('No folder worker answered.');
  expect(await beginSignIn(db, { claims: 99 })).toBeUndefined();

  // A worker that is stopped says so at once.
  const fifth = await steps.request();
  const last = steps.worker();
  await last.look();
  await steps.reach(fifth, 'code');
  await last.stop();
  expect(await readSignIn(db, fifth)).toMatchObject({
    message: 'The sign-in was interrupted. Start again.',
  });
  await Promise.all(workers.map((one) => one.stop()));
  expect(await readSignIn(db, first)).toMatchObject({ state: 'cancelled' });
  expect(await versionOf(db, oneDriveService)).toBeUndefined();
});

test('two workers carry out one sign-in', async ({ fixture }) => {
  const steps = inDatabase(fixture.database.db);
  await graph.calls();
  const id = await steps.request();
  steps.worker();
  steps.worker();
  // Both look again and again: on a busy machine one may take the other for lost before it has begun.
  await until('code', async () => {
    await Promise.all(workers.map((worker) => worker.look()));
    return (await readSignIn(fixture.database.db, id))?.state === 'code';
  });
  await Promise.all(workers.map((worker) => worker.look()));
  expect((await graph.calls()).filter((kind) => kind === 'devicecode')).toHaveLength(1);
});

test('the permission follows the file options', async ({ fixture }) => {
  const { db } = fixture.database;
  const steps = inDatabase(db);
  await steps.signIn();
  const canWrite = async () => (await steps.drive().resolve(null, signal)).canWrite;
  expect(await canWrite()).toBe(false);
  await saveSettings(db, { moveToArchive: true });
  expect(await canWrite()).toBe(false);
  await steps.signIn();
  expect(await canWrite()).toBe(true);
});

test('a refreshed sign-in is sealed in place; one that was replaced meanwhile is dropped', async ({
  fixture,
}) => {
  const { db, pool } = fixture.database;
  const steps = inDatabase(db);
  await steps.signIn();
  const drive = steps.drive();
  const version = await versionOf(db, oneDriveService);
  await graph.account({ revoke: 'access' });
  const place = await drive.resolve(null, signal);
  expect(await versionOf(db, oneDriveService)).toBeGreaterThan(version ?? 0);
  expect((await pool.query('select 1 from credentials')).rows).toHaveLength(1);
  await drive.look(place, null, signal);

  // A process that has the former sign-in is late.
  const former = await readCredential(db, keys, oneDriveService);
  const late = openDrive(env, SavedSignIn.parse(former?.value), {
    folder: async () => path,
    save: async (value) => {
      const change = { service: oneDriveService, value, version: former?.version ?? 0 };
      return (await updateCredential(db, keys, change)) !== null;
    },
  });
  await graph.account({ name: 'grace@example.com' });
  await steps.signIn();
  const other = await readCredential(db, keys, oneDriveService);
  await graph.account({ revoke: 'access' });
  await expect(late.look(place, null, signal)).rejects.toMatchObject({ kind: 'network' });
  expect(await readCredential(db, keys, oneDriveService)).toEqual(other);
  expect((await drive.resolve(null, signal)).account).toBe('grace@example.com');
});

test('a sign-in that has ended is trouble, and the next one goes on', async ({ fixture }) => {
  const steps = inDatabase(fixture.database.db);
  await steps.signIn();
  await graph.account({ revoke: 'all' });
  await expect(steps.namesIn()).rejects.toMatchObject({
    kind: 'sign in',
    message: 'The sign-in has ended. Sign in again; files that arrived meanwhile are imported then.',
  });
  await steps.signIn();
  expect(await steps.namesIn()).toEqual(['a.csv']);
});

test('an app registration is tested before it replaces a sign-in', async ({ fixture }) => {
  const { db } = fixture.database;
  const steps = inDatabase(db);
  await steps.signIn();
  const before = await versionOf(db, oneDriveService);
  await graph.behave({ clientSecrets: ['another-secret'] });
  const refused = await steps.request('app');
  await steps.worker().look();
  expect((await steps.reach(refused, 'failed')).message).toBe(
    'Microsoft doesn’t accept this app registration. AADSTS7000215: Invalid client secret provided.',
  );
  expect(await versionOf(db, oneDriveService)).toBe(before);
  expect(await versionOf(db, untestedAppService)).toBeUndefined();

  await graph.behave({ clientSecrets: [app.clientSecret] });
  const accepted = await steps.request('app');
  await steps.worker().look();
  expect((await steps.reach(accepted, 'done')).message).toBe('Connected to the OneDrive of ada@example.com.');
  expect(await versionOf(db, untestedAppService)).toBeUndefined();
  expect(await steps.namesIn()).toEqual(['a.csv']);
  await graph.behave({ clientSecrets: ['another-secret'] });
  await expect(steps.namesIn()).rejects.toMatchObject({
    ...{
      kind: 'sign in',
      message: 'Microsoft doesn’t accept the app registration any more. Enter it again.',
    },
  });
});

test.for(clouds)(
  'the login server of the cloud %s is asked under the name that holds for it',
  async (cloud, { fixture }) => {
    const { db } = fixture.database;
    const steps = inDatabase(db, { env: { ...env, cloud } });
    await steps.signIn();
    expect(await steps.namesIn()).toEqual(['a.csv']);
    await graph.behave({ clientSecrets: [app.clientSecret] });
    const id = await steps.request('app');
    await steps.worker().look();
    await steps.reach(id, 'done');
    expect(await steps.namesIn()).toEqual(['a.csv']);
  },
);

test('an app registration that was entered for a sign-in that is lost is not kept', async ({ fixture }) => {
  const { db, pool } = fixture.database;
  const steps = inDatabase(db);
  const unanswered = await steps.request('app');
  expect(await versionOf(db, untestedAppService)).toBeDefined();
  await pool.query(`update sign_ins set created_at = now() - interval '2 minutes'`);
  expect(await readSignIn(db, unanswered)).toMatchObject({ state: 'failed' });
  expect(await versionOf(db, untestedAppService)).toBeUndefined();

  await steps.request('app');
  const task = await claimKind(db, 'sign-in');
  if (!task) throw new Error('The sign-in was not claimed');
  await beginSignIn(db, task);
  await loseTasks({ pool });
  await steps.worker().look();
  await until(
    'the registration is removed',
    async () => (await versionOf(db, untestedAppService)) === undefined,
  );
  expect(await versionOf(db, untestedAppService)).toBeUndefined();
  // The registration of the next one is kept until it is tested.
  await steps.request('app');
  await readSignIn(db);
  expect(await versionOf(db, untestedAppService)).toBeDefined();
});

test('disconnecting needs no key; another key, a lost key and no key say what to do', async ({ fixture }) => {
  const { db } = fixture.database;
  const steps = inDatabase(db);
  await steps.signIn();
  const [, newText] = keyTexts;
  const lost = inDatabase(db, { keys: keysOf(newText) });
  expect(await resealCredentials(db, keysOf(newText))).toHaveLength(1);
  await expect(lost.namesIn()).rejects.toMatchObject({ kind: 'sign in' });
  expect(await resealCredentials(db, keysOf(newText, keyTexts[0]))).toEqual([]);
  expect(await lost.namesIn()).toEqual(['a.csv']);

  expect(await db.transaction().execute(disconnectOneDrive)).toBe(true);
  expect(await db.transaction().execute(disconnectOneDrive)).toBe(false);
  await expect(lost.namesIn()).rejects.toMatchObject({ kind: 'setup' });
  const keyless = inDatabase(db, { keys: null });
  const id = await keyless.request();
  await keyless.worker().look();
  expect((await keyless.reach(id, 'failed')).message).toContain('Set its SEALING_KEY and restart');
});

test('a sign-in to the simulator is never sent to Microsoft', async ({ fixture }) => {
  const { db } = fixture.database;
  await inDatabase(db).signIn();
  await graph.calls();
  const real = inDatabase(db, { env: { ...env, simulatorUrl: null } });
  await expect(real.namesIn()).rejects.toMatchObject({ kind: 'sign in' });
  expect(await graph.calls()).toEqual([]);
});
