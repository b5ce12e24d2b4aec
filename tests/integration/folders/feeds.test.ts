import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createLogger } from '@draftshelf/runtime/logger';
import { expect } from 'vitest';
import { feedSteps } from '../../support/feed-steps.ts';
import { csvOf } from '../../support/fixture.ts';
import { startListServer } from '../../support/list-server.ts';
import { test as base } from '../../support/test.ts';

const test = base.extend('fetching', async ({ fixture }, { onCleanup }) => {
  await fixture.database.pool.query('delete from imports');
  await fixture.database.pool.query('delete from feeds');
  const server = await startListServer();
  onCleanup(server.close);
  return { server, ...feedSteps(fixture, { allowedOrigins: [server.origin] }) };
});

/** Rows of a few packed bytes each. */
const bomb = (): Buffer =>
  gzipSync(`Title,Price\r\n${Array.from({ length: 400_000 }, (_, row) => `${row % 100},1`).join('\r\n')}`);

const listOf = (prices: Record<string, string>): string =>
  csvOf([
    ['Title', 'Price', 'SKU'],
    ...Object.entries(prices).map(([sku, price]) => [`Soap ${sku}`, price, sku]),
  ]);

test('a test shows the first rows and begins no import; the saved address brings one', async ({
  fetching,
}) => {
  const { server, ...steps } = fetching;
  server.serve('/list.csv', listOf({ A: '1.50', B: '2.50' }));
  const tested = await steps.test(`${server.origin}/list.csv?token=geheim`);
  expect(tested).toMatchObject({
    state: 'test',
    trouble: null,
    shown: `${server.origin}/list.csv?…`,
    preview: {
      filename: 'list.csv',
      rows: 2,
      products: 2,
      columns: [
        { header: 'Title', field: 'title' },
        { header: 'Price', field: 'price' },
        { header: 'SKU', field: 'sku' },
      ],
      records: [
        ['Soap A', '1.50', 'A'],
        ['Soap B', '2.50', 'B'],
      ],
      compared: null,
    },
  });
  expect(await steps.imports()).toEqual([]);

  const { id, supplier } = await steps.add(`${server.origin}/list.csv?token=geheim`, 'Acme');
  await steps.fetch(supplier);
  const [record] = await steps.imports();
  expect(record).toMatchObject({
    filename: 'list.csv',
    source: 'address',
    source_path: `${server.origin}/list.csv?…`,
    auto_mode: 'manual',
    status: 'processing',
    total_products: 2,
  });
  expect(await steps.find(id)).toMatchObject({ trouble: null, failures: 0, last_import: record?.id });
  expect(await steps.fetches(id)).toMatchObject([{ result: 'taken', import_id: record?.id }]);
});

test('equal content begins nothing: by validator, by bytes, by rows', async ({ fixture, fetching }) => {
  const { server, ...steps } = fetching;
  const list = listOf({ A: '1.50', B: '2.50' });
  server.serve('/list.csv', list, { etag: '"1"' });
  const { id, supplier } = await steps.add(`${server.origin}/list.csv`, 'Acme');
  await steps.fetch(supplier);
  expect(await steps.imports()).toHaveLength(1);

  await steps.fetchDue(id);
  expect(server.asked.at(-1)?.headers['if-none-match']).toBe('"1"');
  // Another validator, the same bytes.
  server.serve('/list.csv', list, { etag: '"2"' });
  await steps.fetchDue(id);
  // Other bytes, the same rows in another order.
  server.serve('/list.csv', listOf({ B: '2.50', A: '1.50' }), { etag: '"3"' });
  await steps.fetchDue(id);
  expect(await steps.imports()).toHaveLength(1);
  expect(await steps.fetches(id)).toHaveLength(1);
  expect(await steps.find(id)).toMatchObject({ etag: '"3"', trouble: null });

  server.serve('/list.csv', listOf({ A: '1.50', B: '2.75' }), { etag: '"4"' });
  await steps.fetchDue(id);
  expect(await steps.imports()).toHaveLength(2);

  // Who asks for a list whose import is gone gets it again.
  await fixture.database.pool.query('delete from imports');
  await steps.fetchDue(id);
  expect(await steps.imports()).toHaveLength(0);
  await steps.fetch(supplier);
  expect(await steps.imports()).toHaveLength(1);
});

test('a sign-in and a token in the address are sealed, and never sent to another origin', async ({
  fixture,
  fetching,
}) => {
  const other = await startListServer();
  const { server } = fetching;
  const lines: string[] = [];
  const note = (...parts: unknown[]) => void lines.push(JSON.stringify(parts));
  const silent = createLogger({ name: 'folder-worker', level: 'silent', pretty: false });
  const logger = Object.assign(silent, { debug: note, info: note, warn: note, error: note });
  const steps = feedSteps(fixture, { allowedOrigins: [server.origin, other.origin], logger });
  server.answer('/list.csv', (_, response) =>
    response.writeHead(302, { location: `${other.origin}/moved.csv` }).end(),
  );
  other.serve('/moved.csv', listOf({ A: '1.50' }));
  const signIn = { kind: 'password', user: 'ada', password: 'canary-password' } as const;
  const { id, supplier } = await steps.add(`${server.origin}/list.csv?token=canary-token`, 'Acme', {
    signIn,
  });
  await steps.fetch(supplier);
  expect(await steps.imports()).toHaveLength(1);
  expect(server.asked[0]?.headers.authorization).toMatch(/^Basic /);
  expect(other.asked.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);

  other.answer('/moved.csv', (_, response) => response.writeHead(401).end('canary-password'));
  await steps.fetch(supplier);
  const host = new URL(other.origin).host;
  expect(await steps.find(id)).toMatchObject({
    trouble: `${host} asks for a sign-in, which isn’t sent on to it. Enter that address.`,
    trouble_kind: 'sign in',
    trouble_cause: 'Status 401',
  });
  const { rows } = await fixture.database.pool.query(
    `select (select json_agg(feeds) from feeds)::text || (select json_agg(feed_fetches) from feed_fetches)::text
       || (select json_agg(activity) from activity)::text || (select json_agg(imports) from imports)::text as stored`,
  );
  const sealed = await fixture.database.pool.query('select sealed from credentials');
  const seen = [rows[0].stored, lines.join(''), ...sealed.rows.map((row) => row.sealed.toString('latin1'))];
  expect(seen.join('').length).toBeGreaterThan(1_000);
  expect(seen.filter((text) => text.includes('canary'))).toEqual([]);
  await other.close();
});

test.for<[string, (response: ServerResponse) => void, string, string]>([
  [
    'a sign-in page',
    (r) => r.writeHead(200).end('\n<!-- hi --><!DOCTYPE html><p>Sign in'),
    'web page',
    'sent a web page, not a list. Is a sign-in needed?',
  ],
  ['401', (r) => r.writeHead(401).end(), 'sign in', 'asks for a sign-in.'],
  ['404', (r) => r.writeHead(404).end(), 'not found', 'has no file at this address.'],
  ['too many requests', (r) => r.writeHead(429, { 'retry-after': '20' }).end(), 'throttled', 'asks to wait.'],
  ['an error', (r) => r.writeHead(500).end(), 'network', 'answered with an error (status 500).'],
  [
    '304 without a question',
    (r) => r.writeHead(304).end(),
    'network',
    'answered with an error (status 304).',
  ],
  ['nothing', (r) => r.writeHead(200).end(), 'not a list', 'The file has no header row with data below it.'],
  [
    'a header alone',
    (r) => r.writeHead(200).end('Title,Price,SKU\r\n'),
    'not a list',
    'The file has no header row with data below it.',
  ],
  [
    'a cut-off list',
    (r) => {
      r.writeHead(200, { 'content-length': '1000' });
      r.write('Title,Price,SKU\r\nSoap,1.50,A\r\n', () => r.destroy());
    },
    'cut off',
    'was cut off.',
  ],
  [
    '10 GB',
    (r) => r.writeHead(200, { 'content-length': '10737418240' }).end('a'),
    'not a list',
    'is larger than this server reads.',
  ],
  [
    'a private address',
    (r) => r.writeHead(302, { location: 'https://169.254.169.254/latest' }).end(),
    'address',
    'leads into a private network. FETCH_ALLOW can name it.',
  ],
  [
    'an address of this machine',
    (r) => r.writeHead(302, { location: 'https://[::ffff:127.0.0.1]/' }).end(),
    'address',
    'leads into a private network. FETCH_ALLOW can name it.',
  ],
  [
    'plain http',
    (r) => r.writeHead(302, { location: 'http://example.com/list.csv' }).end(),
    'address',
    'only https addresses are fetched.',
  ],
  [
    'itself',
    (r) => r.writeHead(302, { location: '/list.csv' }).end(),
    'address',
    'redirects more than 3 times.',
  ],
  ['a bomb', (r) => r.writeHead(200).end(bomb()), 'not a list', 'too many for its size'],
])(
  '%s ends with a sentence and keeps the last list',
  async ([_name, answer, kind, sentence], { fetching }) => {
    const { server, ...steps } = fetching;
    server.serve('/list.csv', listOf({ A: '1.50' }));
    const { id, supplier } = await steps.add(`${server.origin}/list.csv`, 'Acme');
    await steps.fetch(supplier);
    server.answer('/list.csv', (_, response) => answer(response));
    await steps.fetch(supplier);
    const feed = await steps.find(id);
    expect(feed).toMatchObject({
      trouble_kind: kind,
      failures: 1,
      trouble: expect.stringContaining(sentence),
    });
    expect(feed.next_fetch_at).not.toBeNull();
    expect((await steps.imports()).map(({ status }) => status)).toEqual(['processing']);
    expect((await steps.fetches(id)).map(({ result }) => result)).toEqual(['failed', 'taken']);
    // What is mended brings the next list.
    server.serve('/list.csv', listOf({ A: '1.75' }));
    await steps.fetchDue(id);
    expect(await steps.find(id)).toMatchObject({ trouble: null, failures: 0 });
    expect(await steps.imports()).toHaveLength(2);
  },
);
