import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { secondShop } from '../../../apps/simulators/store/src/demo-shop.ts';
import { accessToken, startStore, type TestStore } from '../../store/start-store.ts';
import { browserOf, csvForm } from '../../support/api-client.ts';
import { startApp } from '../../support/app-process.ts';
import { fixtureEnv, productCsv, until } from '../../support/fixture.ts';
import { holdStage } from '../../support/hold-stage.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { type Stack, startStack, storeToken } from '../../support/stack.ts';

const credentialsKey = randomBytes(32).toString('hex');
const path = '/api/connections/shopify/credentials';

let stack: Stack;
let other: TestStore;
let api: ReturnType<typeof browserOf>;
beforeAll(async () => {
  stack = await startStack({
    names: ['store-simulator', 'api', 'parse-worker', 'enrich-worker', 'push-worker'],
    env: { CONCURRENCY: '1' },
    credentialsKey,
  });
  other = await startStore({ shop: secondShop() });
  api = browserOf(stack.apiUrl);
  await api.login();
});
afterAll(async () => {
  await other?.stop();
  await stack?.close();
});

const steps = pushSteps(() => stack);
const connect = (storeUrl: string, token: string) =>
  api.call('PUT', path, { body: { storeUrl, accessToken: token } });

async function uploaded(filename: string, rows: number): Promise<string> {
  // Other SKUs than the other files: the same ones would be matched with the products that are in the store.
  const csv = productCsv(rows).replaceAll('V-', `${filename}-`);
  const { body } = await api.upload(csvForm(csv, { filename }));
  const { id } = body as { id: string };
  await steps.reach(id, 'processed');
  return id;
}

const linksOf = async (id: string) => {
  const { body } = await api.call('GET', `/api/queue/${id}/rows?limit=100`);
  const { rows } = body as { rows: { outcome: { storeUrl: string | null } | null }[] };
  return [...new Set(rows.map((row) => new URL(row.outcome?.storeUrl ?? 'none:').origin))];
};

async function draftsUrlOf(id: string): Promise<string | null> {
  const { body } = await api.call('GET', `/api/queue/${id}?rows=0`);
  const report = await api.call('GET', `/api/queue/${id}/report`);
  const { draftsUrl } = (body as { job: { draftsUrl: string | null } }).job;
  expect(report.body).toMatchObject({ draftsUrl });
  return draftsUrl;
}

test('without a store, a push fails with this cause, and succeeds once one is connected', async () => {
  const id = await uploaded('none.csv', 2);
  expect(await api.call('POST', `/api/queue/${id}/plan`)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('No store is connected.') },
  });
  await api.call('POST', `/api/queue/${id}/push`);
  expect((await steps.reach(id, 'failed')).error_message).toContain('No store is connected.');
  expect(await connect(stack.store.url, storeToken)).toMatchObject({ body: { success: true } });
  await api.call('POST', `/api/jobs/${id}/retry`);
  expect(await steps.reach(id, 'completed')).toMatchObject({
    created: 2,
    shop: 'draftshelf-demo.myshopify.com',
  });
  const draftsUrl = await draftsUrlOf(id);
  expect(draftsUrl).toMatch(`${stack.store.url}/admin/products?`);
  expect(await (await fetch(draftsUrl ?? '')).text()).toContain('<h1>Products <small>2</small></h1>');

  await api.call('POST', `/api/queue/${id}/push`);
  await until('a second push has found them unchanged', async () => (await steps.read(id)).unchanged === 2);
  await steps.reach(id, 'completed');
  expect(await draftsUrlOf(id)).toBeNull();
});

test.runIf(isLong)(
  'a push that is running when the store changes ends on its shop; the next one uses the new store',
  async () => {
    const id = await uploaded('change.csv', 60);
    const before = (await stack.store.products()).length;
    await stack.store.fault({ kind: 'delay', delayMs: 1500, operation: 'productSet', times: 60 });
    await api.call('POST', `/api/queue/${id}/push`);
    await until('the first product is decided', async () => (await steps.read(id)).push_done > 0);
    expect(await connect(other.url, accessToken)).toMatchObject({ body: { success: true } });
    expect((await steps.read(id)).status).toBe('uploading');

    expect(await steps.reach(id, 'completed')).toMatchObject({ created: 60, failed: 0 });
    expect((await stack.store.products()).length).toBe(before + 60);
    expect(await other.products()).toEqual([]);
    expect(await linksOf(id)).toEqual([stack.store.url]);

    await api.call('POST', `/api/queue/${id}/push`);
    await until('the second push has ended', async () => (await steps.read(id)).push_run === 2);
    expect(await steps.reach(id, 'completed')).toMatchObject({
      created: 60,
      shop: 'draftshelf-second.myshopify.com',
    });
    expect(await other.products()).toHaveLength(60);
    expect(await linksOf(id)).toEqual([other.url]);
  },
);

test('the replaced credentials are removed once no push needs them', async () => {
  await connect(other.url, accessToken);
  const { rows } = await stack.database.pool.query('select shop from credentials');
  expect(rows).toEqual([{ shop: 'draftshelf-second.myshopify.com' }]);
});

test('credentials that are removed during a push end it with this cause', async () => {
  const id = await uploaded('removed.csv', 40);
  await other.fault({ kind: 'delay', delayMs: 1500, operation: 'productSet', times: 40 });
  // Its products look like those of the lists before, so it is open whose list it is.
  const begun = await api.call('POST', `/api/queue/${id}/push`, { body: { supplier: null } });
  expect(begun.status).toBe(200);
  await until('the first product is decided', async () => (await steps.read(id)).push_done > 0);
  await api.call('DELETE', path);
  expect((await steps.reach(id, 'failed')).error_message).toContain(
    'This push began with draftshelf-second.myshopify.com, which is no longer connected.',
  );
  await connect(other.url, accessToken);
});

test.runIf(isLong)(
  'a plan whose store is disconnected ends with this sentence, and no task is dead',
  async () => {
    const id = await uploaded('disconnected.csv', 2);
    const release = await holdStage(stack, 'push');
    expect(await api.call('POST', `/api/queue/${id}/plan`)).toMatchObject({ status: 202 });
    expect(await api.call('DELETE', path)).toMatchObject({ status: 200 });
    await release();
    const plan = async () => (await api.call('GET', `/api/queue/${id}/plan`)).body as { state: string };
    await until('the plan has ended', async () => (await plan()).state === 'failed');
    expect(await plan()).toMatchObject({
      message: 'No store is connected. Connect one in Settings, then plan again.',
    });
    const { rows: tasks } = await stack.database.pool.query(
      `select state from chunks where import_id = $1 and task = 'plan-push'`,
      [id],
    );
    expect(tasks).toEqual([{ state: 'done' }]);
    await connect(other.url, accessToken);
  },
);

test.runIf(isLong)('workers start with another key and leave the credentials as they are', async () => {
  const services = fixtureEnv(stack);
  const wrong = { ...services, SEALING_KEY: randomBytes(32).toString('hex') };
  const sealed = async () => (await stack.database.pool.query('select key_id, sealed from credentials')).rows;
  const before = await sealed();
  for (const app of ['push-worker', 'enrich-worker'] as const) {
    for (const env of [wrong, services]) await (await startApp(app, env)).stop();
  }
  expect(await sealed()).toEqual(before);
  expect(await api.call('POST', '/api/connections/test/shopify')).toMatchObject({
    body: { success: true },
  });
});
