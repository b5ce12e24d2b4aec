import { isTaskOpen } from '@draftshelf/core/work/background-tasks';
import { queueNames } from '@draftshelf/domain/work/task-catalog';
import { createQueue } from '@draftshelf/queues/connection';
import { chooseQueueConnection } from '@draftshelf/queues/queue-connection';
import { relayOnce } from '@draftshelf/queues/relay';
import { deliverByQueue } from '@draftshelf/queues/start-tasks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { browserOf } from '../../support/api-client.ts';
import { type Fixture, openFixture, productCsv, storedImport } from '../../support/fixture.ts';
import { scenarioBackends, startRedis } from '../../support/queue-backend.ts';
import { quietRunner } from '../../support/tasks.ts';

type Shown = {
  queues: {
    name: string;
    counts: Record<string, number>;
    jobs: { name: string; data: unknown }[];
    readOnlyMode: boolean;
  }[];
};

describe.each(scenarioBackends())('Bull Board, jobs in %s', (backend) => {
  let fixture: Fixture;
  let api: TestApi;
  let redis: Awaited<ReturnType<typeof startRedis>> | undefined;

  beforeAll(async () => {
    fixture = await openFixture();
    redis = backend === 'redis' ? await startRedis() : undefined;
    api = await startApi(fixture, { redisUrl: redis?.url });
  });
  afterAll(async () => {
    await api?.close();
    await redis?.stop();
    await fixture?.close();
  });

  const read = async (queue: string, status: string): Promise<Shown> => {
    const { status: code, body } = await api.call(
      'GET',
      `/admin/queues/api/queues?activeQueue=${queue}&status=${status}&page=1&jobsPerPage=20`,
    );
    expect(code).toBe(200);
    return body as Shown;
  };

  it('shows nothing without a session: the page redirects to the login, its api answers 401', async () => {
    const anonymous = browserOf(api.url);
    for (const page of ['/admin/queues', '/admin/queues/', '/admin/queues/queue/parse']) {
      const answer = await anonymous.call('GET', page);
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/login']);
    }
    const refused = await anonymous.call('GET', '/admin/queues/api/queues');
    expect(refused.status).toBe(401);
    expect(refused.body).toMatchObject({ code: 'unauthorized' });
    const foreign = await api.call('GET', '/admin/queues/api/queues', {
      headers: { origin: 'http://elsewhere.example' },
    });
    expect(foreign.status).toBe(403);
  });

  it('loads its page and all its resources from here', async () => {
    const page = await api.call('GET', '/admin/queues/');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(page.body).toContain('Draftshelf queues');
    const html = String(page.body);
    const base = /<base href="([^"]+)"/.exec(html)?.[1] ?? '';
    const named = [...html.matchAll(/<(?:link|script|img)\b[^>]*\b(?:href|src)="([^"]+)"/g)];
    expect(named.length).toBeGreaterThan(4);
    for (const [, address = ''] of named) {
      const at = new URL(address, new URL(base, api.url));
      expect(at.origin).toBe(api.url);
      const asset = await api.call('GET', at.pathname);
      expect([address, asset.status]).toEqual([address, 200]);
      expect(asset.headers.get('content-type')).not.toContain('html');
      if (address.endsWith('.css')) expect(asset.body).not.toMatch(/@import|url\(["']?(?:https?:)?\/\//);
    }
  });

  it('shows all queues, and jobs with names of file, stage and rows', async () => {
    await storedImport(fixture, {
      csv: productCsv(25),
      filename: 'spring vases.csv',
      rowsMax: 10,
    });
    const connection = chooseQueueConnection({ databaseUrl: fixture.databaseUrl, redisUrl: redis?.url });
    const queue = createQueue(connection, 'parse');
    try {
      expect(await relayOnce(fixture.database, new Map([['parse', queue]]), 'parse')).toBe(3);
    } finally {
      await queue.close();
    }
    const { queues } = await read('parse', 'prioritized');
    expect(queues.map(({ name }) => name)).toEqual(queueNames);
    expect(queues.every(({ readOnlyMode }) => readOnlyMode)).toBe(true);
    const parse = queues.find(({ name }) => name === 'parse');
    expect(parse?.counts.prioritized).toBe(3);
    expect(new Set(parse?.jobs.map((job) => job.name))).toEqual(
      new Set(['1–10', '11–20', '21–25'].map((rows) => `spring vases.csv · parse · rows ${rows}`)),
    );
  });

  it('shows a task of no import with its name, and its queue delivers it', async () => {
    const [begun, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<'done'>()];
    const connection = chooseQueueConnection({ databaseUrl: fixture.databaseUrl, redisUrl: redis?.url });
    const run = () => {
      begun.resolve();
      return ending.promise;
    };
    const runner = quietRunner({
      ...{ database: fixture.database, deliver: deliverByQueue(connection, 'folder-tasks') },
      handlers: { 'poll-folder': { subjects: ['local'], run } },
    });
    runner.start();
    try {
      await begun.promise;
      const { queues } = await read('folder-tasks', 'active');
      const shown = queues.find(({ name }) => name === 'folder-tasks');
      expect(shown?.jobs.map((job) => job.name)).toEqual(['Looking for files · local']);
    } finally {
      ending.resolve('done');
      await runner.stop();
    }
    expect(await isTaskOpen(fixture.database.db, 'poll-folder', 'local')).toBe(true);
  });

  it('is read-only', async () => {
    for (const [method, path] of [
      ['PUT', '/admin/queues/api/queues/parse/pause'],
      ['PUT', '/admin/queues/api/queues/pause'],
      ['PUT', '/admin/queues/api/queues/parse/empty'],
      ['POST', '/admin/queues/api/queues/parse/add'],
    ] as const) {
      expect([path, (await api.call(method, path)).status]).toEqual([path, 405]);
    }
    expect((await read('parse', 'prioritized')).queues[0]?.counts.prioritized).toBe(3);
  });

  it('names the backend of the jobs', async () => {
    const stats = await api.call('GET', '/admin/queues/api/redis/stats');
    expect(stats.status).toBe(200);
    expect(JSON.stringify(stats.body).toLowerCase()).toContain(backend);
  });
});
