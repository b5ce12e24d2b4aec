import { lineKindNames } from '@draftshelf/domain/review/corrections/line-kinds';
import { z } from 'zod';
import { route } from '../route.ts';
import { count, Done, FieldName } from '../values.ts';
import { RowFilters } from './rows.ts';

/** Downloads matching rows as CSV for corrections in a spreadsheet: key, row number, problems and values. */
export const getCorrections = route('getCorrections', {
  query: RowFilters,
  reply: z.string(),
});

/** Begins to compare a corrections file (multipart/form-data). 400 if it has no rows of this import. */
export const uploadCorrections = route('uploadCorrections', {
  reply: z.object({ id: z.uuid(), records: count }),
});

/** The import that a key of a corrections file belongs to. */
export const findCorrectedImport = route('findCorrectedImport', {
  reply: z.object({ id: z.uuid(), filename: z.string() }),
});

const Line = z.object({
  /** Its line in the file. */
  line: count,
  /** The row that has the value; null if the line belongs to no row. */
  row: count.nullable(),
  field: FieldName.nullable(),
  kind: z.enum(lineKindNames),
  /** The values of the download, of the row now and of the file. Long ones are cut. */
  before: z.string().nullable(),
  now: z.string().nullable(),
  after: z.string().nullable(),
});
export type CorrectionLine = z.infer<typeof Line>;

/** The comparison of a corrections file with its import. */
export const readCorrections = route('readCorrections', {
  reply: z.object({
    id: z.uuid(),
    filename: z.string(),
    /** outdated: the import was read again since; removed: it was kept for 30 days; failed: comparing has stopped. */
    state: z.enum(['comparing', 'compared', 'applied', 'outdated', 'removed', 'failed']),
    /** The command that applies the changes, or did so last. */
    command: z.uuid().nullable(),
    records: z.object({ compared: count, total: count }),
    /** Rows that change; then cells by kind, or rows that could not be compared. */
    rows: count,
    lines: z.partialRecord(z.enum(lineKindNames), count),
    /** Fields that change: cells, those that become empty, and those that had a value in the download. */
    fields: z.array(z.object({ field: FieldName, changed: count, emptied: count, filled: count })),
    /** Changed columns that feed no field, and columns that are not in the download. */
    unused: z.array(z.string()),
    unknown: z.array(z.string()),
    /** The first lines of each kind. */
    examples: z.array(Line),
  }),
});
export type Corrections = z.infer<(typeof readCorrections)['reply']>;

/** Applies the changes of a compared file as one command, in the background. */
export const applyCorrections = route('applyCorrections', {
  reply: Done.extend({ command: z.uuid() }),
});

/** All lines of a corrections file that differ or were not taken, with their results, as CSV. */
export const getCorrectionsReport = route('getCorrectionsReport', {
  reply: z.string(),
});
