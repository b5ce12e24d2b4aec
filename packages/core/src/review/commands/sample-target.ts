import type { CommandTarget } from '@draftshelf/domain/review/operations/command-target';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { currentRows } from '../../work/runs.ts';
import { existingRows, readMatchingRows } from './command-targets.ts';

/** Rows from all over a target, in stretches of neighbors, which are read together. */
export type TargetSample = {
  stretches: number[][];
  isInTarget: (row: number) => boolean;
  rows: number;
};

const sampledRowsMax = 1_000;
const stretchesMax = 20;
const stretchRows = sampledRowsMax / stretchesMax;

/** Chooses rows of a target: all of up to 1,000, or as many evenly from the first to the last one. */
export async function sampleTarget(
  db: Db,
  record: ImportRecord,
  target: CommandTarget,
): Promise<TargetSample> {
  const of = currentRows(record);
  if ('rows' in target) return sampleOf(await existingRows(db, of, target.rows));
  return sampleOf(await readMatchingRows(db, record, target));
}

function sampleOf(numbers: readonly number[] | Int32Array): TargetSample {
  const matches = new Uint8Array((numbers.at(-1) ?? 0) + 1);
  for (const row of numbers) matches[row] = 1;
  const stretches = ranksOf(numbers.length).map(([from, to]) => [...numbers.slice(from, to)]);
  return { stretches, isInTarget: (row) => matches[row] === 1, rows: numbers.length };
}

function ranksOf(total: number): [number, number][] {
  const stretches = Math.min(stretchesMax, Math.ceil(total / stretchRows));
  if (total <= sampledRowsMax) {
    return Array.from({ length: stretches }, (_, at) => [
      at * stretchRows,
      Math.min(total, (at + 1) * stretchRows),
    ]);
  }
  return Array.from({ length: stretches }, (_, at) => {
    const from = Math.round((at * (total - stretchRows)) / (stretches - 1));
    return [from, from + stretchRows];
  });
}
