import { moveStatus } from '@draftshelf/core/imports/imports';
import { expect } from 'vitest';
import { startApi } from '../../support/api.ts';
import { lockWaiters, productCsv, storedImport, until } from '../../support/fixture.ts';
import { api, fixture, testOnApi } from '../../support/test.ts';

const test = testOnApi(() => ({ set: { pollHeldMsMax: 600_000 } }));

const begin = () => storedImport(fixture, { csv: productCsv(2) });
const endProcessing = (id: string) =>
  moveStatus(fixture.database.db, id, { from: ['processing'], to: 'processed' });

async function poll(id: string, query: string) {
  const answer = await api.call('GET', `/api/queue/${id}${query}`);
  const { job } = answer.body as { job?: { status: string } };
  return { ...answer, shows: job?.status };
}

test('a poll with wait=1 is answered as soon as the import is processed', async () => {
  const { id } = await begin();
  let answered = false;
  const held = poll(id, '?rows=0&wait=1').finally(() => {
    answered = true;
  });
  expect(await poll(id, '?rows=0')).toMatchObject({ shows: 'processing' });
  expect(answered).toBe(false);
  await endProcessing(id);
  expect(await held).toMatchObject({ status: 200, shows: 'processed' });
});

test('it is answered unchanged after the longest hold, and at once when nothing is processed any more', async () => {
  const heldMsMax = 300;
  const short = await startApi(fixture, { set: { pollHeldMsMax: heldMsMax } });
  try {
    const { id } = await begin();
    const path = `/api/queue/${id}?rows=0&wait=1`;
    const begunMs = performance.now();
    const held = await short.call('GET', path);
    expect(performance.now() - begunMs).toBeGreaterThan(heldMsMax - 50);
    expect(held.body).toMatchObject({ job: { status: 'processing' } });
    const headers = { 'if-none-match': held.headers.get('etag') ?? '' };
    expect(await short.call('GET', path, { headers })).toMatchObject({ status: 304 });
    await endProcessing(id);
    // Held, it would not be answered within the time of the test.
    expect(await poll(id, '?rows=0&wait=1')).toMatchObject({ shows: 'processed' });
  } finally {
    await short.close();
  }
});

test('an unknown import is not waited for, and many held polls take no connection of the pool', async () => {
  expect(await poll('unknown', '?wait=1')).toMatchObject({ status: 404 });
  const { id } = await begin();
  let answered = 0;
  const held = Array.from({ length: 30 }, async () => {
    const answer = await poll(id, '?rows=0&wait=1');
    answered += 1;
    return answer;
  });
  expect(await poll(id, '?rows=0')).toMatchObject({ shows: 'processing' });
  expect(answered).toBe(0);
  await endProcessing(id);
  for (const { shows } of await Promise.all(held)) expect(shows).toBe('processed');
});

test('polls that wait for the same version of an import share one read of it', async () => {
  const { id } = await begin();
  const locking = await fixture.database.pool.connect();
  let polls: ReturnType<typeof poll>[];
  try {
    await locking.query('begin; lock table proposals in access exclusive mode');
    polls = Array.from({ length: 20 }, () => poll(id, '?rows=0'));
    await until('a poll reads the import', async () => (await lockWaiters(fixture)) === 1);
    // This call reads too: with a read for each poll there would be no connection left for it.
    expect(await api.call('GET', '/api/settings')).toMatchObject({ status: 200 });
    expect(await lockWaiters(fixture)).toBe(1);
  } finally {
    await locking.query('rollback');
    locking.release();
  }
  for (const answer of await Promise.all(polls))
    expect(answer).toMatchObject({ status: 200, shows: 'processing' });
});

test('any other value of wait is refused', async () => {
  const { id } = await begin();
  expect((await poll(id, '?wait=9')).status).toBe(400);
});
