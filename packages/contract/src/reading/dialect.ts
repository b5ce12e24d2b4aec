import { delimiters, quotes } from '@draftshelf/csv/dialect';
import { encodings } from '@draftshelf/csv/encoding/encodings';
import { z } from 'zod';
import { ChangedJobReply } from '../imports/imports.ts';
import { route } from '../route.ts';

/** The operator's overrides of a file's dialect. The other properties are detected in accordance with the overrides. */
export const DialectChoice = z
  .strictObject({
    encoding: z.enum(encodings),
    delimiter: z.enum(delimiters),
    /** '' if quotes have no meaning. */
    quote: z.enum(quotes),
    /** 0-based index of the header record, not counting blank records. -1 if there is none. */
    headerRecord: z.number().int().min(-1).max(1000),
    /** The name of the workbook's sheet, or of the list in an archive. */
    table: z.string().min(1).max(300),
  })
  .partial();
export type DialectChoice = z.infer<typeof DialectChoice>;

/** Re-reads the stored file with new overrides, in the next parse run. Edits are kept. 409 while the import runs. */
export const changeDialect = route('changeDialect', {
  aliases: ['/api/jobs/:id/dialect'],
  body: DialectChoice.refine((choice) => Object.keys(choice).length > 0, 'Nothing to change.'),
  reply: ChangedJobReply,
});
