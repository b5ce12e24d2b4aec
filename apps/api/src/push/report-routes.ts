import { getFailedRows, getLedger, getPushSeries, getReport } from '@draftshelf/contract/imports/report';
import { readConsistently } from '@draftshelf/core/connection/consistent-read';
import { findImport } from '@draftshelf/core/imports/imports';
import { currentRows, hasEnded } from '@draftshelf/core/work/runs';
import { finalStatuses } from '@draftshelf/domain/imports/import-status';
import type { ApiDatabases } from '../http/databases.ts';
import { conflict, importNotFound } from '../http/refusal.ts';
import { sendCsv } from '../http/send-csv.ts';
import { type Api, serve } from '../http/serve.ts';
import { findImportOr404 } from '../imports/read-job.ts';
import { readFailedRows } from '../review/failed-rows.ts';
import { readLedgerCsv } from './ledger-csv.ts';
import { readPushSeriesOf, readReport } from './read-report.ts';

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
