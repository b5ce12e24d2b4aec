import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReplyOf } from '@draftshelf/contract/route';
import type { lookUpCode } from '@draftshelf/contract/scanner/scanner';
import { admitSingleCall } from '@draftshelf/core/enrich/admit-calls';
import { recordConfiguredStore } from '@draftshelf/core/enrich/sources';
import { upsertShop } from '@draftshelf/core/push/store/shops';
import { copyProducts } from '@draftshelf/core/push/store/store-products';
import { afterAll, expect } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { csvOf, type Fixture, storedImport, until } from '../../support/fixture.ts';
import { scannerSteps } from '../../support/scanner-steps.ts';
import { gtinOf, startSources, type TestSources } from '../../support/sources.ts';
import { test } from '../../support/test.ts';

let sources: TestSources;
let api: TestApi;
/** A server of pictures that does not answer. */
const silent = createServer((_request, response) => void held.push(response));
const held: ServerResponse[] = [];
const storeUrl = 'http://127.0.0.1:9';
test.beforeAll(async ({ fixture }) => {
  sources = await startSources();
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const sourcesEnv = { ...sources.env, FETCH_ALLOW: `${sources.url},${silentUrl()}` };
  api = await startApi(fixture, { sourcesEnv, storeUrl });
  await sources.register(fixture, []);
});
afterAll(async () => {
  await api?.close();
  await sources?.close();
  silent.close();
});
const silentUrl = () => `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
const { saved } = scannerSteps(() => api);

let next = 700_000_000_000;
/** A code that no other test has, as 14 digits. */
const newCode = () => {
  next += 1;
  return gtinOf(next);
};

const lookUp = (body: object) => api.call('POST', '/api/scanner/look-up', { body });
const found = async (code: string, more: object = {}) => {
  const { status, body } = await lookUp({ code, ...more });
  expect(status).toBe(200);
  return body as ReplyOf<typeof lookUpCode>;
};
/** Switches these sources on and the others off, with full quotas. */
async function ask({ database }: Fixture, ...names: string[]): Promise<void> {
  await database.pool.query('truncate source_calls');
  await database.pool.query(
    'update sources set enabled = name = any($1), per_day = 100000, blocked_until = null, failures = 0',
    [names],
  );
}

const asked = async (gtin: string) => (await sources.journal()).filter((call) => call.gtin === gtin);

test('finds a product of the library by UPC, SKU and address, and asks nobody', async ({ fixture }) => {
  await ask(fixture, 'upcitemdb');
  const gtin = newCode();
  const product = await saved('Vase', { upc: gtin.slice(1), sku: 'VA-12' });
  for (const code of [gtin.slice(1), gtin, 'va-12', `https://shelf.example/scanner?product=${product.id}`]) {
    expect((await found(code)).product).toMatchObject({ id: product.id, name: 'Vase' });
  }
  expect((await found('VA-13')).product).toBeNull();
  expect(await asked(gtin)).toEqual([]);
});

test('finds a product of the connected store, and rows of imports that wait', async ({ fixture }) => {
  const gtin = newCode();
  const { db, pool } = fixture.database;
  await upsertShop(db, { shop: 'mine.myshopify.com', url: storeUrl, currency: null });
  await recordConfiguredStore(db, { url: storeUrl, isReal: false });
  const inStore = {
    ...{ id: 'gid://shopify/Product/7', ourId: null, title: 'Vase in store', vendor: 'Acme', type: 'Vases' },
    ...{ status: 'ACTIVE', handle: 'vase', skus: ['VA-77'], gtins: [gtin], price: '9.90', quantity: null },
    ...{ image: null, updatedAt: new Date().toISOString() },
  };
  await copyProducts(db, 'mine.myshopify.com', [inStore]);
  const csv = csvOf([
    ['Title', 'Price', 'SKU', 'UPC'],
    ['Blue Vase', '7.50', 'VA-78', gtin.slice(1)],
  ]);
  const waiting = await storedImport(fixture, { csv, filename: 'waits.csv', set: { status: 'processed' } });
  const pushed = await storedImport(fixture, { csv, filename: 'pushed.csv', set: { status: 'completed' } });
  for (const { id } of [waiting, pushed]) {
    await pool.query(
      `insert into rows (import_id, run, row, line, byte_from, product, class, enrichable, title, sku, gtin, cells, price_text, upc)
      values ($1, 1, 1, 2, 20, 1, 'valid', false, 'Blue Vase', 'VA-78', $2, $3, '7.50', $2)`,
      [id, gtin, JSON.stringify(['Blue Vase', '7.50', 'VA-78', gtin.slice(1)])],
    );
  }
  await pool.query('update imports set rows_run = 1 where id = any($1)', [[waiting.id, pushed.id]]);
  const reply = await found(gtin.slice(1), { ask: false });
  expect(reply).toMatchObject({
    product: null,
    inStore: { title: 'Vase in store', storeUrl: expect.stringContaining('/7') },
    inImports: [
      { id: waiting.id, filename: 'waits.csv', row: 1, title: 'Blue Vase', price: '7.50', images: [] },
    ],
  });
  expect((await found('VA-77')).inStore?.title).toBe('Vase in store');
  expect((await found('VA-78')).inImports.map(({ id }) => id)).toEqual([waiting.id]);
  await pool.query('truncate store_products, shops, outside_access, imports cascade');
});

test('asks a source once about an unknown code, also if it is scanned many times at once', async ({
  fixture,
}) => {
  await ask(fixture, 'upcitemdb', 'open-products-facts');
  const [gtin, missing] = [newCode(), newCode()];
  await sources.know([{ gtin, title: 'Acme Blue Vase', brand: 'Acme' }]);
  expect(await found(gtin.slice(1), { ask: false })).toMatchObject({ asked: 'later', found: null });
  expect(await asked(gtin)).toEqual([]);
  const replies = await Promise.all(Array.from({ length: 8 }, () => found(gtin.slice(1))));
  for (const reply of replies) {
    expect(reply).toMatchObject({
      asked: 'answered',
      found: { source: 'UPCitemdb', title: 'Acme Blue Vase', brand: 'Acme' },
    });
  }
  expect((await asked(gtin)).map(({ source }) => source)).toEqual(['upcitemdb']);
  // As of a request that looked for a stored answer before there was one.
  const { db } = fixture.database;
  const about = { source: 'upcitemdb', baseUrl: sources.url, answerMsMax: 1_000 };
  const admitted = (code: string) => admitSingleCall(db, { ...about, gtin: code });
  expect(await found(missing.slice(1))).toMatchObject({ asked: 'missing', found: null });
  expect(await found(missing.slice(1))).toMatchObject({ asked: 'missing' });
  expect((await asked(missing)).map(({ source }) => source)).toEqual(['upcitemdb', 'open-products-facts']);
  expect([await admitted(gtin), await admitted(missing)]).toEqual([
    { kind: 'answered', isKnown: true },
    { kind: 'answered', isKnown: false },
  ]);
  // Both calls are counted in the source's quota, and the answer is kept for imports.
  const { rows } = await fixture.database.pool.query(
    `select (select count(*)::int from source_calls where source = 'upcitemdb' and gtin = any($1)) as calls,
      (select state from lookups where source = 'upcitemdb' and gtin = $2) as state`,
    [[gtin, missing], gtin],
  );
  expect(rows).toEqual([{ calls: 2, state: 'hit' }]);
});

test('leaves pictures out that are gone, and does not wait for a slow server', async ({ fixture }) => {
  await ask(fixture, 'upcitemdb');
  const [gone, slow] = [newCode(), newCode()];
  const pictures = [`${sources.url}/pictures/gone.png`, `${sources.url}/pictures/${gone}.png`];
  const late = `${silentUrl()}/late.png`;
  await sources.know([
    { gtin: gone, title: 'Gone', pictures },
    { gtin: slow, title: 'Slow', pictures: [late] },
  ]);
  expect((await found(gone.slice(1))).found?.images).toEqual([pictures[1]]);
  expect(await found(slow.slice(1))).toMatchObject({ asked: 'answered', found: { images: [late] } });
  // What the check finds later counts for the next scan, for imports and for syncs.
  expect(held).toHaveLength(1);
  for (const response of held) response.writeHead(404).end();
  await until('the check has ended', async () => (await found(slow.slice(1))).found?.images.length === 0);
});

test('says that a quota is spent, that a source fails, and that none is on', async ({ fixture }) => {
  await ask(fixture, 'upcitemdb');
  await fixture.database.pool.query('update sources set per_day = 1');
  await found(newCode().slice(1));
  const spent = newCode();
  expect(await found(spent.slice(1))).toMatchObject({
    asked: 'quota',
    waiting: { source: 'UPCitemdb', until: expect.any(String) },
  });
  expect(await asked(spent)).toEqual([]);
  await ask(fixture, 'upcitemdb');
  // A code on which the simulated sources fail.
  const failing = gtinOf(700_000_009_500);
  expect(await found(failing.slice(1))).toMatchObject({ asked: 'failed', waiting: null });
  await ask(fixture);
  expect(await found(newCode().slice(1))).toMatchObject({ asked: 'off' });
});

test('says that an import is asking about a code, and asks nobody', async ({ fixture }) => {
  await ask(fixture, 'upcitemdb');
  const gtin = newCode();
  await fixture.database.pool.query(
    `insert into lookups (gtin, source, state, asked_at) values ($1, 'upcitemdb', 'asking', clock_timestamp())`,
    [gtin],
  );
  expect(await found(gtin.slice(1))).toMatchObject({ asked: 'asking', found: null, waiting: null });
  expect(await asked(gtin)).toEqual([]);
});

test('asks no source about a text or a number of the shop itself, and refuses an empty code', async ({
  fixture,
}) => {
  await ask(fixture, 'upcitemdb');
  const before = (await sources.journal()).length;
  expect(await found('SHELF 12', { format: 'Code128' })).toMatchObject({
    asked: 'off',
    code: { kind: 'text', text: 'SHELF 12', gtin: null, problem: null },
  });
  expect(await found('212345678992')).toMatchObject({
    asked: 'off',
    code: { kind: 'gtin', problem: 'Only your shop knows this code.' },
  });
  expect(await sources.journal()).toHaveLength(before);
  expect((await lookUp({ code: '\u001d ' })).status).toBe(400);
  expect((await lookUp({})).status).toBe(400);
});
