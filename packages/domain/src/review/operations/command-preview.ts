import { z } from '../../base/schema.ts';
import { leftReasons } from './left-reason.ts';

const count = z.number().int();

const Left = z.object({
  reason: z.enum(leftReasons),
  cells: count,
  /** The first such row, its value now, and the refused value; null: that is not the reason. */
  row: count,
  before: z.string().nullable(),
  refused: z.string().nullable(),
  /** The next rows with such cells, at most two. */
  nextRows: z.array(count),
  /** Whether such cells were looked for in the whole target, else in the sample only. */
  isAll: z.boolean(),
});

/** The effect of operations on a target, or on a sample of it. */
export const CommandPreview = z.object({
  /** A description of the command, as in the history: 'Price × 1.2, to .99'. */
  sentence: z.string(),
  /** The rows and products of the target; null if the products are not counted. */
  rows: count,
  products: count.nullable(),
  /** Rows that were read: the whole target, or some from all over it up to row `upTo`. All counts are of these. */
  sample: z.object({ rows: count, products: count, isAll: z.boolean(), upTo: count.nullable() }),
  changed: z.object({ cells: count, rows: count, products: count }),
  unchangedCells: count,
  /** By reason, in the order of the rows. */
  left: z.array(Left),
  /**
   * At most 20 changes, from all over the sample. `field`: or 'leaveOut'. `fallsBelowCost`: the row's price is below
   * its cost then.
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
  /** Rows whose price falls below their cost, and the first of them. */
  belowCost: z.object({ rows: count, row: count }).nullable(),
  /** Whether a row gets another price or cost, and has both then. */
  comparesCosts: z.boolean(),
  /** Rows that become valid, and valid rows that do not stay so. */
  becomesValid: count,
  losesValidity: count,
  /** New problems of rows after the command, as sentences; the first of these rows. */
  problems: z.array(z.object({ text: z.string(), rows: count, row: count })),
  /** The largest relative change of an amount, in percent with one decimal, by operations that calculate. */
  largest: z
    .object({ row: count, field: z.string(), before: z.string(), after: z.string(), percent: z.number() })
    .nullable(),
  /** The last edit that the values include. With it, the edit leaves cells that others have changed since. */
  sinceEdit: count,
});
export type CommandPreview = z.infer<typeof CommandPreview>;
