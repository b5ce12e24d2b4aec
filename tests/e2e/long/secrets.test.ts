import { randomBytes } from 'node:crypto';
import { deriveAllSealingKeys } from '@draftshelf/core/access/sealing';
import { saveSettings } from '@draftshelf/core/access/settings';
import { readSignIn, requestSignIn } from '@draftshelf/core/folders/sign-ins';
import { getStream } from '@draftshelf/object-storage/objects';
import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { bareProducts, startAi, type TestAi, titled } from '../../support/ai.ts';
import { csvForm } from '../../support/api-client.ts';
import { productCsv, storedUnder, until } from '../../support/fixture.ts';
import { startGraph, type TestGraph } from '../../support/graph.ts';
import { gtinOf, startSources, type TestSources } from '../../support/sources.ts';
import { appCredentials, type Stack, sessionSecret, storeToken } from '../../support/stack.ts';
import { api, browser, stack, testOnOwnStack, workers } from '../own-stack.ts';
import { accessKey } from '../product.ts';
import { signIn } from '../steps.ts';

const credentialsKey = randomBytes(32).toString('hex');
const refusedToken = 'shpat_canary_of_a_refused_token';
const sourceKeys = { upcitemdb: 'canary-of-a-key-1', 'barcode-lookup': 'canary-of-a-key-2' };
const refusedKey = 'canary-of-a-refused-key';
const aiKeys = { taken: 'canary-of-an-ai-key', refused: 'canary-of-a-refused-ai-key' };
const appSecret = 'canary-of-an-app-at-microsoft';
const credentialsPath = '/api/connections/shopify/credentials';

let sources: TestSources;
let graph: TestGraph;
let ai: TestAi;
let importId: string;
/** Everything that was found, by where it was found. */
const found: { where: string; text: string }[] = [];

const canaries = (): Record<string, string> => ({
  'access key': accessKey,
  'session secret': sessionSecret,
  'credentials key': credentialsKey,
  'store token': storeToken,
  'refused token': refusedToken,
  'client secret': appCredentials.secret,
  'key of UPCitemdb': sourceKeys.upcitemdb,
  'key of Barcode Lookup': sourceKeys['barcode-lookup'],
  'refused key of a source': refusedKey,
  'key of an AI service': aiKeys.taken,
  'refused key of an AI service': aiKeys.refused,
  'secret of an app registration': appSecret,
  // All secrets of one kind of the simulated OneDrive begin alike.
  'access token of OneDrive': 'sim-access-',
  'refresh token of OneDrive': 'sim-refresh-',
  'device code of OneDrive': 'sim-device-',
  'address of contents in OneDrive': 'sim-contents-',
  's3 secret': stack.storageEnv.S3_SECRET_KEY,
  'database password': new URL(stack.databaseUrl).password,
});

afterAll(() => Promise.all([sources?.close(), graph?.close(), ai?.close()]));
const test = testOnOwnStack(async () => {
  [sources, graph, ai] = await Promise.all([startSources(), startGraph(), startAi()]);
  const allowed = `${sources.env.FETCH_ALLOW},${ai.env.FETCH_ALLOW}`;
  const env = { ...sources.env, ...graph.env, FETCH_ALLOW: allowed, LOG_LEVEL: 'debug' };
  return { names: [...workers, 'folder-worker'], env, credentialsKey };
});

const note = (where: string, text: unknown) =>
  found.push({ where, text: typeof text === 'string' ? text : JSON.stringify(text) });

async function call(method: string, path: string, body?: object) {
  const answer = await api.call(method, path, body ? { body } : {});
  note(`${method} ${path}`, [answer.status, answer.body]);
  return answer;
}

test('credentials are saved, refused and used, and a push runs', async () => {
  const { id: clientId, secret: clientSecret } = appCredentials;
  const storeUrl = stack.store.url;
  const save = (body: object) => call('PUT', credentialsPath, { storeUrl, ...body });
  expect((await save({ accessToken: refusedToken })).body).toMatchObject({ success: false });
  expect((await save({ accessToken: `${refusedToken} `.repeat(2) })).status).toBe(400);
  expect((await save({ accessToken: storeToken })).body).toMatchObject({ success: true });
  expect((await save({ clientId, clientSecret })).body).toMatchObject({ success: true });
  const { body } = await api.upload(csvForm(productCsv(3)));
  note('upload', body);
  importId = (body as { id: string }).id;
  const reach = (status: string) =>
    until(status, async () => {
      const job = (await call('GET', `/api/jobs/${importId}?rows=0`)).body as { status: string };
      return job.status === status;
    });
  await reach('processed');
  await call('POST', `/api/queue/${importId}/push`);
  await reach('completed');
  // A store that fails is logged with its cause.
  await stack.store.fault({ kind: 'unauthorized', times: 4 });
  await call('POST', '/api/connections/test/shopify');
  await api.call('POST', '/api/auth/login', { body: { accessKey: `${accessKey}!` } });
});

test('keys of sources are saved, refused and used, also by calls that fail', async () => {
  const keys = Object.values(sourceKeys);
  for (const [name, key] of Object.entries(sourceKeys)) {
    await sources.behave(name as keyof typeof sourceKeys, { keys });
    const path = `/api/sources/${name}/key`;
    expect((await call('PUT', path, { key: refusedKey })).body).toMatchObject({ success: false });
    expect((await call('PUT', path, { key: `${refusedKey} `.repeat(2) })).status).toBe(400);
    expect((await call('PUT', path, { key })).body).toMatchObject({ success: true });
    await call('PATCH', '/api/sources', { sources: [{ name, enabled: true }] });
  }
  await call('POST', '/api/connections/test/upc_services');
  const failing = gtinOf(620_000_009_500);
  const lines = [gtinOf(620_000_000_001), failing].map((gtin) => `Vase ${gtin},9.90,${gtin.slice(1)}`);
  await api.upload(csvForm(['Title,Price,UPC', ...lines].join('\n')));
  await until('calls that fail', async () => {
    const { rows } = await stack.database.pool.query('select 1 from lookups where error is not null');
    return rows.length === 2;
  });
  const used = (await sources.journal()).filter(({ gtin }) => gtin === failing).map(({ key }) => key);
  expect(used.sort()).toEqual(keys);
});

test('OneDrive is signed in to in both ways and read, also by calls that fail', async () => {
  const { db, pool } = stack.database;
  const keys = deriveAllSealingKeys({ CREDENTIALS_KEY: credentialsKey });
  if (!keys) throw new Error('no keys');
  const request = (signIn: Parameters<typeof requestSignIn>[1]) =>
    db.transaction().execute((trx) => requestSignIn(trx, signIn));
  const reach = async (id: string, state: string) => {
    await until(state, async () => (await readSignIn(db, id))?.state === state);
    return readSignIn(db, id);
  };
  const path = '/SCD CSV Processing';
  const drive = { user: 'ada@example.com' };
  const app = { tenant: 'contoso.example', clientId: 'an-app', clientSecret: appSecret, drive };
  await graph.behave({ clientSecrets: ['another'] });
  await reach(await request({ way: 'app', app, keys }), 'failed');
  await graph.behave({ clientSecrets: [appSecret] });
  await reach(await request({ way: 'app', app, keys }), 'done');
  const coded = await request({ way: 'code' });
  const shown = await reach(coded, 'code');
  await graph.answer(shown?.user_code ?? '', true);
  await reach(coded, 'done');

  await graph.change([{ path: `${path}/before.csv`, text: productCsv(1) }]);
  await saveSettings(db, { oneDriveEnabled: true, oneDriveFolder: path });
  const states = async () =>
    (await pool.query<{ name: string; state: string; attempts: number }>('select * from watched_files')).rows;
  const look = () => pool.query(`update watch_sources set next_look_at = now() where kind = 'onedrive'`);
  await until('the first look', async () => {
    await look();
    return (await states()).length === 1;
  });
  await graph.behave({ contentOrigin: 'http://10.0.0.1' });
  await graph.change([{ path: `${path}/new.csv`, text: productCsv(2) }]);
  await until('a failed download', async () => {
    await look();
    return (await states()).some(({ attempts }) => attempts > 0);
  });
  await graph.behave();
  await until('a download', async () => {
    await pool.query('update watched_files set not_before = null');
    return (await states()).some(({ name, state }) => name === 'new.csv' && state === 'taken');
  });
});

test('the key of an AI service is saved, refused and used, also by calls that fail', async () => {
  const save = (body: object) => call('PUT', '/api/ai', { baseUrl: ai.url, model: 'strict', ...body });
  await ai.behave({ keys: [aiKeys.taken] });
  expect((await save({ key: aiKeys.refused })).body).toMatchObject({ ok: false });
  expect((await save({ key: `${aiKeys.refused} `.repeat(2) })).status).toBe(400);
  expect((await save({ key: aiKeys.taken })).body).toMatchObject({ ok: true });
  expect((await save({ model: 'nobody' })).body).toMatchObject({ ok: false });
  await call('POST', '/api/ai/test');
  const ends = ['failure', 'quota-bare', 'redirect', 'malformed'] as const;
  for (const sentinel of ends) {
    const { body } = await api.upload(csvForm(bareProducts([titled('Canary Lamp', sentinel)])));
    const { id } = body as { id: string };
    await until('processed', async () => {
      const job = (await call('GET', `/api/jobs/${id}?rows=0`)).body as { status: string };
      return job.status === 'processed';
    });
    // A service that takes no more requests, or fails, would be asked again only later.
    await stack.database.pool.query(
      'update ai_service set blocked_until = null, failures = 0, trouble = null',
    );
    expect((await call('POST', `/api/queue/${id}/ai`, { scope: 'all', fields: ['type'] })).status).toBe(202);
    await until('the call has ended', async () => {
      const { rows } = await stack.database.pool.query(
        'select 1 from ai_calls where import_id = $1 and ended_at is not null',
        [id],
      );
      return rows.length > 0;
    });
    await call('GET', `/api/queue/${id}/ai`);
    await call('POST', `/api/queue/${id}/ai/stop`);
  }
  expect((await ai.journal('Canary')).every(({ key }) => key === aiKeys.taken)).toBe(true);
  // A worker of which the service refuses the key says so to the operator, without it.
  await ai.behave({ keys: [] });
  await call('POST', '/api/ai/test');
});

test('replies of every call are noted', async () => {
  const paths = [
    'auth/status connections sources settings preferences rules ai mappings csv/fields',
    'system/info system/debug queue jobs/completed shopify/store shopify/products',
    'shopify/collections shopify/sync-inventory ready folders folders/onedrive/files',
    'folders/onedrive/sign-in',
    'queue/ID/ai queue/ID queue/ID/rows queue/ID/report queue/ID/mapping',
  ].flatMap((some) => some.replaceAll('ID', importId).split(' '));
  for (const path of [...paths.map((one) => `/api/${one}`), '/admin/queues/api/queues']) {
    expect((await call('GET', path)).status, path).toBe(200);
  }
  await call('GET', `/api/queue/${credentialsKey}`);
  await call('POST', '/api/shopify/test');
});

test('what the browser receives and stores is noted', () =>
  browser.visit({ expectedConsole: [/status of 40[049] /] }, async (page) => {
    page.on('response', async (response) => {
      const type = response.headers()['content-type'] ?? '';
      if (!/json|html/.test(type)) return;
      note(response.url(), await response.text().catch(() => ''));
    });
    await signIn(page);
    for (const path of ['/queue', `/queue/${importId}`, '/shopify', '/settings?tab=debug']) {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
    }
    await page.getByRole('button', { name: 'Generate Debug Report' }).click();
    note('debug report', await page.getByRole('textbox', { name: 'Debug report' }).inputValue());
    await page.goto('/settings?tab=connections');
    const store = page.getByRole('region', { name: 'Shopify', exact: true });
    await store.getByRole('button', { name: 'Show Credentials' }).click();
    await store.getByRole('button', { name: 'Test and Save' }).waitFor();
    await page.getByRole('button', { name: 'Key and quota of UPCitemdb' }).click();
    await page.getByLabel('Key of UPCitemdb', { exact: true }).waitFor();
    note('page', await page.content());
    note('browser storage', await storageOf(page));
  }));

const storageOf = (page: Page) =>
  page.evaluate(async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    cookie: document.cookie,
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
  }));

test('no secret is in any of it, nor in a log, nor in a dump of the database', async () => {
  for (const [name, process] of stack.processes) note(`log of ${name}`, process.output());
  for (const { key } of await storedUnder(stack.storage, '')) {
    note(
      `object ${key}`,
      Buffer.concat(await Array.fromAsync(await getStream(stack.storage, key))).toString(),
    );
  }
  for (const { schema, name } of await tablesOf(stack)) {
    const { rows } = await stack.database.pool.query(`select t::text as row from "${schema}"."${name}" t`);
    note(`table ${schema}.${name}`, rows.map(({ row }) => row).join('\n'));
  }
  for (const secret of Object.values(canaries())) expect(secret.length).toBeGreaterThan(8);
  const leaks = found.flatMap(({ where, text }) =>
    Object.entries(canaries())
      .filter(([, secret]) => appearsIn(text, secret))
      .map(([name]) => `${name} in ${where}`),
  );
  expect(leaks).toEqual([]);
  // The search itself works: the texts are there, and the file's own values are found in them.
  expect(found.length).toBeGreaterThan(60);
  const places = found.filter(({ text }) => text.includes('Vase 1')).map(({ where }) => where);
  expect(places).toContain('table public.rows');
  expect(places).toContain(`GET /api/queue/${importId}/rows`);
  expect(found.find(({ where }) => where === 'log of api')?.text).toContain('ready');
});

/** Whether a secret is in a text, as it is or in one of the forms in which databases and URLs write it. */
function appearsIn(text: string, secret: string): boolean {
  const bytes = Buffer.from(secret);
  const forms = [secret, encodeURIComponent(secret), bytes.toString('hex'), bytes.toString('base64')];
  return forms.some((form) => text.includes(form.replace(/=+$/, '')));
}

async function tablesOf({ database }: Stack): Promise<{ schema: string; name: string }[]> {
  const { rows } = await database.pool.query(
    `select table_schema as schema, table_name as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  return rows;
}
