import { CommandPreview } from '@draftshelf/domain/review/operations/command-preview';
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

/** The first rows of cells that were left, at most three, by reason. */
export const LeftRows = z.partialRecord(z.enum(leftReasons), z.array(z.number().int()));
export type LeftRows = z.infer<typeof LeftRows>;

/** Previews operations with the function that applies them, from a sample if there are too many rows. */
export const previewEdits = route('previewEdits', {
  body: z.object({ target: EditTarget, operations: Operations }),
  reply: CommandPreview,
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
