import { z } from 'zod';
import { route } from '../route.ts';

/** A sheet of a workbook, or a list in an archive. */
export const FileTable = z.object({
  name: z.string(),
  kind: z.enum(['sheet', 'file']),
  hidden: z.boolean(),
  /** Null if not known. */
  rows: z.number().int().nullable(),
  /** Whether the table has product titles and prices. Null if this was not checked. */
  isList: z.boolean().nullable(),
  /** Number of edits of the table's rows, which are kept while another table is read. */
  edits: z.number().int(),
  /** Notices about the table's text. Null if the table was never read to its end. */
  notices: z
    .object({
      hiddenRows: z.number().int(),
      hiddenColumns: z.number().int(),
      errorCells: z.number().int(),
      formulasWithoutValue: z.number().int(),
      /** Set if reading ended at a row that was repeated very often. */
      endedAtRepeats: z.literal(true).optional(),
    })
    .nullable(),
});
export type FileTable = z.infer<typeof FileTable>;

/** Lists the tables of an import's workbook or archive. `picturesNotice`: why some pictures are missing. */
export const listTables = route('listTables', {
  reply: z.object({ tables: z.array(FileTable), picturesNotice: z.string().nullable() }),
});
