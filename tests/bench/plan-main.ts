import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Plan } from '@draftshelf/contract/push/plan';
import { findImport } from '@draftshelf/core/imports/imports';
import { stopPreview } from '@draftshelf/core/push/previews/previews';
import { memoryOf } from '../support/process-memory.ts';
import { startBenchStack } from './bench-stack.ts';
import { fairnessCalls } from './fairness-calls.ts';
import { describeMachine, median, percentile } from './figures.ts';
import { measureDecisions } from './plan-decisions.ts';

// The plan of products that the store does not have, and of products that were pushed; a large plan beside the calls of
// a screen; pushes alone and beside plans, alternately; and the pages and choices of the large plan.
const { values: given } = parseArgs({
  options: {
    products: { type: 'string', default: '1000000' },
    pushed: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '2' },
    plan: { type: 'string', default: 'enterprise' },
  },
});
const [products, pushed, rounds] = [Number(given.products), Number(given.pushed), Number(given.rounds)];
const caseMsMax = 60 * 60_000;
const lookEveryMs = 50;
/** As screens do. */
const pollMs = 1_000;

const names = ['store-simulator', 'api', 'parse-worker', 'enrich-worker', 'push-worker'] as const;
const stack = await startBenchStack(names, { plan: given.plan });
const calls = fairnessCalls(stack);
const { database } = stack;
try {
  console.log(await describeMachine(database));
  const first = await uploaded(pushed);
  const fresh = await plan(first);
  const alone = [await push(first)];
  const ofPush = alone[0]?.points ?? 0;
  console.log(`push of ${pushed} products: ${alone[0]?.seconds.toFixed(1)} s, ${ofPush} points`);
  report(`${pushed} products that the store does not have`, fresh, ofPush);
  // The first one also opens the store.
  report(`${pushed} products, pushed and unchanged, the first`, await plan(first), ofPush);
  report(`${pushed} products, pushed and unchanged, again`, await plan(first), ofPush);

  const large = await uploaded(products);
  const quiet = await readTimes(large, () => false);
  const memory = memoryOf(stack.app('push-worker').pid);
  const idleBytes = await memory.residentBytes();
  await memory.forgetPeak();
  let isPlanned = false;
  const [planned, during] = await Promise.all([
    plan(large).finally(() => {
      isPlanned = true;
    }),
    readTimes(large, () => !isPlanned),
  ]);
  report(`${products} products that the store does not have`, planned, (ofPush * products) / pushed);
  const grownMb = Math.round(((await memory.peakBytes()) - idleBytes) / 1e6);
  console.log(`  push worker: ${Math.round(idleBytes / 1e6)} MB before, at most ${grownMb} MB more`);
  for (const [name, took] of quiet) {
    console.log(`  p99 of ${name}: ${p99(took)} before, ${p99(during.get(name) ?? [])} meanwhile`);
  }

  const beside: typeof alone = [];
  for (let round = 1; round <= rounds; round += 1) {
    if (round > 1) alone.push(await push(await uploaded(pushed)));
    beside.push(await pushBeside(await uploaded(pushed), large));
  }
  const [secondsAlone, secondsBeside] = [alone, beside].map((pushes) =>
    median(pushes.map(({ seconds }) => seconds)),
  ) as [number, number];
  const slower = (100 * (secondsBeside - secondsAlone)) / secondsAlone;
  console.log(
    `push of ${pushed} products: ${secondsOf(alone)} s alone, ${secondsOf(beside)} s beside plans,`,
    `${slower.toFixed(1)} % slower`,
  );

  await measureDecisions({ database, calls, importId: large, products });
} finally {
  await stack.close();
}

/** Uploads a file of unique products; returns the import's id once it can be pushed. */
async function uploaded(count: number): Promise<string> {
  const id = await calls.uploadProducts(count);
  await calls.reach(id, ['processed', 'queued'], caseMsMax);
  return id;
}

type Planned = { seconds: number; processorSeconds: number; points: number; sums: string };

/** Plans the push of an import. `isOver`: whether its end no longer matters. */
async function plan(
  id: string,
  { isOver, everyMs = lookEveryMs }: { isOver?: () => boolean; everyMs?: number } = {},
): Promise<Planned> {
  const begun = performance.now();
  const before = stack.processor();
  const { status, text } = await calls.call('POST', `/api/queue/${id}/plan`);
  if (status !== 202) throw new Error(`The plan answered ${status}: ${text}`);
  for (;;) {
    const { state, points, sums, message }: Plan = JSON.parse(
      await calls.mustDo('GET', `/api/queue/${id}/plan`),
    );
    if (state === 'failed' || state === 'stopped') throw new Error(`The plan is ${state}: ${message}`);
    if (state === 'ready' || isOver?.()) {
      const after = stack.processor();
      return {
        seconds: (performance.now() - begun) / 1000,
        processorSeconds: after.postgres + after.product - before.postgres - before.product,
        points,
        sums: sums.map((one) => `${one.products} ${one.code ?? one.outcome}`).join(', '),
      };
    }
    await pause(everyMs);
  }
}

function report(name: string, { seconds, processorSeconds, points, sums }: Planned, ofPush: number): void {
  const share = `${((100 * points) / ofPush).toFixed(3)} % of the push`;
  const processor = `${processorSeconds.toFixed(1)} s of the processors`;
  console.log(`plan of ${name}: ${seconds.toFixed(1)} s, ${processor}, ${points} points, ${share} (${sums})`);
}

type Pushed = { seconds: number; points: number };

/** Pushes an import. */
async function push(id: string): Promise<Pushed> {
  await fillBucket();
  const before = await stack.store.state();
  const begun = performance.now();
  await calls.mustDo('POST', `/api/queue/${id}/push`);
  await calls.reach(id, ['completed'], caseMsMax);
  const seconds = (performance.now() - begun) / 1000;
  const record = await findImport(database.db, id);
  if (record?.created !== record?.total_products) throw new Error('Not all products were created');
  const { charged } = await stack.store.state();
  return { seconds, points: charged - before.charged };
}

/** Waits until the store has all its points, so that each push begins with as many. */
async function fillBucket(): Promise<void> {
  for (;;) {
    const { available, capacity } = await stack.store.state();
    // The question itself takes a few.
    if (available >= capacity - 10) return;
    await pause(lookEveryMs);
  }
}

/** Pushes an import while another one is planned, again and again. Then its plan is stopped. */
async function pushBeside(id: string, planned: string): Promise<Pushed> {
  let isPushed = false;
  const pushing = push(id).finally(() => {
    isPushed = true;
  });
  while (!isPushed) await plan(planned, { isOver: () => isPushed, everyMs: pollMs });
  await database.db.transaction().execute((trx) => stopPreview(trx, planned, 'push'));
  return pushing;
}

function secondsOf(pushes: readonly Pushed[]): string {
  return pushes.map(({ seconds }) => seconds.toFixed(1)).join(' and ');
}

/** The times of the reads of an import's page by name, at least a hundred of each, while `goesOn`. */
async function readTimes(id: string, goesOn: () => boolean): Promise<Map<string, number[]>> {
  const reads = {
    'the import': `/api/queue/${id}?rows=0`,
    'its plan': `/api/queue/${id}/plan`,
    'the queue': '/api/queue',
  };
  const took = new Map<string, number[]>();
  for (let times = 0; goesOn() || times < 100; times += 1) {
    for (const [name, path] of Object.entries(reads)) {
      const { tookMs } = await calls.call('GET', path);
      took.set(name, [...(took.get(name) ?? []), tookMs]);
    }
    await pause(lookEveryMs);
  }
  return took;
}

function p99(took: readonly number[]): string {
  return `${percentile(took, 99).toFixed(0)} ms`;
}
