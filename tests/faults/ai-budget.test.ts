import { afterAll, beforeAll, expect, it } from 'vitest';
import { aiSteps, bareProducts, importForAi, startAi, type TestAi } from '../support/ai.ts';
import { startApi, type TestApi } from '../support/api.ts';
import type { AppProcess } from '../support/app-process.ts';
import { until } from '../support/fixture.ts';
import { type Stack, startStack } from '../support/stack.ts';

let ai: TestAi;
let stack: Stack;
let api: TestApi;
const steps = aiSteps(() => api);
let workers: AppProcess[] = [];
beforeAll(async () => {
  ai = await startAi();
  stack = await startStack({ names: ['parse-worker', 'enrich-worker'], env: ai.env });
  api = await startApi(stack, { sourcesEnv: ai.env });
  const others = await Promise.all([1, 2, 3].map(() => stack.startAnother('enrich-worker')));
  workers = [stack.process('enrich-worker'), ...others];
});
afterAll(async () => {
  await api?.close();
  await stack?.close();
  await ai?.close();
});

const prices = { in: 0.5, out: 2, currency: 'USD' };
const none = {
  ...{ requestsPerMinute: 10_000, tokensPerDay: 100_000_000, costPerDay: null, parallel: 4 },
  ...{ importRequests: 500, importTokens: 10_000_000, importCost: null },
};
const kills = 2;

/** Kills a worker while a call is under way, and starts another one. */
async function killOne(): Promise<void> {
  const isBegun = async () => (await running()) > 0 || (await isIdle());
  await until('a call is under way, or a limit is reached', isBegun);
  const victim = workers.shift();
  victim?.kill('SIGKILL');
  await victim?.ended;
  workers.push(await stack.startAnother('enrich-worker'));
}

async function running(): Promise<number> {
  const { rows } = await stack.database.pool.query<{ count: number }>(
    'select count(*)::int as count from ai_calls where ended_at is null and counts_from > clock_timestamp()',
  );
  return rows[0]?.count ?? 0;
}

/** The imports that ask. */
let ids: string[] = [];

/** Whether all imports wait for a limit, or have ended. */
async function isIdle(): Promise<boolean> {
  const all = await Promise.all(ids.map(steps.read));
  return all.every(({ state, reason }) =>
    state === 'waiting' ? reason?.includes('limit') === true : state !== 'asking',
  );
}

type Arrivals = Awaited<ReturnType<TestAi['journal']>>;
const mostInMinute = (calls: Arrivals) => {
  const times = calls.map(({ atMs }) => atMs);
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length));
};
const tokensOf = (calls: Arrivals) =>
  calls.reduce((sum, { tokensIn, tokensOut }) => sum + tokensIn + tokensOut, 0);
const costOf = (calls: Arrivals) =>
  calls.reduce((sum, call) => sum + (call.tokensIn * prices.in + call.tokensOut * prices.out) / 1_000_000, 0);

const limits = [
  ['money', { costPerDay: 0.05 }, (calls: Arrivals) => costOf(calls) <= 0.05],
  ['requests', { requestsPerMinute: 20 }, (calls: Arrivals) => mostInMinute(calls) <= 20],
  ['tokens', { tokensPerDay: 60_000 }, (calls: Arrivals) => tokensOf(calls) <= 60_000],
] as const;

it.each(limits)(
  'workers that are killed again and again never exceed a limit of %s, in what the service counts',
  async (name, limit, holds) => {
    await ai.behave({ delayMs: 100, bytesPerToken: 1, failEvery: 0 });
    await stack.database.pool.query("update ai_calls set counts_from = counts_from - interval '2 days'");
    await stack.database.pool.query(
      'update ai_service set blocked_until = null, failures = 0, timeout_ms = 3000',
    );
    const before = (await ai.journal()).length;
    const body = { baseUrl: ai.url, model: 'strict', prices, limits: { ...none, ...limit } };
    expect(await api.call('PUT', '/api/ai', { body })).toMatchObject({ body: { ok: true } });
    await ai.behave({ failEvery: 9 });
    ids = await Promise.all(
      ['Amber', 'Coral'].map((word) =>
        importForAi(stack, bareProducts(Array.from({ length: 80 }, (_, at) => `${word} ${name} Vase ${at}`))),
      ),
    );
    for (const id of ids) expect((await steps.ask(id)).status).toBe(202);
    for (let kill = 0; kill < kills; kill += 1) await killOne();
    await until('a limit', isIdle, 60_000);
    const calls = (await ai.journal()).slice(before);
    expect(calls.length).toBeGreaterThan(3);
    expect(holds(calls), `${name}: ${calls.length} calls, ${tokensOf(calls)} tokens, ${costOf(calls)}`).toBe(
      true,
    );
    for (const id of ids) await steps.stop(id);
    await until('no call is under way', async () => (await running()) === 0);
  },
);
