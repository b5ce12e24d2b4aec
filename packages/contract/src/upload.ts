import { z } from 'zod';
import { route } from './route.ts';

/** The names of the multipart file field; the specification has both. */
export const uploadFileFields = ['csv', 'csvFile'] as const;

/** The message for a file with fewer than two records, in the preview and from the api (spec/decisions C4). */
export const tooFewRecordsMessage = 'CSV file must have at least a header row and one data row';

/** The page's <meta> that tells the browser CSV_BYTES_MAX: index.html has the default, the api writes its own. */
export const fileBytesMaxMeta = 'csv-bytes-max';

export const UploadReply = z.object({
  id: z.uuid(),
  totalProducts: z.number().int(),
  totalRows: z.number().int(),
  testMode: z.boolean(),
  sameAs: z.uuid().nullable(),
});
export type UploadReply = z.infer<typeof UploadReply>;

/** multipart/form-data: the file, and enableUPC, enableAI, testMode as the strings 'true' or 'false', in any order. */
export const uploadCsv = route({ method: 'POST', path: '/api/upload', reply: UploadReply });
