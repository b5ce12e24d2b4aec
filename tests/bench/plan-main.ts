import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Plan } from '@draftshelf/contract/plan';
import { findImport } from '@draftshelf/database/imports/imports';
import { memoryOf } from '../support/process-memory.ts';
import { startBenchStack } from './bench-stack.ts';
import { fairnessCalls } from './fairness-calls.ts';
import { describeMachine, percentile } from './figures.ts';

// The plan of products that the store has not, beside the calls of a screen and beside a push of another import; then
// the plan of an import that was pushed, alone and after some of its products were changed in the store.
const { values: given } = parseArgs({
  options: {
    products: { type: 'string', default: '1000000' },
    pushed: { type: 'string', default: '10000' },
    plan: { type: 'string', default: 'enterprise' },
  },
});
const caseMsMax = 60 * 60_000;
const lookEveryMs = 50;
const pointsPerProduct = 14;

const names = ['store-simulator', 'api', 'parse-worker', 'enrich-worker', 'push-worker'] as const;
const stack = await startBenchStack(names, { plan: given.plan });
const calls = fairnessCalls(stack);
const { database } = stack;
try {
  console.log(await describeMachine(database));
  const pushed = Number(given.pushed);
  const known = await uploaded(pushed);
  report(`${pushed} products that the store has not`, await plan(known));
  const alone = await push(known);
  report(`${pushed} products, pushed and unchanged`, await plan(known), pushed * pointsPerProduct);

  const products = Number(given.products);
  const large = await uploaded(products);
  const quiet = await pageTimes(large, () => false);
  const memory = memoryOf(stack.app('push-worker').pid);
  const idleBytes = await memory.residentBytes();
  await memory.forgetPeak();
  let isPlanned = false;
  const [planned, during] = await Promise.all([
    plan(large).finally(() => {
      isPlanned = true;
    }),
    pageTimes(large, () => !isPlanned),
  ]);
  report(`${products} products that the store has not`, planned);
  const grownMb = Math.round(((await memory.peakBytes()) - idleBytes) / 1e6);
  console.log(`  push worker: ${Math.round(idleBytes / 1e6)} MB before, at most ${grownMb} MB more`);
  console.log(`  p99 of the page of an import: ${p99(quiet)} before, ${p99(during)} meanwhile`);

  const other = await uploaded(pushed);
  await begin(large);
  const beside = await push(other);
  console.log(
    `push of ${pushed} products: ${alone.toFixed(1)} s alone, ${beside.toFixed(1)} s beside a plan`,
  );
} finally {
  await stack.close();
}

/** Uploads a file of unique products; returns the import's id once it can be pushed. */
async function uploaded(products: number): Promise<string> {
  const id = await calls.uploadProducts(products);
  await calls.reach(id, ['processed', 'queued'], caseMsMax);
  return id;
}

async function begin(id: string): Promise<void> {
  const { status, text } = await calls.call('POST', `/api/queue/${id}/plan`);
  if (status !== 202) throw new Error(`The plan answered ${status}: ${text}`);
}

type Planned = { seconds: number; points: number; sums: string };

async function plan(id: string): Promise<Planned> {
  const begun = performance.now();
  await begin(id);
  for (;;) {
    const { state, points, sums, message }: Plan = JSON.parse(
      await calls.mustDo('GET', `/api/queue/${id}/plan`),
    );
    if (state === 'failed' || state === 'stopped') throw new Error(`The plan is ${state}: ${message}`);
    if (state === 'ready') {
      const counted = sums.map(({ outcome, code, products }) => `${products} ${code ?? outcome}`);
      return { seconds: (performance.now() - begun) / 1000, points, sums: counted.join(', ') };
    }
    await pause(lookEveryMs);
  }
}

function report(name: string, { seconds, points, sums }: Planned, ofPush?: number): void {
  const share = ofPush === undefined ? '' : `, ${((100 * points) / ofPush).toFixed(3)} % of the push`;
  console.log(`plan of ${name}: ${seconds.toFixed(1)} s, ${points} points${share} (${sums})`);
}

/** Pushes an import; returns the seconds. */
async function push(id: string): Promise<number> {
  const begun = performance.now();
  await calls.mustDo('POST', `/api/queue/${id}/push`);
  await calls.reach(id, ['completed'], caseMsMax);
  const record = await findImport(database.db, id);
  if (record?.created !== record?.total_products) throw new Error('Not all products were created');
  return (performance.now() - begun) / 1000;
}

/** The times of the page's reads, at least a hundred, while `goesOn`. */
async function pageTimes(id: string, goesOn: () => boolean): Promise<number[]> {
  const took: number[] = [];
  while (goesOn() || took.length < 100) {
    took.push((await calls.call('GET', `/api/queue/${id}?rows=0`)).tookMs);
    await pause(lookEveryMs);
  }
  return took;
}

function p99(took: readonly number[]): string {
  return `${percentile(took, 99).toFixed(0)} ms`;
}
