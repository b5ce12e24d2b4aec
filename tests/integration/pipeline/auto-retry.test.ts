import { saveSettings } from '@draftshelf/core/access/settings';
import { findImport } from '@draftshelf/core/imports/imports';
import { retryDueImports } from '@draftshelf/core/work/auto-retries';
import { expect } from 'vitest';
import { productCsv, storedImport } from '../../support/fixture.ts';
import { api, fixture, testOnApi } from '../../support/test.ts';

const test = testOnApi();

const sweep = () => fixture.database.db.transaction().execute((trx) => retryDueImports(trx, 'parse'));
const statusOf = async (id: string) => (await findImport(fixture.database.db, id))?.status;

/** Fails an import `minutes` ago, because its chunk is dead after some attempts. */
async function fail(id: string, minutes: number, attempts = 5) {
  const { pool } = fixture.database;
  const dead = `update chunks set state = 'dead', attempts = $2, ended_at = now() where import_id = $1`;
  await pool.query(dead, [id, attempts]);
  await pool.query(
    `with changed as (update imports set status = 'failed' where id = $1)
       update runs set failed_in = 'parse', open_chunks = 0, completed_at = now() - $2 * interval '1 minute' where import_id = $1 and stage = 'parse'`,
    [id, minutes],
  );
}

test('off, nothing is retried; on, a failed import is retried after 5, 15 and 45 minutes, and no more', async () => {
  const { id } = await storedImport(fixture, { csv: productCsv(3) });
  await fail(id, 6);
  await sweep();
  expect(await statusOf(id)).toBe('failed');

  await saveSettings(fixture.database.db, { autoRetry: true });
  for (const minutes of [5, 15, 45]) {
    await fail(id, minutes - 1);
    await sweep();
    expect(await statusOf(id)).toBe('failed');
    await fail(id, minutes + 1);
    await sweep();
    expect(await statusOf(id)).toBe('processing');
    expect(await findImport(fixture.database.db, id)).toMatchObject({ open_chunks: 1, error_message: null });
  }
  await fail(id, 600);
  await sweep();
  expect(await statusOf(id)).toBe('failed');
});

test('an import whose chunk could not succeed at all, or that was cancelled, is left alone', async () => {
  const stopped = await storedImport(fixture, { csv: productCsv(2) });
  await fail(stopped.id, 60, 1);
  const cancelled = await storedImport(fixture, { csv: productCsv(2) });
  await fail(cancelled.id, 60);
  await fixture.database.pool.query(`update imports set status = 'cancelled' where id = $1`, [cancelled.id]);
  await sweep();
  expect(await statusOf(stopped.id)).toBe('failed');
  expect(await statusOf(cancelled.id)).toBe('cancelled');
});

test('an import says when it is retried next, and the operator can end it', async () => {
  const { id } = await storedImport(fixture, { csv: productCsv(2) });
  const job = async () =>
    ((await api.call('GET', `/api/queue/${id}?rows=0`)).body as { job: Record<string, unknown> }).job;
  const listed = async () =>
    ((await api.call('GET', '/api/queue')).body as Record<string, unknown>[]).find((one) => one.id === id);
  const stop = () => api.call('DELETE', `/api/queue/${id}/auto-retry`);
  await api.call('POST', '/api/settings', { body: { autoRetry: false } });
  await fail(id, 0);
  expect(await job()).toMatchObject({ nextRetryAt: null, autoRetries: 0 });
  expect(await listed()).toMatchObject({ nextRetryAt: null });
  expect(await stop()).toMatchObject({ status: 409, body: { message: 'No retry is due.' } });

  await api.call('POST', '/api/settings', { body: { autoRetry: true } });
  const { completed_at } = (await findImport(fixture.database.db, id)) ?? {};
  const due = new Date((completed_at?.getTime() ?? 0) + 5 * 60_000).toISOString();
  expect(await job()).toMatchObject({ nextRetryAt: due, autoRetries: 0 });
  // The list is cached by version, so the setting has to show there as well.
  expect(await listed()).toMatchObject({ nextRetryAt: due });

  await fail(id, 6);
  await sweep();
  expect(await job()).toMatchObject({ status: 'processing', nextRetryAt: null });
  await fail(id, 1);
  expect(await job()).toMatchObject({ autoRetries: 1, nextRetryAt: expect.any(String) });
  expect(await stop()).toMatchObject({ status: 200, body: { job: { nextRetryAt: null, autoRetries: 1 } } });
  expect((await stop()).status).toBe(409);
  await fail(id, 600);
  await sweep();
  expect(await statusOf(id)).toBe('failed');

  const exhausted = await storedImport(fixture, { csv: productCsv(2) });
  await fail(exhausted.id, 1);
  await fixture.database.pool.query('update runs set auto_retries = 3 where import_id = $1', [exhausted.id]);
  const last = await api.call('GET', `/api/queue/${exhausted.id}?rows=0`);
  expect(last.body).toMatchObject({ job: { nextRetryAt: null, autoRetries: 3 } });
  expect((await api.call('DELETE', `/api/queue/${exhausted.id}/auto-retry`)).status).toBe(409);
});
