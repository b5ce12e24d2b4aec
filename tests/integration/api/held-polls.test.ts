import { moveStatus } from '@draftshelf/database/imports/imports';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { type Fixture, openFixture, productCsv, storedImport } from '../../support/fixture.ts';

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

const begin = () => storedImport(fixture, { csv: productCsv(2) });
const endProcessing = (id: string) =>
  moveStatus(fixture.database.db, id, { from: ['processing'], to: 'processed' });

async function poll(id: string, query: string, headers: Record<string, string> = {}) {
  const begunMs = performance.now();
  const answer = await api.call('GET', `/api/queue/${id}${query}`, { headers });
  const { job } = answer.body as { job?: { status: string } };
  return { ...answer, shows: job?.status, tookMs: performance.now() - begunMs };
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

test('it is answered after 1.8 seconds if nothing has changed; without wait=1 at once', async () => {
  const { id } = await begin();
  const held = await poll(id, '?rows=0&wait=1');
  expect(held.shows).toBe('processing');
  expect(held.tookMs).toBeGreaterThan(1_700);
  const etag = held.headers.get('etag') ?? '';
  expect(await poll(id, '?rows=0&wait=1', { 'if-none-match': etag })).toMatchObject({ status: 304 });
  await endProcessing(id);
  expect((await poll(id, '?rows=0&wait=1')).tookMs).toBeLessThan(1_500);
});

test('an unknown import is not waited for, and many held polls take no connection of the pool', async () => {
  expect(await poll('unknown', '?wait=1')).toMatchObject({ status: 404 });
  const { id } = await begin();
  const held = Array.from({ length: 30 }, () => poll(id, '?rows=0&wait=1'));
  expect((await poll(id, '?rows=0')).tookMs).toBeLessThan(1_500);
  await endProcessing(id);
  for (const { shows, tookMs } of await Promise.all(held)) {
    expect(shows).toBe('processed');
    expect(tookMs).toBeLessThan(1_800);
  }
});

test('any other value of wait is refused', async () => {
  const { id } = await begin();
  expect((await poll(id, '?wait=9')).status).toBe(400);
});
