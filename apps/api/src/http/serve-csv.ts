import { pipeline, Readable } from 'node:stream';
import type { Route } from '@draftshelf/contract/route';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { formulaSafe } from '@draftshelf/csv/own-download';
import { format } from 'fast-csv';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Api, type Call, parseCall } from './serve.ts';

type Download = { records: AsyncIterable<string[]>; name: string; of: ImportRecord };

/** Serves a download, which is named after its import. No cell is a formula. */
export const serveCsv = <R extends Route>(
  { app }: Api,
  route: R,
  find: (call: Call<R>) => Promise<Download>,
) =>
  app.get(route.path, async (request, reply) =>
    send(request, reply, await find(parseCall(route, request, reply))),
  );

function send(request: FastifyRequest, reply: FastifyReply, { records, name, of }: Download) {
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

async function* withoutFormulas(records: AsyncIterable<string[]>): AsyncGenerator<string[]> {
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
