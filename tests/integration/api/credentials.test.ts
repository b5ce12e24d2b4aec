import { randomBytes } from 'node:crypto';
import {
  listCredentialProblems,
  readCredential,
  resealCredentials,
  shopifyService,
} from '@draftshelf/core/access/credentials';
import {
  type CredentialPurpose,
  deriveAllSealingKeys,
  deriveSealingKey,
  parseSealingKey,
  parseWorkerKeys,
  seal,
} from '@draftshelf/core/access/sealing';
import { readStoreCurrency, upsertShop } from '@draftshelf/core/push/store/shops';
import { afterAll, afterEach, describe, expect } from 'vitest';
import { saveDemoStore } from '../../../apps/api/src/access/store-credentials.ts';
import { demoShop } from '../../../apps/simulators/store/src/demo-shop.ts';
import { accessToken, clientCredentials, startStore, type TestStore } from '../../store/start-store.ts';
import { forbiddenStore, startApi } from '../../support/api.ts';
import { api, fixture, testOnApi } from '../../support/test.ts';

const keyText = randomBytes(32).toString('hex');
const keys = deriveAllSealingKeys({ CREDENTIALS_KEY: keyText });
const path = '/api/connections/shopify/credentials';

let store: TestStore;
const test = testOnApi(async () => {
  if (!keys) throw new Error('no key');
  store = await startStore();
  return { sealingKeys: keys };
});
afterAll(() => store.stop());
afterEach(() => fixture.database.pool.query('delete from credentials'));

const save = (body: object) => api.call('PUT', path, { body });
const shopify = async () => ((await api.call('GET', '/api/connections')).body as object[])[0];
const savedRows = async () => (await fixture.database.pool.query('select * from credentials')).rows;

describe('without credentials', () => {
  test('everything but the store works and says so', async () => {
    expect(await shopify()).toMatchObject({
      status: 'disconnected',
      details: {
        state: 'not-configured',
        message: expect.stringContaining('No store is connected.'),
        credentials: { source: 'none', kind: null, storeUrl: null, lockedBecause: null },
      },
    });
    expect(await api.call('POST', '/api/connections/test/shopify')).toMatchObject({
      status: 200,
      body: { success: false, state: 'not-configured' },
    });
    expect(await api.call('POST', '/api/shopify/test')).toMatchObject({
      status: 200,
      body: { success: false, connected: { status: 'error' } },
    });
    expect((await api.call('GET', '/api/queue')).status).toBe(200);
    expect((await api.call('DELETE', path)).status).toBe(404);
  });
});

describe('saved credentials', () => {
  test('are tested, sealed, used at once, never sent back, and removed', async () => {
    const { status, body } = await save({ storeUrl: store.url, accessToken });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { success: true, state: 'connected', message: expect.stringContaining('Connected to') },
    });
    const connection = await shopify();
    expect(connection).toMatchObject({
      status: 'connected',
      details: {
        shopDomain: new URL(store.url).host,
        credentials: { source: 'saved', kind: 'token', storeUrl: store.url, savedAt: expect.any(String) },
      },
    });
    expect(JSON.stringify([body, connection])).not.toContain(accessToken);
    const [row] = await savedRows();
    expect(row).toMatchObject({
      service: 'shopify',
      shop: 'draftshelf-demo.myshopify.com',
      origin: 'operator',
    });
    expect(row.sealed.includes(accessToken)).toBe(false);
    expect(await api.call('DELETE', path)).toMatchObject({ status: 200, body: { success: true } });
    expect(await shopify()).toMatchObject({ details: { state: 'not-configured' } });
    expect(await savedRows()).toEqual([]);
  });

  test('may be an app’s id and secret, and replace each other', async () => {
    const { id: clientId, secret: clientSecret } = clientCredentials;
    await save({ storeUrl: store.url, accessToken });
    expect(await save({ storeUrl: store.url, clientId, clientSecret })).toMatchObject({
      body: { success: true },
    });
    expect(await shopify()).toMatchObject({ status: 'connected', details: { credentials: { kind: 'app' } } });
    // The first ones are gone: no push began with them.
    expect(await savedRows()).toHaveLength(1);
  });

  test.each<[string, () => object, object]>([
    ['a wrong token', () => ({ storeUrl: store.url, accessToken: 'shpat_wrong' }), { state: 'wrong-token' }],
    [
      'a wrong secret',
      () => ({ storeUrl: store.url, clientId: clientCredentials.id, clientSecret: 'wrong' }),
      { state: 'wrong-token' },
    ],
    ['no network', () => ({ storeUrl: 'http://127.0.0.1:9', accessToken }), { state: 'network' }],
  ])('%s is told apart and not saved', async (_name, body, state) => {
    expect(await save(body())).toMatchObject({ status: 200, body: { success: false, ...state } });
    expect(await savedRows()).toEqual([]);
  });

  test.each([
    ['a locked store', { kind: 'status', status: 423, operation: 'shop' }, 'locked'],
    ['an unknown store', { kind: 'status', status: 404, operation: 'shop' }, 'unknown-shop'],
    ['an error of the store', { kind: 'status', status: 503, operation: 'shop' }, 'network'],
  ])('%s is told apart and not saved', async (_name, fault, state) => {
    await store.fault(fault);
    expect(await save({ storeUrl: store.url, accessToken })).toMatchObject({
      body: { success: false, state },
    });
    expect(await savedRows()).toEqual([]);
  });

  test('a missing scope is named', async () => {
    const narrow = await startStore({ shop: { ...demoShop(), scopes: ['write_products', 'read_products'] } });
    const { body } = await save({ storeUrl: narrow.url, accessToken });
    expect(body).toMatchObject({
      success: false,
      state: 'missing-scope',
      message: expect.stringContaining('read_locations, write_inventory'),
    });
    expect(await savedRows()).toEqual([]);
    await narrow.stop();
  });

  test.each([
    [{}, 'storeUrl'],
    [{ storeUrl: 'my-store', accessToken: '' }, 'accessToken'],
    [{ storeUrl: 'my-store', accessToken: 'two words' }, 'accessToken'],
    [{ storeUrl: 'my-store', clientId: 'a' }, undefined],
    [{ storeUrl: 'my-store', accessToken: 'a', clientId: 'b', clientSecret: 'c' }, undefined],
    [{ storeUrl: 'https://example.com', accessToken: 'a' }, 'storeUrl'],
    [{ storeUrl: 'http://10.0.0.7', accessToken: 'a' }, 'storeUrl'],
    [{ storeUrl: forbiddenStore, accessToken: 'a' }, 'storeUrl'],
  ])('%j is refused', async (body, field) => {
    const answer = await save(body);
    expect(answer.status).toBe(400);
    expect((answer.body as { field?: string }).field).toBe(field);
  });
});

test('the demo store says that it is one, a store of one’s own does not', async () => {
  await save({ storeUrl: store.url, accessToken });
  const demoStoreUrl = `${store.url}/`;
  const demo = await startApi(fixture, { ...(keys && { sealingKeys: keys }), set: { demoStoreUrl } });
  const [first] = (await demo.call('GET', '/api/connections')).body as object[];
  expect(first).toMatchObject({ details: { credentials: { source: 'saved', isDemo: true } } });
  await demo.close();
  expect(await shopify()).toMatchObject({ details: { credentials: { isDemo: false } } });
});

test('the environment of the server wins, and its store cannot be changed here', async () => {
  await save({ storeUrl: store.url, accessToken });
  const other = await startApi(fixture, { storeUrl: store.url, storeToken: accessToken });
  const [first] = (await other.call('GET', '/api/connections')).body as object[];
  expect(first).toMatchObject({
    status: 'connected',
    details: { credentials: { source: 'server', lockedBecause: expect.stringContaining('environment') } },
  });
  expect((await other.call('PUT', path, { body: { storeUrl: store.url, accessToken } })).status).toBe(409);
  expect((await other.call('DELETE', path)).status).toBe(409);
  await other.close();
});

test('the currency is that of the saved store, unless the environment sets another one', async () => {
  const { db } = fixture.database;
  const elsewhere = { shop: 'elsewhere.myshopify.com', url: 'https://elsewhere.myshopify.com' };
  await upsertShop(db, { ...elsewhere, currency: 'NOK' });
  expect(await readStoreCurrency(db, null)).toBeNull();
  await save({ storeUrl: store.url, accessToken });
  expect(await readStoreCurrency(db, null)).toBe('CAD');
  expect(await readStoreCurrency(db, `${elsewhere.url}/`)).toBe('NOK');
  expect(await readStoreCurrency(db, 'https://unknown.myshopify.com')).toBeNull();
});

describe('the key', () => {
  test('is rotated: old values are read once and sealed again', async () => {
    await save({ storeUrl: store.url, accessToken });
    const CREDENTIALS_KEY = randomBytes(32).toString('hex');
    const rotated = deriveAllSealingKeys({ CREDENTIALS_KEY, CREDENTIALS_KEY_OLD: keyText });
    expect(await resealCredentials(fixture.database.db, rotated)).toEqual([]);
    const withoutOld = deriveAllSealingKeys({ CREDENTIALS_KEY });
    expect(await resealCredentials(fixture.database.db, withoutOld)).toEqual([]);
    const { value } = (await readCredential(fixture.database.db, withoutOld, shopifyService)) ?? {};
    expect(value).toEqual({ url: store.url, accessToken });
    expect(await resealCredentials(fixture.database.db, keys)).toHaveLength(1);
  });

  test('of a worker opens what it works with, once it is sealed again, and nothing of another service', async () => {
    const { db, pool } = fixture.database;
    const secrets = { shopify: 'store', upcitemdb: 'lookups', ai: 'lookups', onedrive: 'folders' } as const;
    const root = parseSealingKey(keyText);
    for (const service of Object.keys(secrets)) {
      // As earlier versions did.
      const sealed = seal(root, service, JSON.stringify(`secret of ${service}`));
      await pool.query(
        `insert into credentials (service, key_id, sealed, origin) values ($1, $2, $3, 'operator')`,
        [service, root.id, sealed],
      );
    }
    const readBy = async (purpose: CredentialPurpose) => {
      const own = parseWorkerKeys({ SEALING_KEY: deriveSealingKey(keyText, purpose) }, purpose);
      // The worker of another purpose that has this key, and takes it for its own.
      const services = Object.keys(secrets).map(async (service) => {
        const asItsOwn = own?.[purpose] && { [secrets[service as keyof typeof secrets]]: own[purpose] };
        const saved = await readCredential(db, asItsOwn ?? null, service);
        return saved === undefined ? [] : [saved.value];
      });
      return [await listCredentialProblems(db, own, purpose), (await Promise.all(services)).flat()];
    };
    const problem = [
      expect.stringMatching(/credentials of shopify .* SEALING_KEY of this worker .* restart the api/),
    ];
    expect(await readBy('store')).toEqual([problem, []]);
    expect(await resealCredentials(db, keys)).toEqual([]);
    expect(await readBy('store')).toEqual([[], ['secret of shopify']]);
    expect(await readBy('lookups')).toEqual([[], ['secret of upcitemdb', 'secret of ai']]);
    expect(await readBy('folders')).toEqual([[], ['secret of onedrive']]);
    // The key of a worker is no root key either.
    const stolen = deriveAllSealingKeys({ CREDENTIALS_KEY: deriveSealingKey(keyText, 'lookups') });
    expect(await readCredential(db, stolen, shopifyService)).toBeUndefined();
  });

  test('that is lost makes credentials unreadable; Settings says so and takes them again', async () => {
    await save({ storeUrl: store.url, accessToken });
    const lost = deriveAllSealingKeys({ CREDENTIALS_KEY: randomBytes(32).toString('hex') });
    if (!lost) throw new Error('no key');
    const sealedWith = 'The saved credentials of shopify were sealed with the key';
    const problems = await resealCredentials(fixture.database.db, lost);
    expect(problems).toEqual([expect.stringContaining(sealedWith)]);
    expect(await resealCredentials(fixture.database.db, null)).toEqual([
      expect.stringContaining('CREDENTIALS_KEY is not set, or SEALING_KEY of this worker, but'),
    ]);
    const other = await startApi(fixture, { sealingKeys: lost });
    const seen = async () => ((await other.call('GET', '/api/connections')).body as object[])[0];
    expect(await seen()).toMatchObject({
      status: 'disconnected',
      details: {
        state: 'not-configured',
        message: 'No store is connected: its saved credentials can’t be read. Enter them again in Settings.',
        cause: expect.stringContaining(sealedWith),
        credentials: { source: 'none', lockedBecause: null },
      },
    });
    expect((await other.call('GET', '/api/queue')).status).toBe(200);
    // Until they are entered again, the key may still be found.
    expect(await shopify()).toMatchObject({ status: 'connected' });
    await other.call('PUT', path, { body: { storeUrl: store.url, accessToken } });
    expect(await seen()).toMatchObject({ status: 'connected' });
    await other.close();
  });

  test('is not needed while nothing is saved', async () => {
    expect(await resealCredentials(fixture.database.db, null)).toEqual([]);
  });

  test('that is lost does not let a demo store replace the operator’s', async () => {
    await save({ storeUrl: store.url, accessToken });
    const lost = deriveAllSealingKeys({ CREDENTIALS_KEY: randomBytes(32).toString('hex') });
    if (!lost) throw new Error('no key');
    const demo = { DEMO_STORE_URL: 'http://127.0.0.1:9', DEMO_STORE_TOKEN: 'demo' };
    await saveDemoStore(fixture.database.db, lost, demo);
    expect(await savedRows()).toHaveLength(1);
    await fixture.database.pool.query(`update credentials set origin = 'start'`);
    await saveDemoStore(fixture.database.db, lost, demo);
    expect(await readCredential(fixture.database.db, lost, shopifyService)).toMatchObject({
      value: { url: 'http://127.0.0.1:9', accessToken: 'demo' },
    });
  });
});
