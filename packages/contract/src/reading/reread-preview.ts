import { rowClasses } from '@draftshelf/domain/review/row-rule';
import { z } from 'zod';
import { ShownDialect } from '../imports/imports.ts';
import { route } from '../route.ts';
import { DialectChoice } from './dialect.ts';
import { MappingChanges } from './mapping.ts';

/** A preview reads this many bytes of the stored file, and counts this many rows. */
export const previewBytesMax = 256 * 1024;
export const previewRowsMax = 2000;
/** Limits of the preview: records, cells of a record, and characters of a cell. */
export const previewRecordsMax = 5;
export const previewCellsMax = 60;
export const previewCellCharsMax = 200;

const Counts = z.object({
  rows: z.number().int(),
  valid: z.number().int(),
  warning: z.number().int(),
  error: z.number().int(),
});

/** The first records as another reading would have them, and the products by class before and after. */
export const RereadPreview = z.object({
  /** The rows are all rows of the import; else they are its first ones. */
  isWhole: z.boolean(),
  /** As it is read now, without edits; null if that fails for this part of the file. */
  before: Counts.nullable(),
  /** Null if it cannot be read this way; `problem` then says why. */
  after: Counts.extend({
    dialect: ShownDialect,
    headers: z.array(z.string()),
    records: z.array(
      z.object({
        row: z.number().int(),
        class: z.enum(rowClasses),
        cells: z.array(z.string()),
        title: z.string().nullable(),
        price: z.string().nullable(),
      }),
    ),
  }).nullable(),
  problem: z.string().nullable(),
  /** Products of the scanner's library that were added to the import. They are not in the file and stay as they are. */
  added: z.number().int(),
});
export type RereadPreview = z.infer<typeof RereadPreview>;

/** The result of a re-read with these changes, from the head of the stored file. Changes nothing. */
export const previewReread = route('previewReread', {
  aliases: ['/api/jobs/:id/reread-preview'],
  body: z.strictObject({ dialect: DialectChoice, mapping: MappingChanges }).partial(),
  reply: RereadPreview,
});
