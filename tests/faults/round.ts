import { leftOver, pushDifferences, rowDifferences } from './differences.ts';
import type { Fault } from './fault-kinds.ts';
import type { Random } from './fault-random.ts';
import { beginImport, beginPush, type FaultStack, reachRest, type Work } from './fault-stack.ts';
import { dropFiles, folderDifferences } from './folder-files.ts';
import { beginStage, reachMiddle, type Sizes } from './midway.ts';

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
  const isForFolder = faults.some(({ targets }) => targets.some((one) => targetsOfFolder.includes(one)));
  const pushed = faults.some((one) => one.during === 'push')
    ? await beginStage(stack, 'push', sizes)
    : undefined;
  const dropped = await dropFiles(stack, isForFolder ? filesOfRound : 0);
  const parsed = await beginImport(stack, sizes.rows, sizes.rowsPerChunk);
  const ended = await Promise.all(
    faults.map((one) => {
      const begun = one.during === 'push' && pushed ? pushed : parsed;
      return injectMidway(stack, one, { begun, sizes, random });
    }),
  );
  const worksOf = (of: typeof ended) => of.flatMap(({ works }) => works);
  const pushes = new Set(worksOf(ended.filter(({ during }) => during === 'push')));
  const imports = new Set([parsed, ...worksOf(ended)]);
  for (const { id } of imports) await reachRest(stack, id);
  await stack.store.clearFaults();
  const wrong = endedUnasked(stack);
  for (const { id, truth } of imports) wrong.push(...(await rowDifferences(stack, id, truth)));
  for (const { id, truth } of pushes) wrong.push(...(await pushDifferences(stack, id, truth)));
  wrong.push(
    ...(await folderDifferences(stack, dropped)),
    ...(await worksStill(stack)),
    ...(await leftOver(stack)),
  );
  return { injected: ended.map(({ injected }) => injected), wrong };
}

async function injectMidway(
  stack: FaultStack,
  { name, during, inject }: Fault,
  from: { begun: Work; sizes: Sizes; random: Random },
): Promise<{ during: Fault['during']; works: Work[]; injected: Injected }> {
  const { works, work, at } = await reachMiddle(stack, during, from);
  const injectedAt = performance.now();
  await inject(stack, work.id, from.random);
  await reachRest(stack, work.id);
  const restMs = Math.round(performance.now() - injectedAt);
  return { during, works, injected: { name, ...at, restMs } };
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
