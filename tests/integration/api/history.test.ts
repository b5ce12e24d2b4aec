import { randomUUID } from 'node:crypto';
import { Job } from '@draftshelf/contract/imports/imports';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { insertImport, readParseRun } from '@draftshelf/core/work/runs';
import { expect } from 'vitest';
import { productCsv, storedImport } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { api, fixture, testOnApi } from '../../support/test.ts';

let template: ImportRecord;
let templateRun: Awaited<ReturnType<typeof readParseRun>>;
const test = testOnApi();
test.beforeAll(async () => {
  template = await storedImport(fixture, { csv: productCsv(1) });
  templateRun = await readParseRun(fixture.database.db, { import_id: template.id, run: 1 });
});

/** Stores an import that ended at `completed` (ISO text in UTC). */
async function ended(filename: string, set: Partial<ImportRecord> & { completed: string }): Promise<void> {
  const { id: _id, version: _version, ...columns } = template;
  const { completed, ...changed } = { status: 'completed' as const, ...set };
  const values = { ...columns, filename, object_key: `imports/${randomUUID()}`, ...changed };
  const { db } = fixture.database;
  await insertImport(db, { ...values, completed_at: completed }, templateRun);
}

async function history(query = ''): Promise<Job[]> {
  const { status, body } = await api.call('GET', `/api/history${query}`);
  expect(status).toBe(200);
  return Job.array().parse(body);
}
const names = async (query = '') => (await history(query)).map(({ filename }) => filename);

test('the history has what ended, by its end, and filters by status and by the start of the completion time', async () => {
  await fixture.database.db.deleteFrom('imports').execute();
  expect(await history()).toEqual([]);
  await ended('early', { status: 'completed', completed: '2026-03-01T23:59:59.999Z' });
  await ended('midnight', { status: 'failed', completed: '2026-03-02T00:00:00.000Z' });
  await ended('noon', { status: 'cancelled', completed: '2026-03-02T12:30:00.250Z' });
  await ended('late', { status: 'completed', completed: '2026-03-12T08:00:00Z', created_at: new Date(0) });
  for (const status of ['processing', 'queued', 'processed', 'uploading', 'paused'] as const) {
    await ended(status, { status, completed: '2026-03-02T10:00:00Z' });
  }
  expect(await names()).toEqual(['late', 'noon', 'midnight', 'early']);
  expect(await names('?status=&date=')).toEqual(['late', 'noon', 'midnight', 'early']);
  expect(await names('?status=all')).toHaveLength(4);
  expect(await names('?status=completed')).toEqual(['late', 'early']);
  expect(await names('?status=failed')).toEqual(['midnight']);
  expect(await names('?status=cancelled')).toEqual(['noon']);
  expect(await names('?status=queued')).toEqual([]);
  expect(await names('?date=2026-03-02')).toEqual(['noon', 'midnight']);
  expect(await names('?status=failed&date=2026-03-02')).toEqual(['midnight']);
  expect(await names('?date=2026')).toHaveLength(4);
  expect(await names('?date=2026-03-0')).toEqual(['noon', 'midnight', 'early']);
  expect(await names('?date=2026-03-02T12:30:00.250Z')).toEqual(['noon']);
  expect(await names('?date=2026-03-02T12:3')).toEqual(['noon']);
  for (const none of ['2026-02-31', '026-03', '%25', '2026-03-02T12:30:00.250Z.', "'", '0000-00-00']) {
    expect(await names(`?date=${none}`), none).toEqual([]);
  }
});

test('an entry has the fields of a job, with at most three errors', async () => {
  await fixture.database.db.deleteFrom('imports').execute();
  await ended('full', {
    completed: '2026-04-01T10:02:05Z',
    started_at: new Date('2026-04-01T10:00:00Z'),
    error_log: Array.from({ length: 9 }, (_, at) => `cause ${at}`),
    error_count: 9,
    created: 3,
    skipped: 1,
  });
  expect(await history()).toMatchObject([
    {
      startedAt: '2026-04-01T10:00:00.000Z',
      completedAt: '2026-04-01T10:02:05.000Z',
      errorLog: ['cause 0', 'cause 1', 'cause 2'],
      errorCount: 9,
      createdProducts: 3,
      outcomes: { created: 3, skipped: 1 },
    },
  ]);
});

test('an import whose push was undone is listed by the end of the undo, until another push of it', async () => {
  const { db, pool } = fixture.database;
  await db.deleteFrom('imports').execute();
  await ended('before', { completed: '2026-04-02T10:00:00Z' });
  await ended('undone', { status: 'processed', completed: '2026-04-01T10:00:00Z', push_run: 2 });
  await ended('not pushed', { status: 'processed', completed: '2026-04-01T10:00:00Z' });
  await pool.query(
    `insert into previews (import_id, kind, shop, undoes_run, made_at_run, started_at, run, ended_at, results)
     select id, 'undo', 'a.myshopify.com', 1, 1, now(), 2, '2026-04-03T10:00:00Z', $1
     from imports where filename = 'undone'`,
    [{ 'delete::': 40, 'restore::': 2, 'keep:changed:': 5 }],
  );
  expect(await names()).toEqual(['undone', 'before']);
  expect((await api.call('GET', '/api/history')).body).toMatchObject([
    { filename: 'undone', undone: { at: '2026-04-03T10:00:00.000Z', products: 42 } },
    { filename: 'before', undone: null },
  ]);
  expect(await names('?date=2026-04-03')).toEqual(['undone']);
  expect(await names('?date=2026-04-01')).toEqual([]);
  expect(await names('?status=completed')).toEqual(['before']);
  await pool.query(`update imports set status = 'completed', push_run = 3 where filename = 'undone'`);
  expect((await api.call('GET', '/api/history')).body).toMatchObject([
    { filename: 'before' },
    { filename: 'undone', undone: null },
  ]);
});

test.runIf(isLong)(
  'lists the newest 1,000, through an index, and answers 304 until one changes',
  async () => {
    const { pool } = fixture.database;
    await pool.query(`with listed as (
      insert into imports (filename, file_bytes, sha256, object_key, status, test_mode, enable_upc, enable_ai)
      select 'n' || n, n, n, 'imports/' || n, (array['completed','failed','queued'])[n % 3 + 1], false, false, false
      from generate_series(1, 6000) n returning id, file_bytes)
    insert into runs (import_id, stage, run, completed_at)
    select id, 'parse', 1, '2026-05-01'::timestamptz + file_bytes * interval '1 minute' from listed`);
    await pool.query('analyze imports, runs');
    const first = await api.call('GET', '/api/history');
    const jobs = first.body as Job[];
    const ends = jobs.map(({ completedAt }) => completedAt);
    expect([jobs.length, jobs[0]?.filename]).toEqual([1000, 'n6000']);
    expect(ends).toEqual(ends.toSorted().reverse());
    const { rows } = await pool.query(`explain select id, version from import_records
    where status in ('completed', 'failed', 'cancelled') order by completed_at desc nulls last, id limit 1000`);
    expect(JSON.stringify(rows)).toContain('runs_latest_ended');

    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await api.call('GET', '/api/history', { headers })).status).toBe(304);
    await pool.query(
      `update imports set filename = 'renamed', version = nextval('import_version') where filename = 'n6000'`,
    );
    expect(await names()).toContain('renamed');
    expect((await api.call('GET', '/api/history', { headers })).status).toBe(200);
  },
);
