import type { Feed, FeedTest } from '@draftshelf/contract/suppliers/feeds';
import { expect } from 'vitest';
import { startApi } from '../../support/api.ts';
import { feedSteps, testKeys } from '../../support/feed-steps.ts';
import { csvOf } from '../../support/fixture.ts';
import { startListServer } from '../../support/list-server.ts';
import { recordedEvent } from '../../support/recorded-events.ts';
import { test as base } from '../../support/test.ts';

const test = base.extend('feeds', async ({ fixture }, { onCleanup }) => {
  const { pool } = fixture.database;
  await pool.query('delete from imports');
  await pool.query('delete from feeds');
  if (testKeys === null) throw new Error('No key');
  const api = await startApi(fixture, { sealingKeys: testKeys });
  const server = await startListServer();
  onCleanup(async () => {
    await server.close();
    await api.close();
  });
  const steps = feedSteps(fixture, { allowedOrigins: [server.origin] });
  /** Tests an address by the calls of the screen. */
  const begin = (body: object) => api.call('POST', '/api/feeds', { body });
  const test = async (body: object): Promise<{ id: string; found: FeedTest }> => {
    const begun = await begin(body);
    expect(begun.status).toBe(202);
    const { id } = begun.body as { id: string };
    await steps.run('fetch-list');
    return { id, found: (await api.call('GET', `/api/feeds/${id}`)).body as FeedTest };
  };
  const feedOf = async (supplier: number) =>
    ((await api.call('GET', `/api/suppliers/${supplier}/feed`)).body as { feed: Feed | null }).feed;
  return { api, server, steps, begin, test, feedOf };
});

const list = (price: string) =>
  csvOf([
    ['Title', 'Price', 'SKU'],
    ['Soap', price, 'A'],
  ]);
const daily = { schedule: { every: 'day', at: '07:30' }, zone: 'Europe/Berlin' };
const untested = { signIn: { kind: 'none' }, supplier: null, hostKey: null };

test('an address is tested, saved, fetched, changed and removed', async ({ fixture, feeds }) => {
  const { api, server, steps, feedOf } = feeds;
  server.serve('/list.csv', list('1.00'));
  const address = `${server.origin}/list.csv?token=canary`;
  const signIn = { kind: 'password', user: 'ada', password: 'canary' };
  const { id, found } = await feeds.test({ ...untested, address, signIn });
  expect(found).toMatchObject({ isRunning: false, trouble: null, preview: { products: 1, compared: null } });
  const added = await api.call('POST', `/api/feeds/${id}/supplier`, { body: { of: 'Acme', ...daily } });
  const { supplier } = added.body as { supplier: number };
  expect(await recordedEvent(fixture.database.pool, 'credentials-saved')).toMatchObject({
    detail: 'Address of a list',
  });
  expect(await feedOf(supplier)).toMatchObject({
    ...{ address: `${server.origin}/list.csv?…`, signIn: 'password', isFetching: true, ...daily },
  });
  await steps.run('fetch-list');
  const feed = await feedOf(supplier);
  expect(feed).toMatchObject({ isFetching: false, trouble: null, fetches: [{ result: 'taken' }] });
  expect(feed?.nextAt).toMatch(/T0[56]:3[01]:/);
  expect(JSON.stringify([feed, found])).not.toContain('canary');

  // What is saved for one server is never sent to another one.
  const other = await startListServer();
  const moved = { address: `${other.origin}/list.csv`, signIn: { kind: 'saved' }, supplier, hostKey: null };
  expect(await feeds.begin(moved)).toMatchObject({
    status: 400,
    body: { message: 'Enter the sign-in for this server.' },
  });
  await other.close();
  server.serve('/new.csv', list('1.00'));
  const again = await feeds.test({ ...moved, address: `${server.origin}/new.csv` });
  expect(server.asked.at(-1)).toMatchObject({ path: '/new.csv', headers: { authorization: /^Basic / } });
  const body = { of: supplier, schedule: null, zone: 'UTC' };
  expect(await api.call('POST', `/api/feeds/${again.id}/supplier`, { body })).toMatchObject({
    ...{ status: 200, body: { supplier } },
  });
  await steps.run('fetch-list');
  // The last list of the earlier address is known.
  expect(await feedOf(supplier)).toMatchObject({
    ...{ address: `${server.origin}/new.csv`, schedule: null, nextAt: null },
    fetches: [{ result: 'taken' }],
  });
  expect(await steps.imports()).toHaveLength(1);
  const saved = async () =>
    (await fixture.database.pool.query(`select 1 from credentials where service like 'feed:%'`)).rowCount;
  expect(await saved()).toBe(1);

  const hourly = { schedule: { every: 'hour' }, zone: 'UTC' };
  await api.call('PUT', `/api/suppliers/${supplier}/feed`, { body: hourly });
  expect(await feedOf(supplier)).toMatchObject({ ...hourly, nextAt: expect.any(String) });
  const mode = await api.call('PUT', `/api/suppliers/${supplier}/feed`, { body: { runsItself: true } });
  expect(mode.status).toBe(409);
  expect((await api.call('DELETE', `/api/suppliers/${supplier}/feed`)).status).toBe(200);
  expect(await feedOf(supplier)).toBeNull();
  expect(await saved()).toBe(0);
  expect((await api.call('POST', `/api/suppliers/${supplier}/feed/fetch`)).status).toBe(404);
});

test('a test counts what is new, dearer and missing since the last list, and stores none of it', async ({
  fixture,
  feeds,
}) => {
  const { server } = feeds;
  const { pool } = fixture.database;
  const { rows } = await pool.query(`insert into suppliers (name) values ('Counted') returning id`);
  const supplier = rows[0].id as number;
  await pool.query(
    `insert into supplier_lists (supplier, number, filename, sha256, state, counted_at, counted_run)
     values ($1, 1, 'before.csv', 'x', 'counted', now(), 1)`,
    [supplier],
  );
  await pool.query(
    `insert into supplier_items (supplier, key, our_id, first_list, first_run, price)
     select $1, 's:' || key, 'id of ' || key, 1, 1, 10000 from unnest(array['A', 'B', 'C', 'D']) key`,
    [supplier],
  );
  const table = [
    ['A', '1.00'],
    ['B', '1.50'],
    ['C', '0.50'],
    ['E', '1.00'],
    ['F', '9.00'],
  ];
  const body = csvOf([
    ['Title', 'Price', 'SKU'],
    ...table.map(([sku = '', price = '']) => ['Soap', price, sku]),
  ]);
  server.serve('/list.csv', body);
  const { found } = await feeds.test({ ...untested, address: `${server.origin}/list.csv`, supplier });
  expect(found.preview?.compared).toEqual({ new: 2, dearer: 1, cheaper: 1, missing: 1 });
  expect(await feeds.steps.imports()).toEqual([]);
  expect((await pool.query('select 1 from supplier_items where supplier = $1', [supplier])).rowCount).toBe(4);
});

test('tests are no scanner: there are few of them', async ({ feeds }) => {
  const { server } = feeds;
  const body = { ...untested, address: `${server.origin}/none.csv` };
  const statuses: number[] = [];
  for (let at = 0; at < 21; at += 1) statuses.push((await feeds.begin(body)).status);
  expect(statuses.filter((status) => status === 202)).toHaveLength(20);
  expect(statuses.at(-1)).toBe(429);
});
