import { pipeline, Readable } from 'node:stream';
import { getFailedRows, getLedger, getPushSeries, getReport } from '@draftshelf/contract/report';
import { formulaSafe } from '@draftshelf/csv/own-download';
import { currentRows, hasEnded } from '@draftshelf/database/chunks/runs';
import { readConsistently } from '@draftshelf/database/connection/consistent-read';
import { findImport } from '@draftshelf/database/imports/imports';
import type { ImportRecord } from '@draftshelf/database/schema';
import { finalStatuses } from '@draftshelf/domain/import-status';
import { format } from 'fast-csv';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDatabases } from '../databases.ts';
import { readFailedRows } from '../failed-rows.ts';
import { readLedgerCsv } from '../ledger-csv.ts';
import { readPushSeriesOf, readReport } from '../read-report.ts';
import { conflict, importNotFound } from '../refusal.ts';
import { type Api, serve } from '../serve.ts';
import { findImportOr404 } from './imports.ts';

/** The report of an import, and the rows of its skipped and failed products as CSV. */
export function serveReport(api: Api, { database: { db } }: Pick<ApiDatabases, 'database'>): void {
  serve(api, getReport, ({ params }) =>
    readConsistently(db, async (trx) => {
      const record = await findImportOr404(trx, params.id);
      const isOver = (finalStatuses as readonly string[]).includes(record.status);
      if (!isOver && !(await hasEnded(trx, currentRows(record)))) {
        throw conflict('The file is still being processed, so there’s no report yet.');
      }
      return readReport(trx, record);
    }),
  );
  serve(api, getPushSeries, async ({ params }) => ({
    series: await readPushSeriesOf(db, await findImportOr404(db, params.id)),
  }));
  // Not JSON, and too large to be built in memory: streamed as it is read, as fast as the client takes it.
  api.app.get<{ Params: { id: string } }>(getFailedRows.path, async (request, reply) => {
    const record = await findImport(db, request.params.id);
    if (!record) throw importNotFound();
    if (record.skipped + record.failed === 0) throw conflict('No products were skipped or failed.');
    if (record.rows_removed_at !== null)
      throw conflict('The rows of this import were removed. Choose Read Again first.');
    return sendCsv(request, reply, {
      records: readFailedRows(db, record),
      name: 'failed rows',
      of: record,
    });
  });
  api.app.get<{ Params: { id: string } }>(getLedger.path, async (request, reply) => {
    const record = await findImportOr404(db, request.params.id);
    return sendCsv(request, reply, { records: readLedgerCsv(db, record), name: 'ledger', of: record });
  });
}

type Download = { records: AsyncIterable<string[]>; name: string; of: ImportRecord };

/** Streams records as a CSV download named after its import. No cell is a formula. */
function sendCsv(request: FastifyRequest, reply: FastifyReply, { records, name, of }: Download) {
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

/** The header of a download. Names may have any characters (RFC 6266); a name without CSV extension gets one. */
function attachment(name: string, ofFile: string): string {
  const whole = `${name} of ${ofFile}`;
  const filename = /\.csv$/i.test(whole) ? whole : `${whole}.csv`;
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${name}.csv"; filename*=UTF-8''${encoded}`;
}
