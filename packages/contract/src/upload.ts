import { z } from 'zod';
import { route } from './route.ts';

/** The names of the multipart field for the file. The specification uses both. */
export const uploadFileFields = ['csv', 'csvFile'] as const;

/** The specification's message for a file with fewer than two records, in the preview and from the api. */
export const tooFewRecordsMessage = 'CSV file must have at least a header row and one data row';

/** The <meta> name with which the page passes CSV_BYTES_MAX: index.html has the default, the api sets its own value. */
export const fileBytesMaxMeta = 'csv-bytes-max';

export const UploadReply = z.object({
  id: z.uuid(),
  totalProducts: z.number().int(),
  totalRows: z.number().int(),
  testMode: z.boolean(),
  sameAs: z.uuid().nullable(),
});
export type UploadReply = z.infer<typeof UploadReply>;

/**
 * The body is multipart/form-data: the file, and enableUPC, enableAI, testMode as 'true' or 'false', in any order; and
 * dialect and mapping, which must come before the file.
 */
export const uploadCsv = route({ method: 'POST', path: '/api/upload', reply: UploadReply });
