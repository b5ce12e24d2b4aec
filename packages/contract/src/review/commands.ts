import { leftReasons } from '@draftshelf/domain/review/operations/left-reason';
import { Operations } from '@draftshelf/domain/review/operations/operation';
import { z } from 'zod';
import { route } from '../route.ts';
import { Done } from '../values.ts';
import { targetRowsMax } from '../wire.ts';
import { RowFilters } from './rows.ts';

/**
 * Rows by number, or all rows that match a filter; {} is every row. Ignored rows are never changed. `run`: of the page
 * from which the rows were chosen, the current one by default. Refused with 409 if the file was read again since.
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
  /** The first such row, its value now, and the refused value; null: that is not the reason. */
  row: z.number().int(),
  before: z.string().nullable(),
  refused: z.string().nullable(),
  /** The next rows with such cells, at most two. */
  nextRows: z.array(z.number().int()),
  /** Whether such cells were looked for in the whole target, else in the sample only. */
  isAll: z.boolean(),
});

/** The first rows of cells that were left, at most three, by reason. */
export const LeftRows = z.partialRecord(z.enum(leftReasons), z.array(z.number().int()));
export type LeftRows = z.infer<typeof LeftRows>;

const Change = z.object({
  row: z.number().int(),
  /** A field's name, or 'leaveOut'. */
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

/** Previews operations with the function that applies them, from a sample if there are too many rows. */
export const previewEdits = route('previewEdits', {
  body: z.object({ target: EditTarget, operations: Operations }),
  reply: z.object({
    /** A description of the command, as in the history: 'Price × 1.2, to .99'. */
    sentence: z.string(),
    /** The rows and products of the target; null if the products are not counted. */
    rows: z.number().int(),
    products: z.number().int().nullable(),
    /** Rows that were read: the whole target, or some from all over it up to row `upTo`. All counts are of these. */
    sample: z.object({
      rows: z.number().int(),
      products: z.number().int(),
      isAll: z.boolean(),
      upTo: z.number().int().nullable(),
    }),
    changed: z.object({ cells: z.number().int(), rows: z.number().int(), products: z.number().int() }),
    unchangedCells: z.number().int(),
    left: z.array(Left),
    /** At most 20 changes, from all over the sample. `fallsBelowCost`: the row's price is below its cost then. */
    examples: z.array(Change.extend({ fallsBelowCost: z.boolean() })),
    /** Rows whose price falls below their cost, and the first of them. */
    belowCost: z.object({ rows: z.number().int(), row: z.number().int() }).nullable(),
    /** Whether a row gets another price or cost, and has both then. */
    comparesCosts: z.boolean(),
    /** Rows that become valid, and valid rows that do not stay so. */
    becomesValid: z.number().int(),
    losesValidity: z.number().int(),
    /** New problems of rows after the command, as sentences; the first of these rows. */
    problems: z.array(z.object({ text: z.string(), rows: z.number().int(), row: z.number().int() })),
    /** The largest relative change of an amount, in percent, by operations that calculate. */
    largest: z
      .object({
        row: z.number().int(),
        field: z.string(),
        before: z.string(),
        after: z.string(),
        percent: z.number(),
      })
      .nullable(),
    /** Send it with the edit: cells that others have changed after it are left. */
    sinceEdit: z.number().int(),
  }),
});
export type EditPreview = z.infer<(typeof previewEdits)['reply']>;

/**
 * Applies operations to the rows of a target, as one command. Small targets are done with the reply; larger ones in the
 * background (`inBackground`), by a task of the import. `sinceEdit`: of the preview, or none.
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
    /** Changed rows and cells, and the cells that were left, by reason; zero while it runs in the background. */
    rows: z.number().int(),
    cells: z.number().int(),
    left: z.partialRecord(z.enum(leftReasons), z.number().int()),
    leftRows: LeftRows,
  }),
});
export type AppliedEdits = z.infer<(typeof applyEdits)['reply']>;

/** Goes on with a command that has stopped before its end. */
export const resumeEdits = route('resumeEdits', {
  reply: Done.extend({ command: z.uuid() }),
});
