import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { findImport } from '@draftshelf/core/imports/imports';
import { type BenchStack, startBenchStack } from './bench-stack.ts';
import { type FairnessCalls, fairnessCalls } from './fairness-calls.ts';
import { describeMachine } from './figures.ts';
import { type BareClient, fixedRateClient, unpacedClient } from './push-clients.ts';

// Products per minute of a push, and of two clients without our pacing, on the simulated store in real time.
const { values: given } = parseArgs({
  options: {
    plan: { type: 'string', default: 'standard,plus,enterprise' },
    workers: { type: 'string', default: '1,4' },
    latency: { type: 'string', default: '300,1000' },
    products: { type: 'string' },
    part: { type: 'string', default: 'push,clients' },
  },
});
const restoreRates: Record<string, number> = { standard: 100, advanced: 200, plus: 1000, enterprise: 2000 };
/** A product with one variant, one image and four metafields. */
const pointsPerProduct = 14;
const bucketSeconds = 20;
const runSeconds = 60;
const caseMsMax = 10 * 60_000;

const parts = given.part.split(',');
const plans = given.plan.split(',');

/** As many products as the store accepts in a minute, with its full bucket. */
function productsFor(rate: number): number {
  return Number(given.products ?? Math.floor((rate * (runSeconds + bucketSeconds)) / pointsPerProduct));
}

async function measurePush(plan: string, rate: number, of: { workers: number; latencyMs: number }) {
  const names = ['store-simulator', 'api', 'parse-worker'] as const;
  const workers = Array.from({ length: of.workers }, () => 'push-worker' as const);
  const stack = await startBenchStack([...names, ...workers], { plan });
  try {
    const calls = fairnessCalls(stack);
    const id = await uploaded(calls, productsFor(rate));
    await stack.slowStore([of.latencyMs, of.latencyMs]);
    console.log(await describeMachine(stack.database));
    const figures = await timed(stack, async () => {
      await calls.mustDo('POST', `/api/queue/${id}/push`);
      await calls.reach(id, ['completed'], caseMsMax);
      return (await findImport(stack.database.db, id))?.created ?? 0;
    });
    report(`${plan}, ${of.workers} push workers, ${of.latencyMs} ms`, rate, figures);
  } finally {
    await stack.close();
  }
}

async function measureClients(plan: string, rate: number): Promise<void> {
  const clients: Record<string, BareClient> = {
    '16 calls at a time, unpaced': unpacedClient(16),
    'one call every 140 ms': fixedRateClient((1000 * pointsPerProduct) / rate),
  };
  for (const [name, client] of Object.entries(clients)) {
    const stack = await startBenchStack(['store-simulator', 'api'], { plan });
    try {
      await stack.slowStore([300, 300]);
      const figures = await timed(stack, () => client(stack.store, runSeconds * 1000));
      report(`${plan}, ${name}, 300 ms`, rate, figures);
    } finally {
      await stack.close();
    }
  }
}

async function uploaded(calls: FairnessCalls, products: number): Promise<string> {
  const file = randomUUID().slice(0, 8);
  const lines = Array.from({ length: products }, (_, at) => {
    return `Vase ${file} ${at},${at + 1}.50,${file}-${at},${upcOf(at)},Acme,https://example.com/${file}/${at}.jpg\n`;
  });
  const csv = `Title,Price,SKU,UPC,Brand,Image\n${lines.join('')}`;
  const id = await calls.uploadText(csv, `${products} products.csv`);
  await calls.reach(id, ['processed', 'queued'], caseMsMax);
  return id;
}

/** A valid UPC-A. */
function upcOf(number: number): string {
  const digits = String(number + 1).padStart(11, '0');
  let sum = 0;
  for (let at = 0; at < 11; at += 1) sum += Number(digits[at]) * (at % 2 === 0 ? 3 : 1);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

type Figures = { products: number; seconds: number; fromBucket: number; calls: number; throttled: number };

async function timed(stack: BenchStack, work: () => Promise<number>): Promise<Figures> {
  const before = await stack.store.state();
  const begun = performance.now();
  const products = await work();
  const seconds = (performance.now() - begun) / 1000;
  const after = await stack.store.state();
  return {
    products,
    seconds,
    fromBucket: Math.max(0, before.available - after.available),
    calls: after.calls - before.calls,
    throttled: after.throttled - before.throttled,
  };
}

function report(
  name: string,
  rate: number,
  { products, seconds, fromBucket, calls, throttled }: Figures,
): void {
  const possible = (rate * 60) / pointsPerProduct;
  // What the bucket held beyond its rate would flatter a short run.
  const sustained = ((products - fromBucket / pointsPerProduct) / seconds) * 60;
  console.log(`${name}
  ${products} products in ${seconds.toFixed(1)} s: ${Math.round((products / seconds) * 60)} a minute
  without what the bucket held: ${Math.round(sustained)} a minute, ${((100 * sustained) / possible).toFixed(1)} % of ${Math.round(possible)}
  THROTTLED ${throttled} of ${calls} calls (${((100 * throttled) / Math.max(1, calls)).toFixed(2)} %)`);
}

for (const plan of plans) {
  const rate = restoreRates[plan];
  if (rate === undefined) throw new Error(`There is no plan ${plan}`);
  // Plus is measured once; the other plans with all workers and latencies.
  const cases = given.workers
    .split(',')
    .flatMap((workers) =>
      given.latency.split(',').map((latency) => [Number(workers), Number(latency)] as const),
    );
  for (const [workers, latencyMs] of plan === 'plus' ? cases.slice(-1) : cases) {
    if (parts.includes('push')) await measurePush(plan, rate, { workers, latencyMs });
  }
  if (plan === 'standard' && parts.includes('clients')) await measureClients(plan, rate);
}
