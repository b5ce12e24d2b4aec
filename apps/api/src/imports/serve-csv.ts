import { pipeline, Readable } from 'node:stream';
import type { Route } from '@draftshelf/contract/route';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import { escapeFormulas } from '@draftshelf/csv/own-download';
import { format } from 'fast-csv';
import { type Api, type Call, parseCall } from '../http/serve.ts';
import { findCalledImport, type ImportCall } from './serve-import.ts';

type Records = AsyncIterable<string[]>;

/** Serves the CSV download `name` of an import. Escapes cells that look like formulas. 404 if the import is unknown. */
export const serveCsv = <R extends Route>(
  { app, db, securityLog }: Api,
  route: R,
  name: string,
  find: (call: ImportCall<R>) => Promise<Records> | Records,
) =>
  app.get(route.path, async (request, reply) => {
    const call = parseCall(securityLog, route, { request, reply });
    const record = await findCalledImport(db, call);
    return send(call, await find({ ...call, record }), { name, of: record });
  });

function send(
  { request, reply }: Pick<Call<Route>, 'request' | 'reply'>,
  records: Records,
  { name, of }: { name: string; of: ImportRecord },
) {
  reply.type('text/csv; charset=utf-8');
  reply.header('content-disposition', attachment(name, of.filename));
  // The byte order mark marks the text as UTF-8 for spreadsheets.
  const csv = format({ writeBOM: true, rowDelimiter: '\r\n', includeEndRowDelimiter: true });
  pipeline(Readable.from(withoutFormulas(records)), csv, (error) => {
    // Closing the connection shows the client that the download is incomplete.
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      request.log.warn({ err: error, importId: of.id, download: name }, 'a download stopped');
    }
  });
  return reply.send(csv);
}

/** Throws if the import is being deleted or is in another run than `record`, so that no download mixes two runs. */
export async function requireUnchangedImport(
  db: Db,
  record: ImportRecord,
  what: string,
  runs: ('rows_run' | 'push_run')[],
): Promise<void> {
  const now = await findImport(db, record.id);
  if (now?.deletion_began_at === null && runs.every((run) => now[run] === record[run])) return;
  throw new Error(`Import ${record.id} changed while its ${what} were read`);
}

async function* withoutFormulas(records: Records): AsyncGenerator<string[]> {
  for await (const cells of records) yield cells.map(escapeFormulas);
}

/** Returns the content-disposition header, for filenames with any characters (RFC 6266). Adds a missing .csv. */
function attachment(name: string, ofFile: string): string {
  const whole = `${name} of ${ofFile}`;
  const filename = /\.csv$/i.test(whole) ? whole : `${whole}.csv`;
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${name}.csv"; filename*=UTF-8''${encoded}`;
}
