import { importSources } from '@draftshelf/domain/imports/import-sources';
import { z } from 'zod';
import { route } from '../route.ts';

export const UploadReply = z.object({
  id: z.uuid(),
  totalProducts: z.number().int(),
  totalRows: z.number().int(),
  testMode: z.boolean(),
  sameAs: z.uuid().nullable(),
  /** The table that is read of a workbook or archive, and how many others it holds; null for other files. */
  table: z.object({ name: z.string(), others: z.number().int() }).nullable(),
});
export type UploadReply = z.infer<typeof UploadReply>;

/** The products that `fastUpload` has found in a text. */
export const FastUploadReply = z.object({
  success: z.literal(true),
  /** Rows read. */
  processed: z.number().int(),
  totalProducts: z.number().int(),
  valid: z.number().int(),
  warnings: z.number().int(),
  errors: z.number().int(),
  /** Rows with irregular quotes, cells or bytes. */
  formattingProblems: z.number().int(),
  /** At most five rows; long values are cut. The class of an ignored row is null. */
  firstRows: z.array(z.object({ title: z.string(), price: z.string(), class: z.string().nullable() })),
});
export type FastUploadReply = z.infer<typeof FastUploadReply>;

/** Reads the text `csvContent` as an upload would and keeps nothing. `options` have no effect. */
export const fastUpload = route('fastUpload', { reply: FastUploadReply });

/**
 * The body is multipart/form-data: the file, and enableUPC, enableAI, testMode as 'true' or 'false', supplier,
 * supplierName and fileDate, in any order; and dialect and mapping, which must come before the file.
 */
export const uploadCsv = route('uploadCsv', { reply: UploadReply });

/** The lowercase hex SHA-256 of a file's bytes. */
const FileHash = z.string().regex(/^[0-9a-f]{64}$/);

/** The import whose edits an upload of the same bytes would get. */
export const EarlierImport = z.object({
  id: z.uuid(),
  filename: z.string(),
  createdAt: z.iso.datetime(),
  /** The origin of its file. */
  source: z.enum(importSources),
  /** Number of its edits that an upload would get. */
  edits: z.number().int(),
  /** Its products by class with these edits; null for a test, and while its file is being read. */
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

/** Finds the latest import of the same bytes that was not cancelled, before a file is uploaded. */
export const findEarlierImport = route('findEarlierImport', {
  query: z.object({ sha256: FileHash }),
  reply: z.object({ earlier: EarlierImport.nullable() }),
});
