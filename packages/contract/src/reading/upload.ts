import { importSources } from '@draftshelf/domain/imports/import-sources';
import { z } from 'zod';
import { route } from '../route.ts';

export const UploadReply = z.object({
  id: z.uuid(),
  totalProducts: z.number().int(),
  totalRows: z.number().int(),
  testMode: z.boolean(),
  sameAs: z.uuid().nullable(),
  /** The table that was read from a workbook or archive, and the number of its other tables. Null for other files. */
  table: z.object({ name: z.string(), others: z.number().int() }).nullable(),
});
export type UploadReply = z.infer<typeof UploadReply>;

/** Counts of the products that `fastUpload` found in a text. */
export const FastUploadReply = z.object({
  success: z.literal(true),
  /** Number of rows that were read. */
  processed: z.number().int(),
  totalProducts: z.number().int(),
  valid: z.number().int(),
  warnings: z.number().int(),
  errors: z.number().int(),
  /** Number of rows with irregular quotes, cells or bytes. */
  formattingProblems: z.number().int(),
  /** The first rows, at most five, with long values cut. `class` is null for an ignored row. */
  firstRows: z.array(z.object({ title: z.string(), price: z.string(), class: z.string().nullable() })),
});
export type FastUploadReply = z.infer<typeof FastUploadReply>;

/** Reads the text `csvContent` like an upload. Despite its name, it uploads and stores nothing. Ignores `options`. */
export const fastUpload = route('fastUpload', { reply: FastUploadReply });

/**
 * The body is multipart/form-data with the file and, in any order, enableUPC, enableAI, testMode ('true' or 'false'),
 * supplier, supplierName and fileDate. The fields dialect, mapping and readings must come before the file.
 */
export const uploadCsv = route('uploadCsv', { reply: UploadReply });

/** The lowercase hex SHA-256 of a file's bytes. */
const FileHash = z.string().regex(/^[0-9a-f]{64}$/);

/** The earlier import whose edits an upload of the same bytes would copy. */
export const EarlierImport = z.object({
  id: z.uuid(),
  filename: z.string(),
  createdAt: z.iso.datetime(),
  source: z.enum(importSources),
  /** Number of edits that an upload would copy. */
  edits: z.number().int(),
  /** Products by class with these edits. Null in test mode, and while the file is being read. */
  classes: z
    .object({
      products: z.number().int(),
      valid: z.number().int(),
      warnings: z.number().int(),
      errors: z.number().int(),
    })
    .nullable(),
});
export type EarlierImport = z.infer<typeof EarlierImport>;

/** Finds the latest uncancelled import of a file with the same bytes. The web calls it before an upload. */
export const findEarlierImport = route('findEarlierImport', {
  query: z.object({ sha256: FileHash }),
  reply: z.object({ earlier: EarlierImport.nullable() }),
});
