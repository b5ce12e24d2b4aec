import { type ConditionId, factWindows } from '@draftshelf/domain/operate/conditions';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRules, watchRules } from '../../support/alert-rules.ts';
import { until } from '../../support/fixture.ts';
import { queueBackends } from '../../support/queue-backend.ts';
import { alertFaults } from '../alert-faults.ts';
import { type AlertStack, signMs, startAlertStack } from '../alert-stack.ts';

/** Counts are stored every 5 s and kept by ten seconds, so shorter times would miss some. */
const windowMs = 20_000;
const counted = [
  ...(['standsMs', 'claimsMs', 'crashesMs', 'repairsMs', 'databaseMs', 'storageMs'] as const),
  ...(['storeMs', 'failuresMs', 'slowMs', 'loginsMs'] as const),
];
const shortWindows = { ...factWindows, ...Object.fromEntries(counted.map((name) => [name, windowMs])) };
const looksMax = 2;
const reachMsMax = 120_000;

let stack: AlertStack;
let prometheus: ReturnType<typeof watchRules>;
const times: string[] = [];

beforeAll(async () => {
  stack = await startAlertStack(queueBackends().at(-1) ?? 'postgres');
  prometheus = watchRules(await readRules(), { api: () => stack.scrape() });
}, 300_000);
afterAll(async () => {
  console.log(['| condition | fires after |', '|---|---|', ...times].join('\n'));
  await stack?.close();
});

/** Whether the condition is in effect, and whether its sign has lasted long enough for that. */
async function stateOf(id: ConditionId): Promise<{ isDue: boolean; isInEffect: boolean }> {
  const { rows } = await stack.database.pool.query(
    `select began_at is not null as "isInEffect",
       coalesce(seen_since <= clock_timestamp() - $2 * interval '1 ms', false) as "isDue"
     from conditions where id = $1`,
    [id, signMs],
  );
  return rows[0] ?? { isDue: false, isInEffect: false };
}

/** Looks until a condition is in effect, or is not; returns the looks after its sign had lasted long enough. */
async function lookUntil(id: ConditionId, isExpected: boolean): Promise<number> {
  let looks = 0;
  const reached = async () => {
    const before = await stateOf(id);
    if (before.isInEffect === isExpected) return true;
    if (before.isDue) looks += 1;
    await stack.watch.look();
    return false;
  };
  await until(`${id} ${isExpected ? 'begins' : 'ends'}`, reached, reachMsMax);
  return looks;
}

/** The rules' metrics are read from Postgres at most every 10 s. */
const firesUntil = (alert: string, isExpected: boolean) =>
  until(
    `${alert} ${isExpected ? 'fires' : 'ends'}`,
    async () => (await prometheus.evaluate()).includes(alert) === isExpected,
    reachMsMax,
  );

it.for(Object.keys(alertFaults) as ConditionId[])('%s fires with a real fault', async (id, { skip }) => {
  if (id.startsWith('disk-') && !stack.disk) return skip('only root may mount a disk');
  const { begin, windows } = alertFaults[id];
  const alert = `DraftshelfCondition ${id}`;
  Object.assign(stack.windows, shortWindows, windows);
  await lookUntil(id, false);
  await firesUntil(alert, false);
  const began = performance.now();
  const end = await begin(stack);
  try {
    expect(await lookUntil(id, true), 'looks after its time').toBeLessThanOrEqual(looksMax);
    await firesUntil(alert, true);
    times.push(`| ${id} | ${Math.round((performance.now() - began) / 1000)} s |`);
  } finally {
    await end();
  }
});

/** At the end for all of them, because each needs its time. */
it('all of them have ended after their faults', async () => {
  Object.assign(stack.windows, shortWindows);
  let left: string[] = [];
  const isOver = async () => {
    await stack.watch.look();
    left = await prometheus.evaluate();
    return left.length === 0;
  };
  await until('nothing fires', isOver, reachMsMax).catch((error: Error) => {
    throw new Error(`${error.message}: ${left.join(', ')}`);
  });
});
