import { insertSecurityEvents } from '@draftshelf/core/access/security-events';
import { recordHeartbeat } from '@draftshelf/core/work/processes';
import { eventsPerKindMax } from '@draftshelf/domain/access/security-events';
import { queueNames } from '@draftshelf/domain/work/task-catalog';
import { createLogger } from '@draftshelf/runtime/logger';
import pg from 'pg';
import { describe, expect } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { browserOf } from '../../support/api-client.ts';
import { storedImport, until } from '../../support/fixture.ts';
import { recordedEvent } from '../../support/recorded-events.ts';
import { test } from '../../support/test.ts';

const process = { kind: 'parse-worker', version: '1', host: 'here', pid: 1, slots: 2 } as const;

test('system info has the state of each service and process', async ({ fixture, api }) => {
  const { db, pool } = fixture.database;
  await recordHeartbeat(db, { ...process, id: '00000000-0000-4000-8000-000000000001' });
  await recordHeartbeat(db, { ...process, id: '00000000-0000-4000-8000-000000000002', kind: 'push-worker' });
  await pool.query(`update processes set seen_at = now() - interval '30 s' where kind = 'push-worker'`);
  // On a busy machine the first answer of the queue, which opens it, may take longer than its check waits.
  await expect
    .poll(() => api.call('GET', '/api/system/info'))
    .toMatchObject({
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
  const workers = async () => (await api.call('GET', '/api/system/workers')).body;
  expect(await workers()).toEqual({ pushWorkers: 0 });
  await recordHeartbeat(db, { ...process, id: '00000000-0000-4000-8000-000000000002', kind: 'push-worker' });
  expect(await workers()).toEqual({ pushWorkers: 1 });
});

test('the debug report counts imports and chunks and names the last failures', async ({ fixture, api }) => {
  const csv = 'Title,Price\nA,1\n';
  await storedImport(fixture, { csv });
  const set = { status: 'failed' as const, error_message: 'The store doesn’t accept the access token.' };
  const failed = await storedImport(fixture, { csv, set });
  // The counts of a queue that is slow to answer are left out.
  await expect
    .poll(() => api.call('GET', '/api/system/debug'))
    .toMatchObject({
      status: 200,
      body: {
        info: { database: { ok: true } },
        limits: { csvBytesMax: 52_428_800 },
        settings: { draftMode: true },
        connections: [{ service: 'shopify' }, {}, {}],
        imports: { processing: 1, failed: 1 },
        chunks: [{ stage: 'parse', kind: 'work', state: 'pending', count: 2 }],
        queues: queueNames.map((name) => ({ name, jobs: expect.any(Object) })),
        failures: [{ id: failed.id, stage: 'parse', message: set.error_message }],
      },
    });
});

test('a service that does not respond is reported', async ({ fixture }) => {
  const without = await startApi(fixture, { set: { pingQueue: () => Promise.reject(new Error('gone')) } });
  const { body } = await without.call('GET', '/api/system/info');
  expect(body).toMatchObject({
    queue: { ok: false, message: 'The queue isn’t responding.' },
    database: { ok: true },
  });
  // The screens work without the queue, and say so, so the api stays in service.
  expect(await without.call('GET', '/api/ready')).toMatchObject({
    status: 200,
    body: { ready: true, database: { ok: true }, queue: { ok: false } },
  });
  await without.close();
});

test('readiness asks the services for signed-in clients only, once for many', async ({ fixture }) => {
  let pings = 0;
  const pingQueue = async () => {
    pings += 1;
  };
  const counted = await startApi(fixture, { set: { pingQueue } });
  const readyFor = async (times: number, browser: Pick<TestApi, 'call'>) => {
    await Promise.all(Array.from({ length: times }, () => browser.call('GET', '/api/ready')));
    return pings;
  };
  expect(await readyFor(20, browserOf(counted.url))).toBe(0);
  expect(await readyFor(20, counted)).toBeLessThan(10);
  expect(pings).toBeGreaterThan(0);
  await counted.close();
});

describe('security events', () => {
  type Event = {
    kind: string;
    client: string;
    requestId: string;
    detail: string | null;
    importId: string | null;
  };
  const eventsOf = async (at: TestApi) => {
    const { body } = await at.call('GET', '/api/system/security-events');
    return (body as { events: Event[] }).events;
  };
  test.beforeEach(async ({ fixture }) => {
    await fixture.database.db.deleteFrom('login_failures').execute();
    await fixture.database.db.deleteFrom('security_events').execute();
  });

  test('sign-ins, failures, settings and pushes are recorded and logged, without keys', async ({
    fixture,
  }) => {
    const entries: Record<string, unknown>[] = [];
    const logger = createLogger({ name: 'api', level: 'silent', pretty: false });
    Object.assign(logger, {
      info: (entry: Record<string, unknown>, msg: string) => entries.push({ ...entry, msg }),
    });
    const logged = await startApi(fixture, { set: { logger } });
    const csv = 'Title,Price\nA,1\n';
    const { id } = await storedImport(fixture, { csv, set: { status: 'processed', stage: 'enrich' } });
    try {
      await logged.call('POST', '/api/settings', { body: { draftMode: false, oneDriveFolder: '/secret' } });
      expect((await logged.call('POST', `/api/queue/${id}/push`)).status).toBe(200);
      const other = browserOf(logged.url);
      await other.login();
      await other.call('POST', '/api/auth/logout');
      for (let i = 0; i < 12; i += 1) await other.login('a wrong key');
      const expected = [
        { kind: 'locked-out' },
        ...Array.from({ length: 10 }, () => ({ kind: 'sign-in-failed' })),
        { kind: 'signed-out' },
        { kind: 'signed-in' },
        { kind: 'push-begun', importId: id },
        { kind: 'settings-changed', detail: 'draftMode: false, oneDriveFolder' },
        { kind: 'signed-in' },
      ];
      await until('the events are stored', async () => (await eventsOf(logged)).length === expected.length);
      const events = await eventsOf(logged);
      expect(events).toMatchObject(expected.map((event) => ({ client: '127.0.0.1', ...event })));
      const recorded = entries.filter(({ msg }) => msg === 'security event');
      expect(recorded).toMatchObject(
        events.map(({ kind, client, requestId }) => ({ event: kind, client, reqId: requestId })).reverse(),
      );
      expect(JSON.stringify(entries)).not.toMatch(/a wrong key|right horse|\/secret/);
    } finally {
      await logged.close();
    }
  });

  test('a deletion and saved preferences are recorded with their client, and a deletion is named in the log', async ({
    fixture,
  }) => {
    const entries: Record<string, unknown>[] = [];
    const logger = createLogger({ name: 'api', level: 'silent', pretty: false });
    Object.assign(logger, { info: (entry: Record<string, unknown>) => entries.push(entry) });
    const logged = await startApi(fixture, { set: { logger } });
    const set = { status: 'completed', stage: 'push' } as const;
    const { id } = await storedImport(fixture, { csv: 'Title,Price\nA,1\n', set });
    try {
      expect((await logged.call('POST', '/api/preferences', { body: { keepRowsDays: 30 } })).status).toBe(
        200,
      );
      expect((await logged.call('DELETE', `/api/queue/${id}`)).status).toBe(200);
    } finally {
      await logged.close();
    }
    expect(await recordedEvent(fixture.database.pool, 'import-deleted')).toMatchObject({
      client: '127.0.0.1',
      import_id: id,
    });
    expect(await recordedEvent(fixture.database.pool, 'settings-changed')).toMatchObject({
      client: '127.0.0.1',
      detail: 'keepRowsDays',
    });
    expect(entries).toContainEqual(expect.objectContaining({ importId: id, action: 'delete' }));
  });

  test('refused requests are counted, and recorded as one event', async ({ fixture }) => {
    const refusing = await startApi(fixture);
    for (let i = 0; i < 5; i += 1) {
      expect((await browserOf(refusing.url).call('GET', '/api/queue')).status).toBe(401);
    }
    for (let i = 0; i < 3; i += 1) {
      const headers = { origin: 'https://evil.example' };
      expect((await refusing.call('POST', '/api/settings', { body: {}, headers })).status).toBe(403);
    }
    // What is counted is recorded once a minute, and at the end.
    await refusing.close();
    const event = { client: '127.0.0.1', detail: '5 without a session, 3 from other sites' };
    expect(await recordedEvent(fixture.database.pool, 'requests-refused')).toMatchObject(event);
    const { rows } = await fixture.database.pool.query(
      `select 1 from security_events where kind = 'requests-refused'`,
    );
    expect(rows).toHaveLength(1);
  });

  test('the newest of a kind are kept, whatever else happens', async ({ fixture }) => {
    const event = { client: '203.0.113.1', request_id: 'r', detail: null, import_id: null };
    const { db } = fixture.database;
    await insertSecurityEvents(db, [{ ...event, kind: 'credentials-saved' }]);
    const failed = Array.from({ length: eventsPerKindMax + 5 }, (_, i) => ({
      ...event,
      kind: 'sign-in-failed' as const,
      request_id: String(i),
    }));
    await insertSecurityEvents(db, failed);
    const kept = await db
      .selectFrom('security_events')
      .select(['kind', 'request_id'])
      .orderBy('id')
      .execute();
    expect(kept).toHaveLength(eventsPerKindMax + 1);
    expect(kept.slice(0, 2)).toEqual([
      { kind: 'credentials-saved', request_id: 'r' },
      { kind: 'sign-in-failed', request_id: '5' },
    ]);
  });

  test('requests neither wait for an event to be stored nor fail with it', async ({ fixture, api }) => {
    const holder = new pg.Client({ connectionString: fixture.databaseUrl });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('lock table security_events');
      for (let i = 0; i < 3; i += 1) expect((await browserOf(api.url).login()).status).toBe(200);
      await holder.query('rollback');
      await until('they are stored', async () => (await eventsOf(api)).length === 3);
      await holder.query('alter table security_events rename to gone');
      expect((await browserOf(api.url).login()).status).toBe(200);
    } finally {
      await holder.query('alter table if exists gone rename to security_events');
      await holder.end();
    }
  });
});

test('what Debug reads needs a session', async ({ api }) => {
  for (const path of ['/api/system/info', '/api/system/debug', '/api/system/security-events']) {
    expect((await fetch(api.url + path)).status).toBe(401);
  }
});
