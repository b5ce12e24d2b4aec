import { z } from 'zod';
import { route } from '../route.ts';

/** A sheet of a workbook, or a list in an archive. */
export const FileTable = z.object({
  name: z.string(),
  kind: z.enum(['sheet', 'file']),
  hidden: z.boolean(),
  /** Null: not known. */
  rows: z.number().int().nullable(),
  /** Whether it has titles and prices; null: it was not looked at. */
  isList: z.boolean().nullable(),
  /** Edits of its rows, which wait while another table is read. */
  edits: z.number().int(),
  /** Notices about its text; null: it was never read whole. */
  notices: z
    .object({
      hiddenRows: z.number().int(),
      hiddenColumns: z.number().int(),
      errorCells: z.number().int(),
      formulasWithoutValue: z.number().int(),
      /** The rows behind one that was repeated very often were not read. */
      endedAtRepeats: z.literal(true).optional(),
    })
    .nullable(),
});
export type FileTable = z.infer<typeof FileTable>;

/** Lists the tables in an import's file; empty if it is the list itself. `picturesNotice`: why not all are taken. */
export const listTables = route('listTables', {
  reply: z.object({ tables: z.array(FileTable), picturesNotice: z.string().nullable() }),
});
