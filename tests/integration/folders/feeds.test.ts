import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { countAgreedLists, nextScheduledTime, setFeedFullAuto } from '@draftshelf/core/suppliers/feeds';
import { createLogger } from '@draftshelf/runtime/logger';
import { expect } from 'vitest';
import { feedSteps } from '../../support/feed-steps.ts';
import { csvOf, storedUnder, until } from '../../support/fixture.ts';
import { startListServer } from '../../support/list-server.ts';
import { isLong } from '../../support/queue-backend.ts';
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

const daily = (at: string, every: 'day' | 'weekday' = 'day') => ({ every, at });

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

test.for<[string, object, string, string, string]>([
  ['every hour', { every: 'hour' }, 'UTC', '2026-11-30T07:12:30Z', '2026-11-30T08:12:30.000Z'],
  ['later today', daily('07:30'), 'Europe/Berlin', '2026-11-30T06:29:00Z', '2026-11-30T06:30:00.000Z'],
  ['tomorrow', daily('07:30'), 'Europe/Berlin', '2026-11-30T06:30:00Z', '2026-12-01T06:30:00.000Z'],
  ['another date there', daily('07:30'), 'Asia/Tokyo', '2026-11-30T23:00:00Z', '2026-12-01T22:30:00.000Z'],
  ['half an hour', daily('00:00'), 'Asia/Kolkata', '2026-11-30T12:00:00Z', '2026-11-30T18:30:00.000Z'],
  // A Friday, and the Monday after it.
  ['no weekend', daily('07:30', 'weekday'), 'UTC', '2026-11-27T08:00:00Z', '2026-11-30T07:30:00.000Z'],
  // Clocks go from 02:00 to 03:00 on 29 March 2026, and from 03:00 back to 02:00 on 25 October.
  ['a skipped time', daily('02:30'), 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:30:00.000Z'],
  [
    'a time that comes twice',
    daily('02:30'),
    'Europe/Berlin',
    '2026-10-24T12:00:00Z',
    '2026-10-25T01:30:00.000Z',
  ],
  ['after it', daily('02:30'), 'Europe/Berlin', '2026-10-25T01:30:00Z', '2026-10-26T01:30:00.000Z'],
])('the next time of a schedule: %s', async ([_name, schedule, zone, now, expected], { fixture }) => {
  const found = await fixture.database.db
    .selectNoFrom((of) => {
      const given = (value: string, type: 'jsonb' | 'text' | 'timestamptz') => of.cast(of.val(value), type);
      return nextScheduledTime(
        given(JSON.stringify(schedule), 'jsonb'),
        given(zone, 'text'),
        given(now, 'timestamptz'),
      ).as('at');
    })
    .executeTakeFirst();
  expect(found?.at?.toISOString()).toBe(expected);
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
    (r) => {
      r.writeHead(200, { 'content-length': '10737418240' });
      r.write(`Title,Price,SKU\r\n${'Soap,1.50,A\r\n'.repeat(300_000)}`);
    },
    'not a list',
    'The file is larger than',
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
    'Only https addresses are fetched.',
  ],
  [
    'itself',
    (r) => r.writeHead(302, { location: '/list.csv' }).end(),
    'network',
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

test('a Google Sheet is read as its export, which redirects; one that is not shared says so', async ({
  fixture,
}) => {
  const [google, content] = [await startListServer(), await startListServer()];
  const steps = feedSteps(fixture, {
    allowedOrigins: [google.origin, content.origin],
    sheetsAt: google.origin,
  });
  const sheet = '/spreadsheets/d/1AbC-dEf_1234567890';
  google.answer(`${sheet}/export`, (_, response) =>
    response.writeHead(307, { location: `${content.origin}/export/1` }).end(),
  );
  content.serve('/export/1', listOf({ A: '1.50' }), {
    'content-disposition': `attachment; filename="x.csv"; filename*=UTF-8''..%2FAcme%20%E2%80%93%20Prices.csv`,
  });
  const shared = await steps.test(`${google.origin}${sheet}/edit?usp=sharing#gid=7`);
  expect(shared).toMatchObject({ kind: 'sheet', shown: 'Google Sheet', trouble: null });
  expect(shared.preview).toMatchObject({ filename: 'Acme – Prices.csv', products: 1 });
  expect(google.asked.map(({ path }) => path)).toEqual([`${sheet}/export?format=csv&gid=7`]);

  content.answer('/export/1', (_, response) => response.writeHead(200).end('<html>Sign in'));
  const unshared = await steps.test(`${google.origin}${sheet}/edit`);
  expect(unshared.trouble).toBe('The sheet isn’t shared. Share it with “Anyone with the link”, as a viewer.');
  await Promise.all([google.close(), content.close()]);
});

test('a list is imported once, wherever the process that fetches it is killed', async ({
  fixture,
  fetching,
}) => {
  const { server, ...steps } = fetching;
  const { pool } = fixture.database;
  const keys = async () => (await storedUnder(fixture.storage, 'files/')).map(({ key }) => key);
  const before = new Set(await keys());
  server.serve('/list.csv', listOf({ A: '1.00' }));
  const { id, supplier } = await steps.add(`${server.origin}/list.csv`, 'Acme');
  // The transaction that begins the import fails at the end, as if its process were killed before the commit.
  await pool.query(`
    create function refuse_fetch() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
    create constraint trigger refuse_fetch after insert on feed_fetches deferrable initially deferred
      for each row execute function refuse_fetch()`);
  for (let price = 1; price <= (isLong ? 300 : 3); price += 1) {
    server.serve('/list.csv', listOf({ A: `${price}.00` }));
    await pool.query('alter table feed_fetches enable trigger refuse_fetch');
    const { length } = await steps.imports();
    await steps.fetch(supplier);
    expect(await steps.imports()).toHaveLength(length);
    await pool.query('alter table feed_fetches disable trigger refuse_fetch');
    // Another process goes on with the task; it may also do it twice.
    await pool.query(`update chunks set not_before = now() where task = 'fetch-list' and subject = $1`, [id]);
    await steps.run('fetch-list');
    await steps.fetch(supplier);
    expect(await steps.imports()).toHaveLength(length + 1);
    await pool.query(`update imports set status = 'queued'`);
  }
  await pool.query('drop trigger refuse_fetch on feed_fetches');
  const stored = await keys();
  const named = (await steps.imports()).map(({ object_key }) => object_key);
  expect(stored.filter((key) => !named.includes(key) && !before.has(key))).toEqual([]);
});

test('a server that sends a byte a second ends, and delays no other', async ({ fixture, fetching }) => {
  const { server } = fetching;
  const slow = await startListServer();
  const pace = { pieceMsMax: 5_000, slow: { ms: 50, bytesMin: 10_000 } };
  const steps = feedSteps(fixture, { allowedOrigins: [server.origin, slow.origin], pace });
  server.serve('/list.csv', listOf({ A: '1.00' }));
  slow.serve('/list.csv', listOf({ B: '1.00' }));
  const one = await steps.add(`${slow.origin}/list.csv`, 'Slow');
  const other = await steps.add(`${server.origin}/list.csv`, 'Fast');
  slow.answer('/list.csv', (_, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('a'), 20);
    response.on('close', () => clearInterval(drip));
  });
  await fixture.database.pool.query('update feeds set next_fetch_at = now()');
  await steps.run('poll-feeds');
  await steps.run('fetch-list');
  expect((await steps.find(one.id)).trouble).toMatch(/ sends too slowly \(\d+\.\d kB\/s\)\.$/);
  expect(await steps.find(other.id)).toMatchObject({ trouble: null });
  expect(await steps.imports()).toHaveLength(1);
  await slow.close();
});

test('fetches that last delay no other host, and end when many do', async ({ fixture, fetching }) => {
  const { server } = fetching;
  const { pool } = fixture.database;
  const slow = await Promise.all(Array.from({ length: 3 }, () => startListServer()));
  const allowedOrigins = [server, ...slow].map(({ origin }) => origin);
  const places = { quick: 2, slow: 2, slowAfterMs: 300 };
  const steps = feedSteps(fixture, { allowedOrigins, places });
  for (const one of [server, ...slow]) one.serve('/list.csv', listOf({ [one.origin]: '1.00' }));
  const added: { id: string; supplier: number }[] = [];
  for (const { origin } of [...slow, server]) added.push(await steps.add(`${origin}/list.csv`, origin));
  const quick = added.at(-1)?.supplier;
  // Each sends steadily, above the least pace, and never ends.
  let asked = 0;
  for (const one of slow)
    one.answer('/list.csv', (_, response) => {
      asked += 1;
      response.writeHead(200).write(listOf({ A: '1.00' }));
      const drip = setInterval(() => response.write('Soap,1.00,A\r\n'), 20);
      response.on('close', () => clearInterval(drip));
    });
  const isDue = (ofQuick: boolean) =>
    pool.query('update feeds set next_fetch_at = now() where (supplier = $1) = $2', [quick, ofQuick]);
  const running: Promise<unknown>[] = [];
  const goOn = async () => {
    await steps.run('poll-feeds');
    running.push(steps.run('fetch-list'));
  };
  // Two take the quick places; once they have lasted, the third is fetched, which finds no slow place.
  await isDue(false);
  await goOn();
  await until('two wait for their servers', () => asked === 2);
  expect(await steps.fetching()).toHaveLength(2);
  await until('the third has been asked for', async () => {
    await goOn();
    return asked === 3;
  });
  await until('one has ended', async () => (await steps.fetching()).length === 2);
  const all = await Promise.all(added.map(({ id }) => steps.find(id)));
  const ended = all.filter(({ trouble }) => trouble !== null);
  expect(ended).toMatchObject([{ trouble: 'The list took too long to arrive.', failures: 1 }]);
  // On a busy machine, a quick one takes longer than the slow ones may.
  places.slowAfterMs = 60_000;
  await pool.query(`update chunks set deferred_at = now() - interval '1 hour' where task = 'fetch-list'`);
  await isDue(true);
  await until('the quick one has been fetched', async () => {
    await goOn();
    return (await steps.imports()).length === 1;
  });
  expect(await steps.fetching()).toHaveLength(2);
  await Promise.all(slow.map(({ close }) => close()));
  await Promise.all(running);
});

test('a newer list replaces one that nobody has worked on, once it has been read', async ({
  fixture,
  fetching,
}) => {
  const { server, ...steps } = fetching;
  const { pool } = fixture.database;
  const { supplier } = await (async () => {
    server.serve('/list.csv', listOf({ A: '1.00' }));
    return steps.add(`${server.origin}/list.csv`, 'Acme');
  })();
  const bring = async (price: string) => {
    server.serve('/list.csv', listOf({ A: price }));
    await steps.fetch(supplier);
  };
  const statuses = async () => (await steps.imports()).map(({ status }) => status);
  await bring('1.00');
  await pool.query(`update imports set status = 'queued'`);
  await bring('2.00');
  await steps.run('poll-feeds');
  // The newer one may still turn out to be broken.
  expect(await statuses()).toEqual(['queued', 'processing']);
  await pool.query(`update imports set status = 'queued'`);
  await steps.run('poll-feeds');
  expect(await statuses()).toEqual(['cancelled', 'queued']);

  // Somebody edits the second one.
  const [, second] = await steps.imports();
  await pool.query(
    `insert into edit_commands (import_id, kind, rows, author) values ($1, 'single', 1, 'call')`,
    [second?.id],
  );
  await bring('3.00');
  await pool.query(`update imports set status = 'queued' where status = 'processing'`);
  await steps.run('poll-feeds');
  expect(await statuses()).toEqual(['cancelled', 'queued', 'queued']);
});

test('addresses that look alike are told apart by their supplier', async ({ fixture, fetching }) => {
  const { server, ...steps } = fetching;
  const { pool } = fixture.database;
  const [one, other] = ['?of=one', '?of=other'].map((query) => `/list.csv${query}`) as [string, string];
  server.serve(one, listOf({ A: '1.00' }));
  server.serve(other, listOf({ B: '1.00' }));
  const first = await steps.add(`${server.origin}${one}`, 'One');
  const second = await steps.add(`${server.origin}${other}`, 'Other');
  await pool.query('update feeds set runs_itself = true');
  await steps.fetch(first.supplier);
  await steps.fetch(second.supplier);
  const held = async () => (await steps.imports()).map(({ auto_held }) => auto_held !== null);
  // Neither holds the push of the other one, and a newer list holds that of its own supplier.
  expect(await held()).toEqual([false, false]);
  server.serve(one, listOf({ A: '2.00' }));
  await steps.fetch(first.supplier);
  expect(await held()).toEqual([true, false, false]);
  // What came before another list is a new list; what another supplier's address brings is not.
  server.serve(one, listOf({ A: '1.00' }));
  await steps.fetch(first.supplier);
  expect((await steps.fetches(first.id)).map(({ result }) => result)).toEqual(['taken', 'taken', 'taken']);
  server.serve(other, listOf({ A: '1.00' }));
  await steps.fetch(second.supplier);
  expect((await steps.fetches(second.id)).map(({ result }) => result)).toEqual(['same', 'taken']);
});

test.runIf(isLong)(
  'three lists of two days that were pushed as planned allow full auto; what speaks against it ends it',
  async ({ fixture, fetching }) => {
    const { server, ...steps } = fetching;
    const { db, pool } = fixture.database;
    await pool.query(`insert into shops (shop, url) values ('s', 's') on conflict do nothing`);
    server.serve('/list.csv', listOf({ A: '1.00' }));
    const { id, supplier } = await steps.add(`${server.origin}/list.csv`, 'Acme');
    /** Brings a list, plans it, and ends its push as `otherwise` says. */
    const push = async (price: string, otherwise: object) => {
      server.serve('/list.csv', listOf({ A: price }));
      await steps.fetch(supplier);
      await pool.query(`update imports set status = 'processed' where status = 'processing'`);
      await steps.run('poll-feeds');
      const record = (await steps.imports()).at(-1);
      const planned = await pool.query(
        `update previews set compared = $2 where import_id = $1 and kind = 'push' and replaced_at is null returning id`,
        [record?.id, JSON.stringify({ asPlanned: 1, otherwise })],
      );
      expect(planned.rowCount).toBe(1);
      await pool.query(`update imports set status = 'completed', push_run = 1 where id = $1`, [record?.id]);
      await steps.run('poll-feeds');
      return record?.id;
    };
    const agreement = async () => countAgreedLists(db, await steps.find(id));
    const setItself = (to: boolean) => db.transaction().execute((trx) => setFeedFullAuto(trx, supplier, to));
    await push('1.00', {});
    await push('2.00', { edited: 1 });
    expect(await agreement()).toEqual({ agreed: 0, isEnough: false });
    expect((await steps.fetches(id))[0]).toMatchObject({
      agreed: 'different',
      sentence: '1 product pushed differently than planned.',
    });
    await push('3.00', { store: 2 });
    await push('4.00', {});
    await push('5.00', {});
    // All of one day.
    expect(await agreement()).toEqual({ agreed: 3, isEnough: false });
    expect(await setItself(true)).toBe('not yet');
    await pool.query(
      `update feed_fetches set at = at - interval '1 day' where id = (
       select id from feed_fetches where feed = $1 and agreed = 'equal' order by id desc offset 2 limit 1)`,
      [id],
    );
    expect(await agreement()).toEqual({ agreed: 3, isEnough: true });
    expect(await setItself(true)).toBe(true);

    server.serve('/list.csv', listOf({ A: '6.00' }));
    await steps.fetch(supplier);
    const held = (await steps.imports()).at(-1);
    expect(held?.auto_mode).toBe('full-auto');
    await pool.query(`update imports set auto_held = 'Not pushed: it was strange.' where id = $1`, [
      held?.id,
    ]);
    await steps.run('poll-feeds');
    expect(await steps.find(id)).toMatchObject({
      runs_itself: false,
      itself_ended: 'Not pushed: it was strange.',
    });
    expect(await agreement()).toEqual({ agreed: 0, isEnough: false });
  },
);
