import { lineResults } from '@draftshelf/domain/review/corrections/line-kinds';
import { z } from 'zod';
import { route } from '../route.ts';
import { count, FieldName, SuccessReply } from '../values.ts';
import { RowFilters } from './rows.ts';

/** Streams the rows that match the filters as CSV, to correct in a spreadsheet: key, row number, problems, values. */
export const getCorrections = route('getCorrections', {
  query: RowFilters,
  reply: z.string(),
});

/** Begins to compare a corrections file, sent as multipart/form-data. 400 if no row of the file is in this import. */
export const uploadCorrections = route('uploadCorrections', {
  reply: z.object({ id: z.uuid(), records: count }),
});

/** Finds the import to which a key in a corrections file belongs. */
export const findCorrectedImport = route('findCorrectedImport', {
  reply: z.object({ id: z.uuid(), filename: z.string() }),
});

const Line = z.object({
  /** The line in the corrections file. */
  line: count,
  /** The row with the value. Null if the line belongs to no row. */
  row: count.nullable(),
  field: FieldName.nullable(),
  kind: z.enum(lineResults),
  /** The value in the download, in the row now, and in the corrections file. Long values are cut. */
  before: z.string().nullable(),
  now: z.string().nullable(),
  after: z.string().nullable(),
});
export type CorrectionLine = z.infer<typeof Line>;

/** Returns the comparison of a corrections file with its import. */
export const readCorrections = route('readCorrections', {
  reply: z.object({
    id: z.uuid(),
    filename: z.string(),
    /** `outdated`: the import was re-read since. `removed`: deleted after 30 days. `failed`: comparing has stopped. */
    state: z.enum(['comparing', 'compared', 'applied', 'outdated', 'removed', 'failed']),
    /** The last command that applied the changes, or that is applying them. Null if there is none. */
    command: z.uuid().nullable(),
    records: z.object({ compared: count, total: count }),
    /** Numbers of rows that change, and of lines by kind. A line is a cell, or a row that could not be compared. */
    rows: count,
    lines: z.partialRecord(z.enum(lineResults), count),
    /** Fields that change. Numbers of cells that change, that become empty, and that had a value in the download. */
    fields: z.array(z.object({ field: FieldName, changed: count, emptied: count, filled: count })),
    /** Changed columns that are mapped to no field, and columns that the download did not have. */
    unused: z.array(z.string()),
    unknown: z.array(z.string()),
    /** The first lines of each kind. */
    examples: z.array(Line),
  }),
});
export type Corrections = z.infer<(typeof readCorrections)['reply']>;

/** Applies the changes of a compared file as one command, in the background. */
export const applyCorrections = route('applyCorrections', {
  reply: SuccessReply.extend({ command: z.uuid() }),
});

/** Streams the differing and the skipped lines of a corrections file as CSV, with their results. */
export const getCorrectionsReport = route('getCorrectionsReport', {
  reply: z.string(),
});
