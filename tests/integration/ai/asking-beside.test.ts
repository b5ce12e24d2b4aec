import { recordStore } from '@draftshelf/core/enrich/sources';
import { upsertShop } from '@draftshelf/core/push/store/shops';
import { copyProducts } from '@draftshelf/core/push/store/store-products';
import { pushImport } from '@draftshelf/core/work/import-actions';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { aiSteps, bareProducts, importForAi, startAi, type TestAi, titled } from '../../support/ai.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { gtinOf, startSources, type TestSources } from '../../support/sources.ts';
import { type Stack, startStack } from '../../support/stack.ts';

let ai: TestAi;
let sources: TestSources;
let stack: Stack;
let api: TestApi;
const steps = aiSteps(() => api);
beforeAll(async () => {
  [ai, sources] = await Promise.all([startAi(), startSources()]);
  const env = { ...sources.env, FETCH_ALLOW: `${sources.env.FETCH_ALLOW},${ai.env.FETCH_ALLOW}` };
  stack = await startStack({ names: ['parse-worker', 'enrich-worker'], env });
  api = await startApi(stack, { sourcesEnv: env });
});
afterAll(async () => {
  await api?.close();
  await stack?.close();
  await Promise.all([ai?.close(), sources?.close()]);
});
beforeEach(async () => {
  await ai.behave({ delayMs: 0, lateMs: 60_000 });
  const limits = { requestsPerMinute: 10_000, tokensPerDay: 100_000_000, importRequests: 500, parallel: 2 };
  await api.call('PUT', '/api/ai', { body: { baseUrl: ai.url, model: 'strict', limits } });
});

const storeProduct = (id: string, type: string) => ({
  ...{ id, ourId: null, title: `Product ${id}`, vendor: 'Acme', type, status: 'ACTIVE' },
  ...{ handle: id, skus: [], gtins: [], price: '9.90', quantity: null, image: null },
  updatedAt: new Date().toISOString(),
});

it('a worker that stops ends its call, and another one goes on', async () => {
  const id = await importForAi(stack, bareProducts([titled('Shutdown Lamp', 'late')]));
  await steps.ask(id);
  await until('the call is under way', async () => (await ai.journal('Shutdown')).length === 1);
  // The answer would come after a minute, and a process that stops later than its limit is an error.
  await stack.process('enrich-worker').stop();
  await until('the call is ended', async () => (await ai.journal('Shutdown'))[0]?.answered === 'aborted');
  await ai.behave({ lateMs: 0 });
  await stack.start('enrich-worker');
  expect(await steps.ended(id)).toMatchObject({ state: 'done', answered: 1, requests: 2 });
});

it('look-ups of another import go on while calls to the AI service wait for their answers', async () => {
  await sources.register(stack, ['upcitemdb']);
  const gtin = gtinOf(810_000_000_001);
  await sources.know([{ gtin, title: 'Acme Vase', brand: 'Acme' }]);
  const slow = await importForAi(
    stack,
    bareProducts(Array.from({ length: 12 }, (_, at) => titled(`Waiting Lamp ${at}`, 'late'))),
  );
  await steps.ask(slow);
  await until('a call is under way', async () => (await ai.journal('Waiting')).length > 0);
  const csv = csvOf([
    ['Title', 'Price', 'UPC'],
    ['Acme Vase', '9.90', gtin.slice(1)],
  ]);
  await importForAi(stack, csv, { enable_upc: true });
  await until('a look-up', async () => (await sources.journal()).some((call) => call.gtin === gtin));
  expect((await ai.journal('Waiting')).every(({ endedAtMs }) => endedAtMs === null)).toBe(true);
  await steps.stop(slow);
  await until('the calls are ended', async () =>
    (await ai.journal('Waiting')).every(({ answered }) => answered === 'aborted'),
  );
});

it('remarks are shown with the proposals of their product', async () => {
  const csv = csvOf([
    ['Title', 'Price', 'SKU', 'Description'],
    ['Walnut Cutting Board', '9.90', 'R-1', 'A tall lamp of brass.'],
  ]);
  const id = await importForAi(stack, csv);
  await steps.ask(id, { fields: ['type', 'flags'] });
  await steps.ended(id);
  const { rows } = await stack.database.pool.query('select reason from proposals where import_id = $1', [id]);
  expect(rows).toEqual([
    {
      reason:
        'The file has no product type. AI remarks: The title and the description seem to be about different products.',
    },
  ]);
});

it('the types of the store are suggested after those of the import', async () => {
  const { pool } = stack.database;
  const { db } = stack.database;
  await upsertShop(db, { shop: 'types.example', url: 'https://types.example', currency: null });
  await recordStore(db, { url: 'https://types.example', isReal: false });
  await copyProducts(db, 'types.example', [storeProduct('1', 'Platters'), storeProduct('2', '')]);
  const csv = csvOf([
    ['Title', 'Price', 'SKU', 'Type'],
    ['Oval Stoneware Platter', '9.90', 'T-1', ''],
    ['Round Stoneware Bowl', '9.90', 'T-2', 'Bowls'],
  ]);
  const id = await importForAi(stack, csv);
  await steps.ask(id, { fields: ['type'] });
  const { rows } = await pool.query('select types from ai_imports where import_id = $1', [id]);
  expect(rows).toEqual([{ types: ['Bowls', 'Platters'] }]);
  await steps.ended(id);
});

it('an estimate is kept for a while, each choice of fields has its own, and a file that is being read has none', async () => {
  const { pool } = stack.database;
  const id = await importForAi(stack, bareProducts(['Estimated Lamp', 'Estimated Vase']));
  const estimate = async (query = '') =>
    ((await api.call('GET', `/api/queue/${id}/ai${query}`)).body as { estimate: { tokens: number } })
      .estimate;
  const first = await estimate();
  expect(first).toMatchObject({ products: 2 });
  expect((await estimate('?fields=type')).tokens).toBeLessThan(first.tokens);
  await pool.query("update rows set ignored = 'summary' where row = 2 and import_id = $1", [id]);
  expect(await estimate()).toEqual(first);
  await pool.query("update runs set ended_at = null where import_id = $1 and stage = 'parse'", [id]);
  expect(await estimate()).toMatchObject({ products: 0, tokens: 0 });
  expect(await steps.ask(id)).toMatchObject({ status: 409 });
});

it('a push that begins ends the asking for good, with a call under way', async () => {
  const id = await importForAi(stack, bareProducts([titled('Pushed Lamp', 'late')]));
  await steps.ask(id);
  await until('the call is under way', async () => (await ai.journal('Pushed')).length === 1);
  const pushed = await stack.database.db
    .transaction()
    .execute((trx) => pushImport(trx, id, undefined, { supplier: null }));
  expect(pushed).toMatchObject({ ok: true });
  expect(await steps.read(id)).toMatchObject({
    state: 'off',
    reason: expect.stringContaining('sent to the store'),
  });
  await until('the call is ended', async () => (await ai.journal('Pushed'))[0]?.answered === 'aborted');
  await stack.database.pool.query("update imports set status = 'completed' where id = $1", [id]);
  expect(await steps.read(id)).toMatchObject({
    state: 'stopped',
    reason: 'A push began, so nothing more was asked.',
  });
});
