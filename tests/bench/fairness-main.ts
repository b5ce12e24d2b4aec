import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { writeProductFile } from '../../scripts/product-file.ts';
import { type BenchStack, startBenchStack } from './bench-stack.ts';
import { type FairnessCalls, fairnessCalls, recordEdits } from './fairness-calls.ts';
import { describeMet, meanwhile } from './fairness-load.ts';
import { describeMachine, median } from './figures.ts';

// How long small work and operators wait while a large import runs, compared with the same without it.
const { values: given } = parseArgs({
  options: {
    rows: { type: 'string', default: '600000' },
    products: { type: 'string', default: '2500' },
    edits: { type: 'string', default: '20000' },
    part: { type: 'string', default: 'import,push,calls' },
  },
});
const rows = Number(given.rows);
const products = Number(given.products);
const edits = Number(given.edits);
const parts = given.part.split(',');

const smallRows = 100;
const smallProducts = 5;
const aloneRounds = 5;
/** Anything that takes longer counts as failed. */
const importMsMax = 10 * 60_000;
/** Time for a store of the Standard plan to refill its 2,000 points. */
const bucketFillsMs = 20_000;
const storeLatencyMs = [300, 600] as const;

const processed = ['processed', 'queued'] as const;

const stack = await startBenchStack(['api', 'parse-worker', 'push-worker', 'store-simulator']);
const calls = fairnessCalls(stack);
try {
  const csv = join(stack.dir, 'large.csv');
  writeProductFile(csv, rows, 'ascii');
  console.log(await describeMachine(stack.database));
  if (parts.includes('import')) await measureImport(calls, csv);
  if (parts.includes('push')) await measurePush(stack, calls);
  if (parts.includes('calls')) await measureCalls(stack, calls, csv);
} finally {
  await stack.close();
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

async function measureImport(calls: FairnessCalls, csv: string): Promise<void> {
  const importSmall = async () => calls.reach(await calls.uploadProducts(smallRows), processed, importMsMax);
  const alone: number[] = [];
  await importSmall();
  for (let round = 0; round < aloneRounds; round += 1) alone.push(await timeOf(importSmall));
  const uploaded = Promise.withResolvers<void>();
  let isDone = false;
  const largeTook = timeOf(async () => {
    const large = await calls.uploadFile(csv);
    uploaded.resolve();
    await calls.reach(large, processed, importMsMax);
    isDone = true;
  });
  await uploaded.promise;
  const beside: number[] = [];
  while (!isDone) beside.push(await timeOf(importSmall));
  const [reference, withLarge] = [median(alone), median(beside)];
  console.log(`
An import of ${smallRows} rows, from the upload to ready for review
  alone                                        ${seconds(reference)}
  one after the other beside one of ${rows}    ${seconds(withLarge)} (${(withLarge / reference).toFixed(1)} × alone; bar 4), first ${seconds(beside[0] ?? 0)}, longest ${seconds(Math.max(...beside))}, of ${beside.length}
  the large one                                ${seconds(await largeTook)}`);
}

async function measurePush(stack: BenchStack, calls: FairnessCalls): Promise<void> {
  await stack.slowStore(storeLatencyMs);
  const ready = async (count: number) => {
    const id = await calls.uploadProducts(count);
    await calls.reach(id, processed, importMsMax);
    return id;
  };
  const push = (id: string) => calls.mustDo('POST', `/api/queue/${id}/push`);
  const pushed = async (id: string) => {
    await push(id);
    await calls.reach(id, ['completed'], importMsMax);
  };
  await pushed(await ready(1));
  await pause(bucketFillsMs);
  const first = await ready(smallProducts);
  const alone = await timeOf(() => pushed(first));
  console.log(`
A push of ${smallProducts} products, Standard plan, ${storeLatencyMs.join(' or ')} ms for each answer
  alone                                        ${seconds(alone)}`);
  for (const batchSize of [25, 100]) {
    await calls.mustDo('POST', '/api/settings', { batchSize });
    const [large, small] = [await ready(products), await ready(smallProducts)];
    await pause(bucketFillsMs);
    await push(large);
    await pause(3000);
    const withLarge = await timeOf(() => pushed(small));
    await calls.mustDo('POST', `/api/queue/${large}/cancel`);
    console.log(
      `  3 s after one of ${products}, Batch Size ${String(batchSize).padStart(3)}       ${seconds(withLarge)} (${(withLarge / alone).toFixed(1)} × alone; target 30 s)`,
    );
  }
}

async function measureCalls(stack: BenchStack, calls: FairnessCalls, csv: string): Promise<void> {
  const small = await calls.uploadProducts(smallRows);
  await calls.reach(small, processed, importMsMax);
  const idle = await calls.uploadProducts(smallRows);
  await calls.reach(idle, processed, importMsMax);
  const quiet = await meanwhile(calls, { large: idle, small }, () => pause(5000));
  console.log(`\nPolls and actions with nothing under way (5 s)\n${describeMet(quiet)}`);

  const large = await calls.uploadFile(csv);
  const reading = await meanwhile(calls, { large, small }, () => calls.reach(large, processed, importMsMax));
  console.log(`While an import of ${rows} rows is processed\n${describeMet(reading)}`);

  await recordEdits(stack, large, edits);
  await calls.mustDo('POST', `/api/queue/${large}/dialect`, { encoding: 'utf-8' });
  let took = 'did not end';
  const rereading = await meanwhile(calls, { large, small }, async () => {
    took = await timeOf(() => calls.reach(large, processed, importMsMax)).then(seconds, (error) =>
      String(error),
    );
  });
  console.log(`While it is re-read with ${edits} edits (${took})\n${describeMet(rereading)}`);
}

function seconds(value: number): string {
  return `${value.toFixed(2)} s`;
}
