import { recordConfiguredStore } from '@draftshelf/core/enrich/sources';
import { upsertShop } from '@draftshelf/core/push/store/shops';
import { copyProducts } from '@draftshelf/core/push/store/store-products';
import { pushImport } from '@draftshelf/core/work/import-actions';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sentinel } from '../../../apps/simulators/ai/src/behavior.ts';
import { aiSteps, bareProducts, importForAi, startAi, type TestAi, titled } from '../../support/ai.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
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

const limits = {
  ...{ requestsPerMinute: 10_000, tokensPerDay: 100_000_000, costPerDay: null, parallel: 2 },
  ...{ importRequests: 500, importTokens: 500_000, importCost: null },
};
beforeEach(async () => {
  await ai.behave({ delayMs: 0, bytesPerToken: 4, lateMs: 60_000 });
  await api.call('PUT', '/api/ai', { body: { baseUrl: ai.url, model: 'strict', limits } });
});

const valuesOf = async (id: string) => {
  const { body } = await api.call('GET', `/api/queue/${id}/proposals`);
  return (body as { proposals: { field: string; value: string; source: string }[] }).proposals;
};
const editsOf = async (id: string) => {
  const { rows } = await stack.database.pool.query(
    'select count(*)::int as count from edits where import_id = $1',
    [id],
  );
  return rows[0].count as number;
};
const mugs = [
  'Blue Stoneware Mug',
  'Green Stoneware Mug',
  'Oak Cutting Board',
  'Linen Throw Pillow',
  'Jute Area Rug',
  'Brass Wall Sconce',
  'Marble Bookends',
];

describe('asking', () => {
  it('begins only with a request: a sample, then all, and a second import of the file asks nothing', async () => {
    const id = await importForAi(stack, bareProducts(mugs));
    expect(await steps.read(id)).toMatchObject({ state: 'ready', requests: 0, estimate: { products: 7 } });
    expect(await ai.journal('Mug')).toEqual([]);
    expect(await steps.ask(id, { scope: 'sample' })).toMatchObject({ status: 202, body: { products: 5 } });
    const sample = await steps.ended(id);
    expect(sample).toMatchObject({ state: 'done', answered: 5, requests: 1 });
    expect(sample.proposals).toBeGreaterThan(0);
    await steps.ask(id);
    const all = await steps.ended(id);
    expect(all).toMatchObject({ answered: 7, requests: 2, failed: 0 });
    const proposed = await valuesOf(id);
    expect(proposed.length).toBe(all.proposals);
    expect(proposed).toContainEqual(expect.objectContaining({ field: 'type', value: 'Pillow' }));
    expect(await editsOf(id)).toBe(0);
    const calls = (await ai.journal()).length;
    const again = await importForAi(stack, bareProducts(mugs));
    await steps.ask(again);
    expect(await steps.ended(again)).toMatchObject({ answered: 7, requests: 0, proposals: all.proposals });
    expect((await ai.journal()).length).toBe(calls);
  });

  it('needs the switch of the import and of Settings, and says which is off', async () => {
    const id = await importForAi(stack, bareProducts(['Off Switch Lamp']), { enable_ai: false });
    expect(await steps.read(id)).toMatchObject({ state: 'off', reason: expect.stringContaining('uploaded') });
    expect((await steps.ask(id)).status).toBe(409);
    expect(await ai.journal('Off Switch')).toEqual([]);
  });

  it.runIf(isLong)('stops with a call under way, which is ended, and asks nothing more', async () => {
    const id = await importForAi(stack, bareProducts([titled('Stopped Lamp', 'late')]));
    await steps.ask(id);
    await until('the call is under way', async () => (await ai.journal('Stopped')).length === 1);
    await steps.stop(id);
    await until('the call is ended', async () => (await ai.journal('Stopped'))[0]?.answered === 'aborted');
    expect(await steps.ended(id)).toMatchObject({
      state: 'stopped',
      reason: 'Stopped.',
      requests: 1,
      proposals: 0,
    });
    expect(await ai.journal('Stopped')).toHaveLength(1);
  });

  it.runIf(isLong)(
    'stops when the setting is turned off, with a call under way, and answers 409 until it is on',
    async () => {
      const id = await importForAi(stack, bareProducts([titled('Setting Lamp', 'late')]));
      await steps.ask(id);
      await until('the call is under way', async () => (await ai.journal('Setting')).length === 1);
      await api.call('POST', '/api/settings', { body: { aiValidation: false } });
      await until('the call is ended', async () => (await ai.journal('Setting'))[0]?.answered === 'aborted');
      expect(await steps.ended(id)).toMatchObject({
        state: 'off',
        reason: expect.stringContaining('Settings'),
      });
      expect((await steps.ask(id)).status).toBe(409);
      await api.call('POST', '/api/settings', { body: { aiValidation: true } });
      expect(await ai.journal('Setting')).toHaveLength(1);
    },
  );

  it.runIf(isLong)('asks about a product alone whose answer spoils those of others', async () => {
    const others = ['Rattan Pendant', 'Bamboo Tray', 'Wool Cushion'];
    const id = await importForAi(stack, bareProducts([titled('Spoiled Lamp', 'hostile'), ...others]));
    await steps.ask(id);
    expect(await steps.ended(id)).toMatchObject({ answered: 3, failed: 1, refused: { malformed: 1 } });
    const long = bareProducts([titled('Glass Carafe', 'crowded'), ...others.map((title) => `${title} Two`)]);
    const crowded = await importForAi(stack, long);
    await steps.ask(crowded);
    expect(await steps.ended(crowded)).toMatchObject({ answered: 4, failed: 0 });
  });

  it('proposes nothing that the file does not say', async () => {
    const id = await importForAi(stack, bareProducts([titled('Enamel Bread Bin', 'invented')]));
    await steps.ask(id);
    const { refused, ...rest } = await steps.ended(id);
    expect(rest).toMatchObject({ state: 'done', answered: 1, proposals: 0 });
    expect(Object.values(refused).reduce((sum, count) => sum + count, 0)).toBe(6);
    expect(await valuesOf(id)).toEqual([]);
  });

  it.runIf(isLong)('proposes nothing for a field that was changed meanwhile', async () => {
    const id = await importForAi(stack, bareProducts([titled('Velvet Curtain Panel', 'late')]));
    await ai.behave({ lateMs: 1_500 });
    await steps.ask(id, { fields: ['type'] });
    await until('the call is under way', async () => (await ai.journal('Velvet')).length === 1);
    const edit = { values: { type: 'Curtains' } };
    expect((await api.call('PATCH', `/api/queue/${id}/rows/1`, { body: edit })).status).toBe(200);
    expect(await steps.ended(id)).toMatchObject({ answered: 1, proposals: 0 });
  });

  it.runIf(isLong)('goes on in a simpler manner with a service that takes no schema', async () => {
    await stack.database.pool.query(
      "update ai_service set model = 'text-only', manner_of = null, structure = null",
    );
    const id = await importForAi(stack, bareProducts(['Wicker Laundry Hamper']));
    await steps.ask(id);
    expect(await steps.ended(id)).toMatchObject({ state: 'done', answered: 1, requests: 3 });
    expect((await ai.journal('Hamper')).map(({ structure }) => structure)).toEqual([
      'schema',
      'object',
      'text',
    ]);
  });

  it.runIf(isLong)('ends at a limit of the import, and names what was left', async () => {
    await api.call('PUT', '/api/ai', { body: { limits: { importRequests: 1 } } });
    const id = await importForAi(stack, bareProducts(mugs.map((title) => `Limited ${title}`)));
    await steps.ask(id);
    expect(await steps.ended(id)).toMatchObject({
      ...{ state: 'stopped', requests: 1, answered: 5 },
      reason: 'The limit of 1 request for an import is reached. 2 products weren’t asked about.',
    });
  });
});

/** What comes of an import whose only product has a sentinel in its title. */
const bad: [sentinel: Sentinel, expected: object][] = [
  ['malformed', { state: 'done', failed: 1, proposals: 0, refused: { malformed: 1 } }],
  ['contradictory', { state: 'done', failed: 1, proposals: 0, refused: { malformed: 1 } }],
  ['hostile', { state: 'done', failed: 1, proposals: 0, refused: { malformed: 1 } }],
  ['cut', { state: 'done', failed: 1, proposals: 0, refused: { malformed: 1 } }],
  ['refusal', { state: 'done', failed: 1, proposals: 0, refused: { malformed: 1 } }],
  ['no-usage', { state: 'done', answered: 1, isAtMost: true }],
  ['fenced', { state: 'done', answered: 1 }],
  ['over-usage', { state: 'stopped', reason: expect.stringContaining('more tokens') }],
  ['unauthorized', { state: 'stopped', reason: 'The AI service refused the key.', proposals: 0 }],
  ['unpaid', { state: 'stopped', reason: 'The credit at the AI service is used up.' }],
  ['quota-spent', { state: 'stopped', reason: 'The credit at the AI service is used up.' }],
  ['unknown', { state: 'stopped', reason: expect.stringContaining('isn’t known') }],
  ['redirect', { state: 'stopped', reason: expect.stringContaining('redirects') }],
];
it.each(isLong ? bad : bad.filter((_, at) => at % 3 === 0))(
  'a service that answers with %s changes nothing',
  async (sentinel, expected) => {
    const id = await importForAi(stack, bareProducts([titled('Copper Watering Can', sentinel)]));
    await steps.ask(id);
    expect(await steps.ended(id)).toMatchObject(expected);
    expect(await editsOf(id)).toBe(0);
  },
);

it.each<Sentinel>([
  ...(['quota-seconds', 'late', 'failure'] as const),
  ...(isLong ? (['quota-date', 'quota-reset', 'quota-bare', 'endless', 'huge'] as const) : []),
])('a service that answers with %s is asked again later', async (sentinel) => {
  const timeoutMs = sentinel === 'late' ? 1_000 : 60_000;
  await stack.database.pool.query('update ai_service set timeout_ms = $1', [timeoutMs]);
  const id = await importForAi(stack, bareProducts([titled('Iron Plant Stand', sentinel)]));
  await steps.ask(id);
  await until('a call has failed', async () => {
    const { rows } = await stack.database.pool.query('select outcome from ai_calls where import_id = $1', [
      id,
    ]);
    return rows[0]?.outcome === 'failed';
  });
  let asked = await steps.read(id);
  await until('it waits', async () => {
    asked = await steps.read(id);
    return asked.state === 'waiting';
  });
  expect(asked).toMatchObject({
    ...{ answered: 0, proposals: 0 },
    reason: expect.stringMatching(/ The request is repeated soon\.$| takes no more requests for a while\.$/),
  });
  await steps.stop(id);
  expect(await steps.ended(id)).toMatchObject({ state: 'stopped' });
});

const storeProduct = (id: string, type: string) => ({
  ...{ id, ourId: null, title: `Product ${id}`, vendor: 'Acme', type, status: 'ACTIVE' },
  ...{ handle: id, skus: [], gtins: [], price: '9.90', quantity: null, image: null },
  updatedAt: new Date().toISOString(),
});

it.runIf(isLong)('a worker that stops ends its call, and another one goes on', async () => {
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

it.runIf(isLong)(
  'look-ups of another import go on while calls to the AI service wait for their answers',
  async () => {
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
  },
);

it.runIf(isLong)('remarks are shown with the proposals of their product', async () => {
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

it.runIf(isLong)('the types of the store are suggested after those of the import', async () => {
  const { pool } = stack.database;
  const { db } = stack.database;
  await upsertShop(db, { shop: 'types.example', url: 'https://types.example', currency: null });
  await recordConfiguredStore(db, { url: 'https://types.example', isReal: false });
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

it.runIf(isLong)(
  'an estimate is kept for a while, each choice of fields has its own, and a file that is being read has none',
  async () => {
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
  },
);

it.runIf(isLong)('a push that begins ends the asking for good, with a call under way', async () => {
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
    reason: 'A push began, so asking AI was stopped.',
  });
});
