import type { Stage } from '@draftshelf/domain/imports/stages';
import { until } from '../support/fixture.ts';
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

/** Sizes of a round's imports. Rows are parsed and enriched, products are pushed. */
export type Sizes = { rows: number; rowsPerChunk: number; products: number; productsPerChunk: number };

/** Begins an import whose rows are to be parsed and enriched, or the push of one that is processed. */
export async function beginStage(stack: FaultStack, during: Stage, sizes: Sizes): Promise<Work> {
  if (during !== 'push') return beginImport(stack, sizes.rows, sizes.rowsPerChunk);
  const work = await beginImport(stack, sizes.products, sizes.rowsPerChunk);
  await reachRest(stack, work.id);
  await beginPush(stack, work, sizes.productsPerChunk);
  return work;
}

/** Imports whose stage may be over when the test, on a busy machine, gets to look. */
const missedMax = 3;

type Progress = { done: number; total: number };

/**
 * Waits until an import is in the first half of a stage, or just after it. If the stage is over by then, another import
 * is begun. Returns all of them, and the progress of the last one, which is in the middle of the stage.
 */
export async function reachMiddle(
  stack: FaultStack,
  during: Stage,
  { begun, sizes, random }: { begun: Work; sizes: Sizes; random: Random },
): Promise<{ works: Work[]; work: Work; at: Progress }> {
  const wanted = random.between(0, 0.5);
  const works: Work[] = [];
  for (let work = begun; ; work = await beginStage(stack, during, sizes)) {
    works.push(work);
    const at = await reachProgress(stack, during, work, wanted);
    if (at.done < at.total) return { works, work, at };
    if (works.length === missedMax) throw new Error(`${during} of ${missedMax} imports was over too soon`);
  }
}

async function reachProgress(
  stack: FaultStack,
  during: Stage,
  { id }: Work,
  wanted: number,
): Promise<Progress> {
  let at = { done: 0, total: 0 };
  await until(
    `${during} in the middle of its work`,
    async () => {
      at = progressOf(await readImport(stack, id), during);
      return at.done > 0 && at.done >= wanted * at.total;
    },
    otherFaultsMsMax,
  );
  return at;
}
