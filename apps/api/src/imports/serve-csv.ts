import { pipeline, Readable } from 'node:stream';
import type { Route } from '@draftshelf/contract/route';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import { formulaSafe } from '@draftshelf/csv/own-download';
import { format } from 'fast-csv';
import { type Api, type Call, parseCall } from '../http/serve.ts';
import { type ImportCall, importOf } from './serve-import.ts';

type Records = AsyncIterable<string[]>;

/** Serves the download `name` of an import: 404 without the import. No cell is a formula. */
export const serveCsv = <R extends Route>(
  { app, db, securityLog }: Api,
  route: R,
  name: string,
  find: (call: ImportCall<R>) => Promise<Records> | Records,
) =>
  app.get(route.path, async (request, reply) => {
    const call = parseCall(securityLog, route, { request, reply });
    const record = await importOf(db, call);
    return send(call, await find({ ...call, record }), { name, of: record });
  });

function send(
  { request, reply }: Pick<Call<Route>, 'request' | 'reply'>,
  records: Records,
  { name, of }: { name: string; of: ImportRecord },
) {
  reply.type('text/csv; charset=utf-8');
  reply.header('content-disposition', attachment(name, of.filename));
  // The byte order mark tells spreadsheets that the text is UTF-8.
  const csv = format({ writeBOM: true, rowDelimiter: '\r\n', includeEndRowDelimiter: true });
  pipeline(Readable.from(withoutFormulas(records)), csv, (error) => {
    // The client sees an incomplete download: the connection is closed.
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      request.log.warn({ err: error, importId: of.id, download: name }, 'a download stopped');
    }
  });
  return reply.send(csv);
}

/** Throws if an import was deleted, or another run has begun, while a download of it is read. */
export async function requireUnchanged(
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
  for await (const cells of records) yield cells.map(formulaSafe);
}

/** Names may have any characters (RFC 6266); a name without CSV extension gets one. */
function attachment(name: string, ofFile: string): string {
  const whole = `${name} of ${ofFile}`;
  const filename = /\.csv$/i.test(whole) ? whole : `${whole}.csv`;
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${name}.csv"; filename*=UTF-8''${encoded}`;
}
