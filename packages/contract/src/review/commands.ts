import { CommandPreview } from '@draftshelf/domain/review/operations/command-preview';
import { leftReasons } from '@draftshelf/domain/review/operations/left-reason';
import { Operations } from '@draftshelf/domain/review/operations/operation';
import { z } from 'zod';
import { route } from '../route.ts';
import { Done } from '../values.ts';
import { targetRowsMax } from '../wire.ts';
import { RowFilters } from './rows.ts';

/**
 * Rows by number, or all rows that match a filter; {} matches every row. Ignored rows are never changed. `run`: the
 * run of the page from which the rows were chosen, the current run if absent. 409 if the file was re-read since.
 */
export const EditTarget = z.union([
  z.strictObject({
    rows: z.array(z.number().int().min(1).max(2_147_483_647)).min(1).max(targetRowsMax),
    run: z.number().int().optional(),
  }),
  z.strictObject(RowFilters.omit({ outcome: true, change: true }).shape),
]);
export type EditTarget = z.infer<typeof EditTarget>;

const Left = z.object({
  reason: z.enum(leftReasons),
  cells: z.number().int(),
  /** The first row with such cells, and the cell's value now. `refused`: the refused value, null for other reasons. */
  row: z.number().int(),
  before: z.string().nullable(),
  refused: z.string().nullable(),
  /** At most two more rows with such cells. */
  nextRows: z.array(z.number().int()),
  /** Whether the whole target was searched for such cells, not only the sample. */
  isAll: z.boolean(),
});

/** For each reason, the first rows with cells that were left unchanged, at most three. */
export const LeftRows = z.partialRecord(z.enum(leftReasons), z.array(z.number().int()));
export type LeftRows = z.infer<typeof LeftRows>;

const Change = z.object({
  row: z.number().int(),
  /** A field's name, or 'leaveOut'. */
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

/** Previews operations with the code that applies them. A large target is sampled. */
export const previewEdits = route('previewEdits', {
  body: z.object({ target: EditTarget, operations: Operations }),
  reply: z.object({
    /** Description of the command, as in the history: 'Price × 1.2, to .99'. */
    sentence: z.string(),
    /** Number of rows and products of the target. `products` is null if the products were not counted. */
    rows: z.number().int(),
    products: z.number().int().nullable(),
    /** Size of the sample. All counts are of the sample: the whole target, or rows spread over it up to row `upTo`. */
    sample: z.object({
      rows: z.number().int(),
      products: z.number().int(),
      isAll: z.boolean(),
      upTo: z.number().int().nullable(),
    }),
    changed: z.object({ cells: z.number().int(), rows: z.number().int(), products: z.number().int() }),
    unchangedCells: z.number().int(),
    left: z.array(Left),
    /** At most 20 changes, spread over the sample. `fallsBelowCost`: the new price is below the row's cost. */
    examples: z.array(Change.extend({ fallsBelowCost: z.boolean() })),
    /** Number of rows whose price falls below their cost, and the first of these rows. Null if there are none. */
    belowCost: z.object({ rows: z.number().int(), row: z.number().int() }).nullable(),
    /** Whether the command changes the price or cost of a row that then has both. */
    comparesCosts: z.boolean(),
    /** Number of rows that become valid, and of valid rows that become invalid. */
    becomesValid: z.number().int(),
    losesValidity: z.number().int(),
    /** New problems that the command causes, as sentences, with the number of rows and the first row. */
    problems: z.array(z.object({ text: z.string(), rows: z.number().int(), row: z.number().int() })),
    /** The largest relative change of an amount by a calculating operation, in percent. Null if there is none. */
    largest: z
      .object({
        row: z.number().int(),
        field: z.string(),
        before: z.string(),
        after: z.string(),
        percent: z.number(),
      })
      .nullable(),
    /** Id of the last edit. With this id, `applyEdits` skips cells that others have edited since. */
    sinceEdit: z.number().int(),
  }),
});
export type EditPreview = z.infer<(typeof previewEdits)['reply']>;

/**
 * Applies operations to the rows of a target, as one command. Small targets are done before the reply, larger ones by
 * a task of the import (`inBackground`). `sinceEdit`: the preview's value, if there was a preview.
 */
export const applyEdits = route('applyEdits', {
  body: z.object({
    target: EditTarget,
    operations: Operations,
    sinceEdit: z.number().int().min(0).optional(),
  }),
  reply: Done.extend({
    command: z.uuid(),
    inBackground: z.boolean(),
    /** Changed rows and cells, and unchanged cells by reason. Zero while a task applies the command. */
    rows: z.number().int(),
    cells: z.number().int(),
    left: z.partialRecord(z.enum(leftReasons), z.number().int()),
    leftRows: LeftRows,
  }),
});
export type AppliedEdits = z.infer<(typeof applyEdits)['reply']>;

/** Resumes a command that stopped before its end. */
export const resumeEdits = route('resumeEdits', {
  reply: Done.extend({ command: z.uuid() }),
});
