import { until } from '../support/fixture.ts';
import { leftOver, pushDifferences, rowDifferences } from './differences.ts';
import type { Fault } from './fault-kinds.ts';
import {
  beginImport,
  beginPush,
  type FaultLine,
  otherFaultsMsMax,
  progressOf,
  reachRest,
  readImport,
  type Work,
} from './fault-stack.ts';
import type { Random } from './random.ts';

/** How large the imports of a round are. Rows are parsed and enriched, products are pushed. */
export type Sizes = { rows: number; rowsPerChunk: number; products: number; productsPerChunk: number };

/** A fault that has struck: how far its stage was, and how long the import took from then to its rest. */
export type Struck = { name: string; done: number; total: number; restMs: number };

/**
 * One import that is parsed and enriched and, where a fault strikes pushing, one that is pushed beside it. Each fault
 * strikes in the middle of its stage. Answers when all is at rest, and everything that is not as it must be.
 */
export async function runRound(
  line: FaultLine,
  faults: readonly Fault[],
  sizes: Sizes,
  random: Random,
): Promise<{ struck: Struck[]; wrong: string[] }> {
  const pushed = faults.some((one) => one.during === 'push') ? await prepareForPush(line, sizes) : undefined;
  const parsed = await beginImport(line, sizes.rows, sizes.rowsPerChunk);
  if (pushed) await beginPush(line, pushed, sizes.productsPerChunk);
  const struck = await Promise.all(
    faults.map((one) => strikeMidway(line, one, one.during === 'push' && pushed ? pushed : parsed, random)),
  );
  await reachRest(line, parsed.id);
  if (pushed) await reachRest(line, pushed.id);
  await line.store.clearFaults();
  const wrong = [
    ...endedUnasked(line),
    ...(await rowDifferences(line, parsed.id, parsed.truth)),
    ...(pushed ? await rowDifferences(line, pushed.id, pushed.truth) : []),
    ...(pushed ? await pushDifferences(line, pushed.id, pushed.truth) : []),
    ...(await worksStill(line)),
    ...(await leftOver(line)),
  ];
  return { struck, wrong };
}

async function prepareForPush(line: FaultLine, { products, rowsPerChunk }: Sizes): Promise<Work> {
  const work = await beginImport(line, products, rowsPerChunk);
  await reachRest(line, work.id);
  return work;
}

async function strikeMidway(line: FaultLine, fault: Fault, { id }: Work, random: Random): Promise<Struck> {
  const wanted = random.between(0, 0.5);
  let at = { done: 0, total: 0 };
  await until(
    `${fault.during} in the middle of its work`,
    async () => {
      at = progressOf(await readImport(line, id), fault.during);
      return at.done > 0 && at.done >= wanted * at.total;
    },
    otherFaultsMsMax,
  );
  if (at.done >= at.total) throw new Error(`${fault.name}: the work was over (${at.done} of ${at.total})`);
  const struckAt = performance.now();
  await fault.strike(line, id, random);
  await reachRest(line, id);
  return { name: fault.name, ...at, restMs: Math.round(performance.now() - struckAt) };
}

/** Processes that ended by themselves: those that a fault killed were started anew. */
const endedUnasked = (line: FaultLine): string[] =>
  [...line.processes.values()]
    .filter((one) => !one.isRunning())
    .map((one) => `${one.name} has ended:\n${one.output()}`);

/** After every round a small file goes through the whole line: nobody is left deaf or stuck. */
async function worksStill(line: FaultLine): Promise<string[]> {
  const work = await beginImport(line, 20, 5);
  await reachRest(line, work.id);
  await beginPush(line, work, 5);
  await reachRest(line, work.id);
  return [
    ...(await rowDifferences(line, work.id, work.truth)),
    ...(await pushDifferences(line, work.id, work.truth)),
  ];
}
