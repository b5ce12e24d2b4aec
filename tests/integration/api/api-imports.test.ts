import type { Job, JobWithRows } from '@draftshelf/contract/imports/imports';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { failTask } from '@draftshelf/core/work/fail-import';
import { storeTaskProgress } from '@draftshelf/core/work/tasks';
import { afterEach, describe, expect } from 'vitest';
import { claimTask } from '../../support/claim-task.ts';
import { productCsv, storedImport, until } from '../../support/fixture.ts';
import { api, fixture, testOnApi } from '../../support/test.ts';

const test = testOnApi();
/** An import that no test changes: it must be the same after each test. */
let control: ImportRecord;
test.beforeAll(async () => {
  control = await storedImport(fixture, { csv: productCsv(1), set: { status: 'queued', version: 1 } });
});
afterEach(async () => {
  const now = await fixture.database.db
    .selectFrom('import_records')
    .selectAll()
    .where('id', '=', control.id)
    .executeTakeFirst();
  expect(now).toEqual(control);
});

const anImport = (set: Partial<ImportRecord> = {}) => storedImport(fixture, { csv: productCsv(4), set });

/** The current list: after a write through the api, which makes it read the list again. */
async function listed(): Promise<Job[]> {
  await api.login();
  const { status, body } = await api.call('GET', '/api/queue');
  expect(status).toBe(200);
  return body as Job[];
}

describe('the queue list', () => {
  test('is an array, newest first, with everything a screen shows and no row data', async () => {
    const older = await anImport({ created_at: new Date('2026-01-01T10:00:00Z') });
    const newer = await anImport({
      created_at: new Date('2030-01-01T10:00:00Z'),
      status: 'completed',
      processed_products: 3,
      created: 2,
      updated: 1,
      unchanged: 1,
      started_at: new Date('2030-01-01T10:01:00Z'),
      completed_at: new Date('2030-01-01T10:05:00Z'),
    });
    const jobs = await listed();
    expect(jobs[0]).toMatchObject({
      id: newer.id,
      filename: 'test.csv',
      fileSize: newer.file_bytes,
      status: 'completed',
      progress: 100,
      progressPercentage: 100,
      processedProducts: 3,
      totalProducts: 4,
      totalRows: 4,
      createdProducts: 4,
      createdAt: '2030-01-01T10:00:00.000Z',
      startedAt: '2030-01-01T10:01:00.000Z',
      completedAt: '2030-01-01T10:05:00.000Z',
      errorLog: [],
      errorCount: 0,
      errorMessage: null,
    });
    expect(jobs[0]?.fieldMapping).toMatchObject({ title: 'Title', price: 'Price', brand: null, upc: null });
    expect(jobs[0]).not.toHaveProperty('csvData');
    expect(jobs[0]).not.toHaveProperty('processedData');
    expect(jobs.find(({ id }) => id === older.id)).toMatchObject({ status: 'processing', completedAt: null });
    const places = jobs.map((job) => job.id);
    expect(places.indexOf(newer.id)).toBeLessThan(places.indexOf(older.id));
  });

  test('answers 304 until something changes', async () => {
    const record = await anImport();
    await api.login(); // a write, which makes the api read the list again
    const first = await api.call('GET', '/api/queue');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^".+"$/);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const build = first.headers.get('x-draftshelf-build');
    expect(build).toMatch(/^[0-9a-f]{16}$/);
    for (const ifNoneMatch of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await api.call('GET', '/api/queue', { headers: { 'if-none-match': ifNoneMatch } });
      expect(again).toMatchObject({ status: 304, body: '' });
      // Else the browser would go on with that of the build which made its copy.
      expect(again.headers.get('x-draftshelf-build')).toBe(build);
    }
    await api.call('POST', `/api/queue/${record.id}/pause`);
    const changed = await api.call('GET', '/api/queue', { headers: { 'if-none-match': etag } });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  test('shows changes by others', async () => {
    const etag = (await api.call('GET', '/api/queue')).headers.get('etag') ?? '';
    await anImport();
    await until('the new import is listed', async () => {
      const answer = await api.call('GET', '/api/queue', { headers: { 'if-none-match': etag } });
      return answer.status === 200;
    });
  });
});

describe('one import', () => {
  test('is the same object under both names', async () => {
    const record = await anImport();
    await api.login(); // a write, which makes the api read the paces again
    const queue = await api.call('GET', `/api/queue/${record.id}`);
    const jobs = await api.call('GET', `/api/jobs/${record.id}`);
    expect(queue).toMatchObject({ status: 200, body: { success: true } });
    expect(queue.body).toEqual({ success: true, job: jobs.body });
    expect(jobs.body).toMatchObject({
      id: record.id,
      csvData: [],
      processedData: [],
      csvDataTotal: 4,
      hasRows: false,
      tasks: [],
    });
  });

  test('shows its open and failed tasks', async () => {
    const record = await anImport();
    const run = { import_id: record.id, run: 1 };
    const chunk = await claimTask(fixture.database, run, 'find-in-imports', 4);
    await storeTaskProgress(fixture.database.db, chunk, 2);
    await failTask(fixture.database.db, await claimTask(fixture.database, run, 'remove-rows'), 'Full disk');
    const { body } = await api.call('GET', `/api/jobs/${record.id}?rows=0`);
    const rest = { done: 0, total: null, command: null, waitingFor: null, error: null };
    expect((body as JobWithRows).tasks.map(({ id: _id, ...task }) => task)).toEqual([
      { ...rest, label: 'Comparing with other imports', state: 'running', done: 2, total: 4 },
      { ...rest, label: 'Removing replaced rows', state: 'failed', error: 'Full disk' },
    ]);
  });

  test('comes without its rows if they are not requested', async () => {
    // Nothing is worked on, so it has no pace, which becomes known between two reads.
    const record = await anImport({ status: 'queued' });
    const whole = await api.call('GET', `/api/jobs/${record.id}`);
    const { csvData: _cells, processedData: _values, ...light } = whole.body as JobWithRows;
    const asked = await api.call('GET', `/api/jobs/${record.id}?rows=0`);
    expect(asked.body).toEqual(light);
    expect((await api.call('GET', `/api/queue/${record.id}?rows=0`)).body).toEqual({
      success: true,
      job: light,
    });
    const headers = { 'if-none-match': asked.headers.get('etag') ?? '' };
    expect((await api.call('GET', `/api/jobs/${record.id}?rows=0`, { headers })).status).toBe(304);
    expect(await api.call('GET', `/api/jobs/${record.id}?rows=7`)).toMatchObject({
      status: 400,
      body: { field: 'rows' },
    });
  });

  test.each(['GET /api/queue/', 'GET /api/jobs/'])(
    '%s… answers 304 until its version changes',
    async (call) => {
      const record = await anImport({ status: 'queued' });
      const path = `${call.slice(4)}${record.id}`;
      const headers = { 'if-none-match': (await api.call('GET', path)).headers.get('etag') ?? '' };
      expect((await api.call('GET', path, { headers })).status).toBe(304);
      await api.call('POST', `/api/jobs/${record.id}/ready`);
      const changed = await api.call('GET', path, { headers });
      expect(changed.status).toBe(200);
      // Polls share the version for a moment; a change by another process shows after it.
      headers['if-none-match'] = changed.headers.get('etag') ?? '';
      await fixture.database.pool.query(
        `update imports set version = nextval('import_version') where id = $1`,
        [record.id],
      );
      await until('the change shows', async () => (await api.call('GET', path, { headers })).status === 200);
    },
  );

  test('an unknown and a malformed id are 404 everywhere', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'nonsense', "x'; drop table imports", '1']) {
      for (const [method, path] of [
        ['GET', `/api/queue/${encodeURIComponent(id)}`],
        ['GET', `/api/jobs/${encodeURIComponent(id)}`],
        ['GET', `/api/queue/${encodeURIComponent(id)}/rows`],
        ['POST', `/api/queue/${encodeURIComponent(id)}/push`],
        ['POST', `/api/jobs/${encodeURIComponent(id)}/pause`],
      ] as const) {
        const answer = await api.call(method, path);
        expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
    }
  });
});

describe('actions', () => {
  test('pause and resume under both names, with an empty JSON body', async () => {
    const record = await anImport();
    const headers = { 'content-type': 'application/json' };
    for (const name of ['queue', 'jobs']) {
      const paused = await api.call('POST', `/api/${name}/${record.id}/pause`, { headers });
      expect(paused).toMatchObject({
        status: 200,
        body: {
          success: true,
          job: { id: record.id, status: 'paused', pausedFrom: 'processing', pausedBy: 'operator' },
        },
      });
      const resumed = await api.call('POST', `/api/${name}/${record.id}/resume`, { headers });
      expect(resumed).toMatchObject({ status: 200, body: { success: true, job: { status: 'processing' } } });
    }
  });

  test('the three push calls are the same, in chunks of the batch size', async () => {
    await api.call('POST', '/api/settings', { body: { batchSize: 10 } });
    for (const path of ['queue/:id/push', 'jobs/:id/push-shopify', 'jobs/:id/push-to-shopify']) {
      const record = await storedImport(fixture, { csv: productCsv(25), set: { status: 'processed' } });
      const answer = await api.call('POST', `/api/${path.replace(':id', record.id)}`);
      expect(answer).toMatchObject({
        status: 200,
        body: { success: true, job: { status: 'uploading', progress: 0 } },
      });
      const chunks = await fixture.database.db
        .selectFrom('chunks')
        .select(['first_product', 'products', 'run'])
        .where('import_id', '=', record.id)
        .where('stage', '=', 'push')
        .orderBy('sequence')
        .execute();
      expect(chunks).toEqual([
        { first_product: 1, products: 10, run: 1 },
        { first_product: 11, products: 10, run: 1 },
        { first_product: 21, products: 5, run: 1 },
      ]);
      const again = await api.call('POST', `/api/${path.replace(':id', record.id)}`);
      expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } });
    }
  });

  test.each([
    ['pause', 'queued'],
    ['resume', 'processing'],
    ['cancel', 'completed'],
    ['ready', 'processed'],
    ['push', 'processing'],
    ['retry', 'queued'],
  ] as const)('%s is a conflict in %s and changes nothing', async (move, status) => {
    const record = await anImport({ status });
    const answer = await api.call('POST', `/api/queue/${record.id}/${move}`);
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict', message: expect.any(String) } });
    const now = await fixture.database.db
      .selectFrom('import_records')
      .selectAll()
      .where('id', '=', record.id)
      .executeTakeFirst();
    expect(now).toEqual(record);
  });

  test('cancel cancels, ready marks as ready', async () => {
    const processing = await anImport();
    expect(await api.call('POST', `/api/queue/${processing.id}/cancel`)).toMatchObject({
      status: 200,
      body: { job: { status: 'cancelled', completedAt: expect.any(String) } },
    });
    const queued = await anImport({ status: 'queued' });
    expect(await api.call('POST', `/api/jobs/${queued.id}/ready`)).toMatchObject({
      status: 200,
      body: { job: { status: 'processed' } },
    });
  });

  test('of many concurrent ones exactly one succeeds', async () => {
    const record = await anImport({ status: 'processed' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.call('POST', `/api/queue/${record.id}/push`)),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(7).fill(409)]);
  });
});
