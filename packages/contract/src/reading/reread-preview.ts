import { rowClasses } from '@draftshelf/domain/review/row-rule';
import { z } from 'zod';
import { ShownDialect } from '../imports/imports.ts';
import { route } from '../route.ts';
import { DialectChoice } from './dialect.ts';
import { MappingChanges } from './mapping.ts';

/** The most bytes of the stored file that a preview reads, and the most rows that it counts. */
export const previewBytesMax = 256 * 1024;
export const previewRowsMax = 2000;
/** Limits of a preview's reply: records, cells per record, and characters per cell. */
export const previewRecordsMax = 5;
export const previewCellsMax = 60;
export const previewCellCharsMax = 200;

const Counts = z.object({
  rows: z.number().int(),
  valid: z.number().int(),
  warning: z.number().int(),
  error: z.number().int(),
});

/** The first records as the changed settings would read them, and the products by class before and after. */
export const RereadPreview = z.object({
  /** Whether the preview covers all rows of the import. If false, it covers the first rows. */
  isWhole: z.boolean(),
  /** Counts with the current settings, without edits. Null if these settings cannot read this part of the file. */
  before: Counts.nullable(),
  /** Counts and records with the new settings. Null if these settings cannot read the file; `problem` is the reason. */
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
  /** Number of products added from the scanner's library. A re-read does not change them. */
  added: z.number().int(),
});
export type RereadPreview = z.infer<typeof RereadPreview>;

/** Reads the beginning of the stored file with changed settings. Changes nothing. */
export const previewReread = route('previewReread', {
  aliases: ['/api/jobs/:id/reread-preview'],
  body: z.strictObject({ dialect: DialectChoice, mapping: MappingChanges }).partial(),
  reply: RereadPreview,
});
