import { CommandPreview } from '@draftshelf/domain/review/operations/command-preview';
import { unchangedReasons } from '@draftshelf/domain/review/operations/left-reason';
import { Operations } from '@draftshelf/domain/review/operations/operation';
import { z } from 'zod';
import { route } from '../route.ts';
import { SuccessReply } from '../values.ts';
import { targetRowsMax } from '../wire.ts';
import { RowFilters } from './rows.ts';

/**
 * Rows by number, or all rows that match a filter; {} matches every row. Ignored rows are never changed. `run`: the
 * run in which the rows were listed; if absent, the current run. 409 if the file was re-read since.
 */
export const EditTarget = z.union([
  z.strictObject({
    rows: z.array(z.number().int().min(1).max(2_147_483_647)).min(1).max(targetRowsMax),
    run: z.number().int().optional(),
  }),
  z.strictObject(RowFilters.omit({ outcome: true, change: true }).shape),
]);
export type EditTarget = z.infer<typeof EditTarget>;

/** For each reason, at most the first three rows with cells that were left unchanged. */
export const UnchangedRows = z.partialRecord(z.enum(unchangedReasons), z.array(z.number().int()));
export type UnchangedRows = z.infer<typeof UnchangedRows>;

/** Previews operations with the code that applies them. A large target is sampled. */
export const previewEdits = route('previewEdits', {
  body: z.object({ target: EditTarget, operations: Operations }),
  reply: CommandPreview,
});
export type EditPreview = z.infer<(typeof previewEdits)['reply']>;

/**
 * Applies operations to the rows of a target, as one command. Small targets are changed before the reply, larger ones
 * by a task of the import (`inBackground`). `sinceEdit`: the preview's value, if there was a preview.
 */
export const applyEdits = route('applyEdits', {
  body: z.object({
    target: EditTarget,
    operations: Operations,
    sinceEdit: z.number().int().min(0).optional(),
  }),
  reply: SuccessReply.extend({
    command: z.uuid(),
    inBackground: z.boolean(),
    /** Changed rows and cells, and unchanged cells by reason. Zero while a task applies the command. */
    rows: z.number().int(),
    cells: z.number().int(),
    left: z.partialRecord(z.enum(unchangedReasons), z.number().int()),
    leftRows: UnchangedRows,
  }),
});
export type AppliedEdits = z.infer<(typeof applyEdits)['reply']>;

/** Resumes a command that stopped before its end. */
export const resumeEdits = route('resumeEdits', {
  reply: SuccessReply.extend({ command: z.uuid() }),
});
