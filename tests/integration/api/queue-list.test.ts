import { randomUUID } from 'node:crypto';
import type { Job } from '@draftshelf/contract/imports/imports';
import type { ImportRecord, RunRecord } from '@draftshelf/core/connection/schema';
import { changeImport } from '@draftshelf/core/imports/imports';
import { describe, expect } from 'vitest';
import { productCsv, storedImport } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { api, fixture, testOnApi } from '../../support/test.ts';

const readTemplate = () => fixture.database.db.selectFrom('imports').selectAll().executeTakeFirstOrThrow();
type Template = Awaited<ReturnType<typeof readTemplate>>;
let template: Template;
/** The template's parse run, which is deleted with it. */
let templateRun: object;
const test = testOnApi();
test.beforeAll(async () => {
  await storedImport(fixture, { csv: productCsv(1) });
  template = await readTemplate();
  templateRun = await fixture.database.db.selectFrom('runs').selectAll().executeTakeFirstOrThrow();
});

type Group = {
  status: ImportRecord['status'];
  count: number;
  from: string;
  set?: Partial<Template>;
  ofRun?: Partial<RunRecord>;
};

/** Fills the queue with only these imports: `count` of each group, a minute apart from `from` on. */
async function fill(groups: readonly Group[]): Promise<void> {
  const { db, pool } = fixture.database;
  await db.deleteFrom('imports').execute();
  const { id: _id, version: _version, ...columns } = template;
  for (const { status, count, from, set, ofRun } of groups) {
    const imports = Array.from({ length: count }, (_, minute) => ({
      ...columns,
      object_key: `imports/${randomUUID()}`,
      status,
      created_at: new Date(Date.parse(from) + minute * 60_000),
      ...set,
    }));
    for (let at = 0; at < count; at += 500) {
      const stored = await db
        .insertInto('imports')
        .values(imports.slice(at, at + 500))
        .returning('id')
        .execute();
      await pool.query(
        `insert into runs select (jsonb_populate_record(null::runs, $1 || jsonb_build_object('import_id', id))).*
         from unnest($2::uuid[]) as stored (id)`,
        [JSON.stringify({ ...templateRun, ...ofRun }), stored.map(({ id }) => id)],
      );
    }
  }
}

type Page = { jobs: Job[]; total: number; next: string | null };

async function pageAt(path: string): Promise<Page> {
  const { status, headers, body } = await api.call('GET', path);
  expect(status).toBe(200);
  return {
    jobs: body as Job[],
    total: Number(headers.get('x-total-count')),
    next: headers.get('x-next-before'),
  };
}

/** The newest page: after a write through the api, which makes it read the list again. */
async function newest(): Promise<Page> {
  await api.login();
  return pageAt('/api/queue');
}

/** All pages, newest first. */
async function allPages(): Promise<Page[]> {
  const pages = [await newest()];
  for (;;) {
    const next = pages.at(-1)?.next ?? null;
    if (next === null) return pages;
    pages.push(await pageAt(`/api/queue?before=${encodeURIComponent(next)}`));
  }
}

const countOf = (jobs: readonly Job[], status: string) => jobs.filter((job) => job.status === status).length;

describe('the queue list', () => {
  test.runIf(isLong)(
    'contains the newest 500 that have not ended and the newest 200 that have; its pages have each import once',
    async () => {
      await fill([
        { status: 'queued', count: 520, from: '2026-01-01T00:00:30Z' },
        { status: 'failed', count: 210, from: '2026-02-01T00:00:00Z' },
        // Created in one transaction, so with the same time to the microsecond.
        { status: 'completed', count: 250, from: '2025-12-31T00:00:00Z', set: { created_at: new Date(0) } },
      ]);
      const pages = await allPages();
      const [first, ...older] = pages;
      expect([countOf(first?.jobs ?? [], 'queued'), countOf(first?.jobs ?? [], 'failed')]).toEqual([
        500, 200,
      ]);
      expect(first?.jobs.at(0)?.createdAt).toBe('2026-02-01T03:29:00.000Z');
      expect(first?.jobs.at(-1)?.createdAt).toBe('2026-01-01T00:20:30.000Z');
      expect(older.map(({ jobs }) => jobs.length)).toEqual([200, 80]);
      const idsOf = (all: readonly Page[]) => all.flatMap(({ jobs }) => jobs.map(({ id }) => id));
      expect(new Set(idsOf(pages)).size).toBe(980);
      for (const { jobs, total } of pages) {
        const times = jobs.map(({ createdAt }) => createdAt);
        expect(times).toEqual(times.toSorted().reverse());
        expect(total).toBe(980);
      }

      // Cursors distinguish times below a millisecond.
      const { pool } = fixture.database;
      await pool.query(`
      update imports set created_at = '2025-01-01'::timestamptz + n * interval '1 microsecond'
      from (select id, row_number() over () as n from imports where status = 'completed') numbered
      where numbered.id = imports.id`);
      const ids = idsOf(await allPages());
      expect([ids.length, new Set(ids).size]).toEqual([980, 980]);

      // Where everything is shown, there is no older page.
      await pool.query(`delete from imports where id <> all($1)`, [idsOf(pages.slice(0, 1))]);
      expect(await newest()).toMatchObject({ total: 700, next: null });
    },
  );

  test('has three messages of a job, and their total number; the job itself has all', async () => {
    const log = Array.from({ length: 100 }, (_, i) => `message ${i}`);
    await fill([
      {
        status: 'failed',
        count: 1,
        from: '2026-01-01T00:00:00Z',
        ofRun: { error_log: log, error_count: 2345 },
      },
    ]);
    const [job] = (await newest()).jobs;
    expect(job).toMatchObject({ errorLog: ['message 0', 'message 1', 'message 2'], errorCount: 2345 });
    const single = await api.call('GET', `/api/jobs/${job?.id}?rows=0`);
    expect(single.body).toMatchObject({ errorLog: log, errorCount: 2345 });
  });

  test('of 50 running and 200 ended imports is at most 40 kB on the wire', async () => {
    await fill([
      {
        status: 'uploading',
        count: 50,
        from: '2026-01-01T00:00:00Z',
        set: { push_total: 900, push_done: 100 },
      },
      { status: 'completed', count: 200, from: '2026-02-01T00:00:00Z', set: { shop: 'a.myshopify.com' } },
    ]);
    // Names and counters differ, as those of real imports do: equal ones would compress too well.
    await fixture.database.pool.query(
      `with changed as (update imports set filename = md5(id::text) || ' spring delivery.csv', created = (random() * 9000)::int, skipped = (random() * 90)::int)
       update runs set completed_at = started_at + random() * interval '1 hour' where stage = 'parse'`,
    );
    for (const encoding of ['br', 'gzip']) {
      await api.login();
      const { status, headers, body } = await api.call('GET', '/api/queue', {
        headers: { 'accept-encoding': encoding },
      });
      expect([status, headers.get('content-encoding')]).toEqual([200, encoding]);
      expect((body as Job[]).filter(({ fieldMapping }) => fieldMapping.title === 'Title')).toHaveLength(250);
      expect(Number(headers.get('content-length'))).toBeGreaterThan(4096);
      expect(Number(headers.get('content-length'))).toBeLessThanOrEqual(40_000);
    }
  });

  test('answers 304 for an older page until one of its imports changes or is deleted', async () => {
    await fill([{ status: 'failed', count: 212, from: '2026-01-01T00:00:00Z' }]);
    const { total, next } = await newest();
    expect(total).toBe(212);
    const path = `/api/queue?before=${next}`;
    const first = await api.call('GET', path);
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await api.call('GET', path, { headers })).status).toBe(304);
    const { db } = fixture.database;
    const [job] = first.body as Job[];
    await changeImport(db, job?.id ?? '', { filename: 'renamed.csv' });
    const changed = await api.call('GET', path, { headers });
    const jobs = changed.body as Job[];
    expect([jobs.length, jobs[0]?.filename]).toEqual([12, 'renamed.csv']);
    // Its total is true after imports that the newest page does not show were deleted.
    headers['if-none-match'] = changed.headers.get('etag') ?? '';
    await db
      .deleteFrom('imports')
      .where('id', '=', jobs.at(-1)?.id ?? '')
      .execute();
    expect((await newest()).total).toBe(211);
    const after = await api.call('GET', path, { headers });
    expect([after.status, after.headers.get('x-total-count')]).toEqual([200, '211']);
    await db.deleteFrom('imports').where('created_at', '<', new Date('2026-01-01T00:12:00Z')).execute();
    expect(await newest()).toMatchObject({ total: 200, next: null });
  });

  test.each(['x', '1_2', `${'9'.repeat(17)}_${randomUUID()}`, "1_'; drop table imports", ''])(
    'a place that it has not given is refused: %j',
    async (before) => {
      const answer = await api.call('GET', `/api/queue?before=${encodeURIComponent(before)}`);
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid', field: 'before' } });
    },
  );

  test('of an impossible time has nothing before it, or everything', async () => {
    expect((await pageAt(`/api/queue?before=0_${randomUUID()}`)).jobs).toEqual([]);
    expect((await pageAt(`/api/queue?before=${'9'.repeat(16)}_${randomUUID()}`)).total).toBe(200);
  });
});

describe('a job that has changed', () => {
  test('is the only one that is read again for the list', async () => {
    await fill([{ status: 'queued', count: 20, from: '2026-01-01T00:00:00Z' }]);
    const before = (await newest()).jobs;
    const changed = before[7]?.id ?? '';
    // These changes set no new version, so they appear only if the job is read again.
    await fixture.database.db.updateTable('imports').set({ filename: 'unseen.csv' }).execute();
    await changeImport(fixture.database.db, changed, { filename: 'seen.csv' });
    const after = (await newest()).jobs;
    expect(after.filter(({ filename }) => filename === 'unseen.csv')).toEqual([]);
    expect(after.filter(({ filename }) => filename === 'seen.csv').map(({ id }) => id)).toEqual([changed]);
  });
});
