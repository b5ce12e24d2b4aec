import { pipeline, Readable } from 'node:stream';
import { getFailedRows, getReport } from '@draftshelf/contract/report';
import { hasEnded } from '@draftshelf/database/chunks/runs';
import { readConsistently } from '@draftshelf/database/connection/consistent-read';
import { findImport } from '@draftshelf/database/imports/imports';
import { finalStatuses } from '@draftshelf/domain/import-status';
import { format } from 'fast-csv';
import type { ApiDatabases } from '../databases.ts';
import { readFailedRows } from '../failed-rows.ts';
import { readReport } from '../read-report.ts';
import { conflict, importNotFound } from '../refusal.ts';
import { type Api, serve } from '../serve.ts';
import { findImportOr404 } from './imports.ts';

/** The report of an import, and the rows of its skipped and failed products as CSV. */
export function serveReport(api: Api, { database: { db } }: Pick<ApiDatabases, 'database'>): void {
  serve(api, getReport, ({ params }) =>
    readConsistently(db, async (trx) => {
      const record = await findImportOr404(trx, params.id);
      const isOver = (finalStatuses as readonly string[]).includes(record.status);
      if (!isOver && !(await hasEnded(trx, record))) {
        throw conflict('The file is still being processed, so there’s no report yet.');
      }
      return readReport(trx, record);
    }),
  );
  // Not JSON, and too large to be built in memory: streamed as it is read, as fast as the client takes it.
  api.app.get<{ Params: { id: string } }>(getFailedRows.path, async (request, reply) => {
    const record = await findImport(db, request.params.id);
    if (!record) throw importNotFound();
    if (record.skipped + record.failed === 0) throw conflict('No products were skipped or failed.');
    reply.type('text/csv; charset=utf-8');
    reply.header('content-disposition', attachment(`failed rows of ${record.filename}`));
    // The byte order mark tells spreadsheets that the text is UTF-8.
    const csv = format({ writeBOM: true, rowDelimiter: '\r\n', includeEndRowDelimiter: true });
    pipeline(Readable.from(readFailedRows(db, record)), csv, (error) => {
      // The client sees an incomplete download: the connection is closed.
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') {
        request.log.warn({ err: error, importId: record.id }, 'download of failed rows stopped');
      }
    });
    return reply.send(csv);
  });
}

/** The header of a download. Names may have any characters (RFC 6266); a name without CSV extension gets one. */
function attachment(name: string): string {
  const filename = /\.csv$/i.test(name) ? name : `${name}.csv`;
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="failed rows.csv"; filename*=UTF-8''${encoded}`;
}
