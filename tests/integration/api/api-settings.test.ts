import { settingsDefault } from '@draftshelf/domain/access/settings';
import { describe, expect } from 'vitest';
import { accessToken, startStore } from '../../store/start-store.ts';
import { startApi } from '../../support/api.ts';
import { test } from '../../support/test.ts';

describe('settings', () => {
  test('are flat, with defaults, and can be saved in part or all', async ({ api }) => {
    expect(await api.call('GET', '/api/settings')).toMatchObject({ status: 200, body: settingsDefault });
    const some = await api.call('POST', '/api/settings', { body: { batchSize: 50, watchFrequency: '1440' } });
    expect(some.status).toBe(200);
    expect(some.body).toEqual({ ...settingsDefault, batchSize: 50, watchFrequency: '1440' });
    const all = { ...settingsDefault, draftMode: false, oneDriveFolder: '/Manifeste' };
    expect((await api.call('POST', '/api/settings', { body: all })).body).toEqual(all);
    expect((await api.call('GET', '/api/settings')).body).toEqual(all);
  });

  test.for<[string, unknown]>([
    ['batchSize', 7],
    ['batchSize', '25'],
    ['watchFrequency', 30],
    ['watchFrequency', '31'],
    ['autoProcessMode', 'always'],
    ['draftMode', 'false'],
    ['oneDriveFolder', '/Mani\0feste'],
    ['oneDriveFolder', '/\ud800'],
  ])('%s %j is refused and nothing is saved', async ([key, value], { api }) => {
    const before = (await api.call('GET', '/api/settings')).body;
    const answer = await api.call('POST', '/api/settings', { body: { autoRetry: true, [key]: value } });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid', field: key, message: expect.any(String) },
    });
    expect((await api.call('GET', '/api/settings')).body).toEqual(before);
  });

  test('a save may name the version that it changes; another one in between is a conflict with both', async ({
    api,
  }) => {
    const etag = (await api.call('GET', '/api/settings')).headers.get('etag') ?? '';
    const save = (body: object, version: string) =>
      api.call('POST', '/api/settings', { body, headers: { 'if-match': version } });
    const saved = await save({ batchSize: 10 }, etag);
    expect(saved).toMatchObject({ status: 200, body: { batchSize: 10 } });
    const late = await save({ batchSize: 100 }, etag);
    expect(late).toMatchObject({
      status: 409,
      body: { code: 'changed_elsewhere', message: expect.any(String), current: { batchSize: 10 } },
    });
    expect(late.headers.get('etag')).toBe(saved.headers.get('etag'));
    expect(await save({ batchSize: 100 }, saved.headers.get('etag') ?? '')).toMatchObject({ status: 200 });
    expect(await save({ batchSize: 25 }, 'nonsense')).toMatchObject({ status: 409 });
    expect(await save({ batchSize: 25 }, '*')).toMatchObject({ status: 200 });
  });

  test('an unknown key and a body that is not an object are refused', async ({ api }) => {
    expect((await api.call('POST', '/api/settings', { body: { colour: 'red' } })).status).toBe(400);
    expect((await api.call('POST', '/api/settings', { body: [1] })).status).toBe(400);
    expect((await api.call('POST', '/api/settings')).status).toBe(400);
  });
});

describe('connections', () => {
  test('are exactly three', async ({ api }) => {
    const { status, body } = await api.call('GET', '/api/connections');
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { id: 'shopify', service: 'shopify', status: 'disconnected', details: { shopDomain: '127.0.0.1:9' } },
      {
        ...{ id: 'onedrive', service: 'onedrive', status: 'disconnected' },
        details: { badge: 'Setup Required' },
      },
      {
        id: 'upc_services',
        service: 'upc_services',
        details: {
          services: ['UPCitemdb', 'Open Products Facts', 'Barcode Lookup'].map((name) => ({
            name,
            active: false,
          })),
        },
      },
    ]);
    expect(body).toHaveLength(3);
  });

  test('a test answers 200 when the service is down, and 404 for no such service', async ({ api }) => {
    for (const service of ['shopify', 'onedrive', 'upc_services']) {
      expect(await api.call('POST', `/api/connections/test/${service}`)).toMatchObject({
        status: 200,
        body: { success: false, message: expect.any(String) },
      });
    }
    expect((await api.call('POST', '/api/connections/test/fax')).status).toBe(404);
  });

  test('a store that answers is connected; it is asked once a minute, and at every test', async ({
    fixture,
  }) => {
    const store = await startStore();
    const connected = await startApi(fixture, { storeUrl: store.url, storeToken: accessToken });
    const asked = async () => (await store.stats()).requests.shop;
    const first = { service: 'shopify', status: 'connected', details: { adminUrl: `${store.url}/admin` } };
    for (let i = 0; i < 3; i += 1) {
      expect((await connected.call('GET', '/api/connections')).body).toMatchObject([first, {}, {}]);
    }
    expect(await asked()).toBe(1);
    expect(await connected.call('POST', '/api/connections/test/shopify')).toMatchObject({
      status: 200,
      body: { success: true, message: expect.stringContaining('Connected to') },
    });
    expect(await connected.call('POST', '/api/shopify/test')).toMatchObject({
      status: 200,
      body: { success: true, connected: { status: 'success' } },
    });
    expect(await asked()).toBe(3);
    await connected.close();
    await store.stop();
  });

  test('a key that the store refuses is reported', async ({ fixture }) => {
    const store = await startStore();
    const refused = await startApi(fixture, { storeUrl: store.url, storeToken: 'wrong' });
    const { body } = await refused.call('POST', '/api/connections/test/shopify');
    expect(body).toMatchObject({ success: false, message: expect.stringMatching(/key|token/i) });
    await refused.close();
    await store.stop();
  });

  test('the store test reports that the store is down', async ({ api }) => {
    const message = 'Couldn’t reach the store.';
    expect(await api.call('POST', '/api/shopify/test')).toMatchObject({
      status: 200,
      body: { status: 'error', success: false, message, connected: { status: 'error', message } },
    });
  });
});
