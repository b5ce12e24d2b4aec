import { z } from '../../base/schema.ts';
import { unchangedReasons } from './left-reason.ts';

const count = z.number().int();

const Left = z.object({
  reason: z.enum(unchangedReasons),
  cells: count,
  /** The first row with an unchanged cell, and the cell's value. `refused`: the value that the cell cannot have. */
  row: count,
  before: z.string().nullable(),
  refused: z.string().nullable(),
  /** Up to two more rows with cells that stay unchanged for this reason. */
  nextRows: z.array(count),
  /** Whether this reason was looked for in the whole target. If false, it was looked for only in the sample. */
  isAll: z.boolean(),
});

/** The effect of operations on a target, or on a sample of the target. */
export const CommandPreview = z.object({
  /** A description of the command, as the history shows it: 'Price × 1.2, to .99'. */
  sentence: z.string(),
  /** The number of rows and products in the target. `products` is null if they are not counted. */
  rows: count,
  products: count.nullable(),
  /** The rows that all counts refer to: the whole target, or a sample of the rows up to row `upTo`. */
  sample: z.object({ rows: count, products: count, isAll: z.boolean(), upTo: count.nullable() }),
  changed: z.object({ cells: count, rows: count, products: count }),
  unchangedCells: count,
  /** Ordered by reason, then by row. */
  left: z.array(Left),
  /**
   * At most 20 changes, spread over the sample. `field` is a field or 'leaveOut'. `fallsBelowCost`: the change puts
   * the row's price below its cost.
   */
  examples: z.array(
    z.object({
      row: count,
      field: z.string(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      fallsBelowCost: z.boolean(),
    }),
  ),
  /** The number of rows whose price falls below their cost, and the first of these rows. */
  belowCost: z.object({ rows: count, row: count }).nullable(),
  /** Whether the price or cost changes in any row that then has both. */
  comparesCosts: z.boolean(),
  /** The numbers of rows that become valid, and of valid rows that become invalid. */
  becomesValid: count,
  losesValidity: count,
  /** New problems of rows, as sentences, with the number of rows and the first row. */
  problems: z.array(z.object({ text: z.string(), rows: count, row: count })),
  /** The largest relative change of an amount, in percent with one decimal. */
  largest: z
    .object({ row: count, field: z.string(), before: z.string(), after: z.string(), percent: z.number() })
    .nullable(),
  /** The id of the newest edit in the preview. A command with this id skips cells that were edited later. */
  sinceEdit: count,
});
export type CommandPreview = z.infer<typeof CommandPreview>;
