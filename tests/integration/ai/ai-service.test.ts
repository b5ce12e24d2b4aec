import { randomBytes } from 'node:crypto';
import { deriveAllSealingKeys } from '@draftshelf/core/access/sealing';
import { changeAiService, lockAiService } from '@draftshelf/core/enrich/ai/service';
import { afterAll, beforeEach, describe, expect } from 'vitest';
import { startAi, type TestAi } from '../../support/ai.ts';
import { lockWaiters, until } from '../../support/fixture.ts';
import { api, fixture, testOnApi } from '../../support/test.ts';

const sealingKeys = deriveAllSealingKeys({ CREDENTIALS_KEY: randomBytes(32).toString('hex') });
const canary = 'sk-canary-of-the-ai-service';

let ai: TestAi;
const it = testOnApi(async () => {
  ai = await startAi();
  if (!sealingKeys) throw new Error('no key');
  return { sealingKeys, sourcesEnv: ai.env };
});
afterAll(() => ai?.close());
beforeEach(() => ai.behave({ keys: null }));

const read = async () => (await api.call('GET', '/api/ai')).body as Record<string, unknown>;
const save = async (body: object) => (await api.call('PUT', '/api/ai', { body })).body;

describe('the AI service', () => {
  it('is off at first, and says that nothing is sent', async () => {
    expect(await read()).toMatchObject({ configured: false, source: 'none', state: 'off' });
    expect((await read()).sentence).toContain('nothing is sent anywhere');
    expect((await api.call('POST', '/api/ai/test')).status).toBe(409);
  });

  it('is tested with a few requests, sealed with its key, and never shows it', async () => {
    await ai.behave({ keys: [canary] });
    expect(await save({ baseUrl: ai.url, model: 'strict', key: 'sk-wrong' })).toEqual({
      ok: false,
      message: 'The AI service refused the key.',
    });
    expect(await read()).toMatchObject({ configured: false });
    expect(await save({ baseUrl: `${ai.url}/`, model: 'strict', key: canary })).toMatchObject({ ok: true });
    const state = await read();
    expect(state).toMatchObject({
      ...{ configured: true, source: 'saved', model: 'strict', structure: 'schema', keySaved: true },
      ...{ state: 'ok', lockedBecause: null, simulated: false },
    });
    const journal = await ai.journal();
    expect(journal.map(({ tokensOutMax, key }) => [tokensOutMax, key])).toEqual([
      [20, 'sk-wrong'],
      [20, canary],
    ]);
    const tables = ['ai_service', 'ai_calls', 'security_events', 'credentials', 'settings', 'activity'];
    for (const table of tables) {
      const { rows } = await fixture.database.pool.query(`select to_jsonb(t)::text as text from ${table} t`);
      expect(JSON.stringify(rows)).not.toContain(canary);
    }
    expect(JSON.stringify(state)).not.toContain(canary);
    expect(state.today).toMatchObject({ requests: 2 });
  });

  it.each([
    ['object-only', 'object', 2],
    ['text-only', 'text', 3],
    ['reasoning', 'schema', 2],
  ])('finds out how %s takes requests', async (model, structure, requests) => {
    const before = (await ai.journal()).length;
    expect(await save({ model })).toMatchObject({ ok: true });
    expect(await read()).toMatchObject({ model, structure });
    expect((await ai.journal()).length - before).toBe(requests);
    expect(await api.call('POST', '/api/ai/test')).toMatchObject({ body: { success: true } });
  });

  it('says what is wrong, and keeps the earlier one', async () => {
    const { model } = await read();
    expect(await save({ model: 'nobody' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('nobody'),
    });
    expect(await save({ baseUrl: 'http://example.com/v1' })).toMatchObject({ ok: false });
    expect(await save({ baseUrl: 'http://127.0.0.1:1/v1' })).toMatchObject({ ok: false });
    expect(await read()).toMatchObject({ model, state: 'ok' });
  });

  it('takes limits and prices without a test, and no limit of costs without prices', async () => {
    const before = (await ai.journal()).length;
    expect((await api.call('PUT', '/api/ai', { body: { limits: { costPerDay: 1 } } })).status).toBe(409);
    const prices = { in: 0.5, out: 2, currency: 'USD' };
    await save({ prices, limits: { costPerDay: 1, importRequests: 7 }, language: 'German', tone: '' });
    expect(await read()).toMatchObject({ prices, language: 'German', tone: null });
    expect((await read()).limits).toMatchObject({
      costPerDay: 1,
      importRequests: 7,
      tokensPerDay: 1_000_000,
    });
    await save({ prices: null });
    expect((await read()).limits).toMatchObject({ costPerDay: null });
    expect((await ai.journal()).length).toBe(before);
  });

  it('refuses a limit of costs while the prices are being removed', async () => {
    const { db } = fixture.database;
    await save({ prices: { in: 0.5, out: 2, currency: 'USD' } });
    const limited = await db.transaction().execute(async (trx) => {
      await lockAiService(trx);
      const entered = api.call('PUT', '/api/ai', { body: { limits: { costPerDay: 1 } } });
      await until('it waits', async () => (await lockWaiters(fixture)) > 0);
      await changeAiService(trx, { price_in: null, price_out: null, currency: null });
      return { entered };
    });
    expect((await limited.entered).status).toBe(409);
    expect((await read()).limits).toMatchObject({ costPerDay: null });
  });

  it('forgets a removed key', async () => {
    expect((await api.call('DELETE', '/api/ai/key')).status).toBe(200);
    expect((await api.call('DELETE', '/api/ai/key')).status).toBe(404);
    expect(await read()).toMatchObject({ keySaved: false });
    const { rows } = await fixture.database.pool.query("select 1 from credentials where service = 'ai'");
    expect(rows).toEqual([]);
  });
});
