import { until } from '../support/fixture.ts';
import { leftOver, pushDifferences, rowDifferences } from './differences.ts';
import type { Fault } from './fault-kinds.ts';
import type { Random } from './fault-random.ts';
import {
  beginImport,
  beginPush,
  type FaultStack,
  otherFaultsMsMax,
  progressOf,
  reachRest,
  readImport,
  type Work,
} from './fault-stack.ts';
import { dropFiles, folderDifferences } from './folder-files.ts';

/** Sizes of a round's imports. Rows are parsed and enriched, products are pushed. */
export type Sizes = { rows: number; rowsPerChunk: number; products: number; productsPerChunk: number };

/** An injected fault: the progress of its stage, and the time until the import was at rest. */
export type Injected = { name: string; done: number; total: number; restMs: number };

/** Faults that files in the watched folder have to survive; the others do not concern the folder worker. */
const targetsOfFolder = ['folder-worker', 'postgres', 'storage'];
const filesOfRound = 3;

/**
 * Parses and enriches an import and, if a fault is during push, pushes another one at the same time. Each fault is
 * injected in the middle of its stage. Where a fault concerns the folder worker, files arrive in its folder at the same
 * time. Returns when all are at rest, with everything that is wrong.
 */
export async function runRound(
  stack: FaultStack,
  faults: readonly Fault[],
  sizes: Sizes,
  random: Random,
): Promise<{ injected: Injected[]; wrong: string[] }> {
  const pushed = faults.some((one) => one.during === 'push') ? await prepareForPush(stack, sizes) : undefined;
  const isForFolder = faults.some(({ targets }) => targets.some((one) => targetsOfFolder.includes(one)));
  const dropped = await dropFiles(stack, isForFolder ? filesOfRound : 0);
  const parsed = await beginImport(stack, sizes.rows, sizes.rowsPerChunk);
  if (pushed) await beginPush(stack, pushed, sizes.productsPerChunk);
  const injected = await Promise.all(
    faults.map((one) => injectMidway(stack, one, one.during === 'push' && pushed ? pushed : parsed, random)),
  );
  await reachRest(stack, parsed.id);
  if (pushed) await reachRest(stack, pushed.id);
  await stack.store.clearFaults();
  const wrong = [
    ...endedUnasked(stack),
    ...(await rowDifferences(stack, parsed.id, parsed.truth)),
    ...(pushed ? await rowDifferences(stack, pushed.id, pushed.truth) : []),
    ...(pushed ? await pushDifferences(stack, pushed.id, pushed.truth) : []),
    ...(await folderDifferences(stack, dropped)),
    ...(await worksStill(stack)),
    ...(await leftOver(stack)),
  ];
  return { injected, wrong };
}

async function prepareForPush(stack: FaultStack, { products, rowsPerChunk }: Sizes): Promise<Work> {
  const work = await beginImport(stack, products, rowsPerChunk);
  await reachRest(stack, work.id);
  return work;
}

async function injectMidway(
  stack: FaultStack,
  fault: Fault,
  { id }: Work,
  random: Random,
): Promise<Injected> {
  const wanted = random.between(0, 0.5);
  let at = { done: 0, total: 0 };
  await until(
    `${fault.during} in the middle of its work`,
    async () => {
      at = progressOf(await readImport(stack, id), fault.during);
      return at.done > 0 && at.done >= wanted * at.total;
    },
    otherFaultsMsMax,
  );
  if (at.done >= at.total) throw new Error(`${fault.name}: the work was over (${at.done} of ${at.total})`);
  const injectedAt = performance.now();
  await fault.inject(stack, id, random);
  await reachRest(stack, id);
  return { name: fault.name, ...at, restMs: Math.round(performance.now() - injectedAt) };
}

/** Processes that ended by themselves; those that a fault killed were restarted. */
const endedUnasked = (stack: FaultStack): string[] =>
  [...stack.processes.values()]
    .filter((one) => !one.isRunning())
    .map((one) => `${one.name} has ended:\n${one.output()}`);

/** After every round a small file goes through all stages, to find processes that are stuck. */
async function worksStill(stack: FaultStack): Promise<string[]> {
  const work = await beginImport(stack, 20, 5);
  await reachRest(stack, work.id);
  await beginPush(stack, work, 5);
  await reachRest(stack, work.id);
  return [
    ...(await rowDifferences(stack, work.id, work.truth)),
    ...(await pushDifferences(stack, work.id, work.truth)),
  ];
}
