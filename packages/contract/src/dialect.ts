import { delimiters, quotes } from '@draftshelf/csv/dialect';
import { encodings } from '@draftshelf/csv/encoding/encodings';
import { z } from 'zod';
import { ImportParams, Moved } from './imports.ts';
import { route } from './route.ts';

/** What an operator may say about how a file is written; what is not said, now or before, is judged by it. */
export const DialectChoice = z
  .strictObject({
    encoding: z.enum(encodings),
    delimiter: z.enum(delimiters),
    /** '' where quotes have no meaning. */
    quote: z.enum(quotes),
    /** Ordinal of the header record: 0-based, blank records not counted; -1 for none. */
    headerRecord: z.number().int().min(-1).max(1000),
  })
  .partial();
export type DialectChoice = z.infer<typeof DialectChoice>;

/** The multipart field of POST /api/upload with a DialectChoice as JSON; it must stand before the file. */
export const uploadDialectField = 'dialect';

/** Reads the stored file anew in another dialect (parse run + 1); edits are kept. 409 while the import runs. */
export const changeDialect = route({
  method: 'POST',
  path: '/api/queue/:id/dialect',
  aliases: ['/api/jobs/:id/dialect'],
  params: ImportParams,
  body: DialectChoice.refine(
    (choice) => Object.keys(choice).length > 0,
    'Name at least one thing to change.',
  ),
  reply: Moved,
});
