import { reportProcess } from '@draftshelf/database/chunks/processes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { type Fixture, openFixture, storedImport } from '../../support/fixture.ts';

let fixture: Fixture;
let api: TestApi;
beforeAll(async () => {
  fixture = await openFixture();
  api = await startApi(fixture);
});
afterAll(async () => {
  await api.close();
  await fixture.close();
});

const process = { kind: 'parse-worker', version: '1', host: 'here', pid: 1, slots: 2 } as const;

test('system info has the state of each service and process', async () => {
  const { db, pool } = fixture.database;
  await reportProcess(db, { ...process, id: '00000000-0000-4000-8000-000000000001' });
  await reportProcess(db, { ...process, id: '00000000-0000-4000-8000-000000000002', kind: 'push-worker' });
  await pool.query(`update processes set seen_at = now() - interval '30 s' where kind = 'push-worker'`);
  const { status, body } = await api.call('GET', '/api/system/info');
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      version: expect.any(String),
      database: { ok: true },
      storage: { ok: true },
      sessions: { ok: true },
      queue: { ok: true },
      processes: [
        { kind: 'parse-worker', slots: 2, live: true },
        { kind: 'push-worker', live: false },
      ],
    },
  });
});

test('the debug report counts imports and chunks and names the last failures', async () => {
  const csv = 'Title,Price\nA,1\n';
  await storedImport(fixture, { csv });
  const set = { status: 'failed' as const, error_message: 'The store doesn’t accept the access token.' };
  const failed = await storedImport(fixture, { csv, set });
  expect(await api.call('GET', '/api/system/debug')).toMatchObject({
    status: 200,
    body: {
      info: { database: { ok: true } },
      limits: { csvBytesMax: 52_428_800 },
      settings: { draftMode: true },
      connections: [{ service: 'shopify' }, {}, {}],
      imports: { processing: 1, failed: 1 },
      chunks: [{ stage: 'parse', kind: 'work', state: 'pending', count: 2 }],
      queues: [{ jobs: expect.any(Object) }, {}, {}],
      failures: [{ id: failed.id, stage: 'parse', message: set.error_message }],
    },
  });
});

test('a service that does not respond is reported', async () => {
  const without = await startApi(fixture, { set: { pingQueue: () => Promise.reject(new Error('gone')) } });
  const { body } = await without.call('GET', '/api/system/info');
  expect(body).toMatchObject({
    queue: { ok: false, message: 'The queue isn’t responding.' },
    database: { ok: true },
  });
  expect((await without.call('GET', '/api/ready')).status).toBe(503);
  await without.close();
});

test('both need a session', async () => {
  for (const path of ['/api/system/info', '/api/system/debug']) {
    expect((await fetch(api.url + path)).status).toBe(401);
  }
});
