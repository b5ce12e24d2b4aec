import type { Db } from '@draftshelf/database/connection/database';
import type { ImportRecord } from '@draftshelf/database/connection/schema';
import { existingRows, readMatchingBlocks } from '@draftshelf/database/review/commands/command-targets';
import { blockOf, rowsInBitmap, rowsPerBlock } from '@draftshelf/database/review/row-bitmaps';
import { isCounted } from '@draftshelf/database/review/search/row-filter';
import { findMatching } from '@draftshelf/database/review/search/row-page';
import { currentRows } from '@draftshelf/database/work/runs';
import type { CommandTarget } from '@draftshelf/domain/review/operations/command-target';

/** Rows from all over a target, in stretches of neighbors, which are read together. */
export type TargetSample = {
  stretches: number[][];
  isInTarget: (row: number) => boolean;
  /** Rows of the target; null: not all were looked for. */
  rows: number | null;
  /** The row up to which rows were looked for; null: all. */
  upTo: number | null;
};

const sampledRowsMax = 1_000;
const stretchesMax = 20;
const stretchRows = sampledRowsMax / stretchesMax;
/** Time for the rows that hold a text. */
const searchMsMax = 150;

/** Chooses rows of a target: all of up to 1,000, or as many evenly from the first to the last one. */
export async function sampleTarget(
  db: Db,
  record: ImportRecord,
  target: CommandTarget,
): Promise<TargetSample> {
  const of = currentRows(record);
  if ('rows' in target) return sampleOf(await existingRows(db, of, target.rows));
  if (isCounted(target)) return sampleBlocks(await readMatchingBlocks(db, record, target));
  const limits = { after: 0, limit: sampledRowsMax, msMax: searchMsMax };
  const { rows, next } = await findMatching(db, record, target, limits);
  return next === null ? sampleOf(rows) : { ...sampleOf(rows), rows: null, upTo: next };
}

function sampleOf(numbers: readonly number[]): TargetSample {
  const all = new Set(numbers);
  const stretches = ranksOf(numbers.length).map(([from, to]) => numbers.slice(from, to));
  return { stretches, isInTarget: (row) => all.has(row), rows: numbers.length, upTo: null };
}

/** Expands only the bitmaps that are needed: a target may have a million rows. */
function sampleBlocks(blocks: readonly { block: number; rows: string }[]): TargetSample {
  const bits = new Map(blocks.map(({ block, rows }) => [block, rows]));
  const counted: { block: number; rows: string; first: number; end: number }[] = [];
  let total = 0;
  for (const block of blocks) {
    const first = total;
    total += block.rows.replaceAll('0', '').length;
    counted.push({ ...block, first, end: total });
  }
  const stretches = ranksOf(total).map(([from, to]) =>
    counted.flatMap((block) =>
      block.end <= from || block.first >= to
        ? []
        : rowsInBitmap(block).slice(Math.max(0, from - block.first), to - block.first),
    ),
  );
  const isInTarget = (row: number) => bits.get(blockOf(row))?.[row % rowsPerBlock] === '1';
  return { stretches, isInTarget, rows: total, upTo: null };
}

/** The stretches of a target of `total` rows, by the places of their rows: from, and before. */
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
