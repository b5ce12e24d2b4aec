import type { Job } from '@draftshelf/contract/imports/imports';
import { expect } from 'vitest';
import { productCsv, storedImport } from '../../support/fixture.ts';
import { test } from '../../support/test.ts';

test('the list, the import and the dashboard have the pace of a push, and a new version with it', async ({
  fixture,
  api,
}) => {
  await api.login();
  const { pool } = fixture.database;
  const { id } = await storedImport(fixture, { csv: productCsv(1) });
  /** Changes the import, and clears the api's cache. */
  const set = async (assignments: string) => {
    const version = "version = nextval('import_version')";
    await pool.query(`update imports set ${version}, ${assignments} where id = $1`, [id]);
    await api.login();
  };
  const begun = "import_stage = 'push', import_started_at = now() - interval '10 minutes'";
  await pool.query(`update runs set ${begun} where import_id = $1 and stage = 'parse'`, [id]);
  await set("status = 'uploading', push_run = 1, push_done = 401, push_total = 900");
  // Ten products a second for twenty seconds, and a scanned one that no push has sent.
  await pool.query(
    `insert into ledger (origin, shop, our_id, import_id, product, run, effect, recorded_at)
     select 'push', 'a-shop', 'p' || n, $1, n, 1, 'created', clock_timestamp() - n * interval '100 milliseconds'
     from generate_series(0, 199) n`,
    [id],
  );
  await pool.query(
    "insert into ledger (origin, shop, our_id, effect) values ('scanner', 'a-shop', 's', 'created')",
  );

  const queue = async (etag?: string) => {
    const reply = await api.call('GET', '/api/queue', etag ? { headers: { 'if-none-match': etag } } : {});
    return { ...reply, job: (reply.body as Job[])?.[0] };
  };
  const sent = await queue();
  expect(sent.job?.pace).toMatchObject({
    ...{ state: 'running', done: 401, total: 900, perSecond: 10 },
    ...{ sharedWith: 0, stalledSince: null },
  });
  // 499 products are left.
  expect(Date.parse(sent.job?.pace?.readyAt ?? '') - Date.now()).toBeGreaterThan(30_000);
  const one = async () => (await api.call('GET', `/api/jobs/${id}?rows=0`)).body as Job;
  expect((await one()).pace).toMatchObject({ state: 'running', done: 401 });
  const [current] = (await api.call('GET', '/api/dashboard/current')).body as Job[];
  expect(current?.pace).toMatchObject({ state: 'running', done: 401 });

  // The import itself does not change while nothing is recorded, but its pace does.
  await pool.query("update ledger set recorded_at = recorded_at - interval '1 hour'");
  await api.login();
  const etag = sent.headers.get('etag') ?? '';
  const stalled = await queue(etag);
  expect(stalled.status).toBe(200);
  expect(stalled.job?.pace).toMatchObject({ state: 'stalled', perSecond: null, readyAt: null });
  expect(stalled.job?.pace?.stalledSince).not.toBeNull();
  expect((await queue(stalled.headers.get('etag') ?? '')).status).toBe(304);

  await set("waiting_for = 'The store is busy.', waiting_until = now() + interval '40 seconds'");
  expect((await one()).pace).toMatchObject({ state: 'waiting', readyAt: null });
  await set("status = 'paused', paused_from = 'uploading', waiting_for = null, waiting_until = null");
  expect((await queue()).job?.pace).toMatchObject({ state: 'paused', done: 401, total: 900 });
  await pool.query(`update runs set completed_at = now() where import_id = $1 and stage = 'parse'`, [id]);
  await set("status = 'completed', paused_from = null");
  expect((await queue()).job?.pace).toBeNull();
  expect((await one()).pace).toBeNull();
});

test('a file that is read has its rows of each second', async ({ fixture, api }) => {
  const { pool } = fixture.database;
  const { id } = await storedImport(fixture, { csv: productCsv(40), rowsMax: 10 });
  await pool.query(
    `update chunks set state = 'done', ended_at = clock_timestamp() - sequence * interval '2 seconds'
     where import_id = $1 and kind = 'work' and sequence < 3`,
    [id],
  );
  await pool.query(
    `update runs set parsed_rows = 30, import_started_at = now() - interval '30 seconds' where import_id = $1 and stage = 'parse'`,
    [id],
  );
  await api.login();
  const job = (await api.call('GET', `/api/jobs/${id}?rows=0`)).body as Job;
  expect(job).toMatchObject({ status: 'processing', pace: { state: 'running', done: 30, total: 40 } });
  expect(job.pace?.perSecond).toBeGreaterThan(0);
});
