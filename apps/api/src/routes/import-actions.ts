import { changeDialect } from '@draftshelf/contract/dialect';
import {
  cancelImport,
  markImportReady,
  pauseImport,
  pushImport,
  resumeImport,
  retryImport,
} from '@draftshelf/contract/imports';
import { withOverrides } from '@draftshelf/csv/dialect';
import { readRunDialect } from '@draftshelf/database/chunks/runs';
import type { Db, OpenDatabase } from '@draftshelf/database/connection/database';
import * as actions from '@draftshelf/database/imports/import-actions';
import { beginReread } from '@draftshelf/database/reread/begin-reread';
import { readSettings } from '@draftshelf/database/settings';
import type { ApiDatabases } from '../databases.ts';
import { conflict } from '../refusal.ts';
import { type Api, serve } from '../serve.ts';
import { findImportOr404, readJob } from './imports.ts';

type Move = (db: Db, id: string) => Promise<actions.ActionDone | actions.ActionRefused>;
type MoveRoute =
  | typeof pauseImport
  | typeof resumeImport
  | typeof markImportReady
  | typeof pushImport
  | typeof retryImport;

/** The calls that move an import: each answers at once after the transition (decision O5). */
export function serveImportActions(api: Api, { database: { db }, changes }: ApiDatabases): void {
  const serveMove = (route: MoveRoute, message: string, move: Move) =>
    serve(api, route, async ({ params }) => {
      const record = await findImportOr404(db, params.id);
      const moved = await inOneTransaction(changes.db, (trx) => move(trx, record.id));
      if (!moved.ok) throw conflict(moved.reason);
      return { success: true as const, message, job: await readJob(db, moved.import) };
    });
  const inBatches = (move: (db: Db, id: string, batchSize: number) => ReturnType<Move>): Move => {
    return async (trx, id) => move(trx, id, (await readSettings(trx)).batchSize);
  };
  serveMove(pauseImport, 'Import paused.', actions.pauseImport);
  serveMove(resumeImport, 'Import resumed.', actions.resumeImport);
  serveMove(markImportReady, 'Import is ready for Shopify.', actions.markImportReady);
  serveMove(pushImport, 'Push to Shopify started.', inBatches(actions.pushImport));
  serveMove(retryImport, 'Retrying import.', inBatches(actions.retryImport));
  serve(api, cancelImport, async ({ params, body }) => {
    const { id } = await findImportOr404(db, params.id);
    const cancelled = await changes.db
      .transaction()
      .execute((trx) => actions.cancelImport(trx, id, body?.only === 'reread'));
    if (!cancelled.ok) throw conflict(cancelled.reason);
    const message = cancelled.reread
      ? 'Re-read cancelled. The import is unchanged.'
      : 'Import cancelled.';
    return { success: true as const, message, job: await readJob(db, cancelled.import) };
  });
  serve(api, changeDialect, async ({ params, body }) => {
    const record = await findImportOr404(db, params.id);
    const dialect = await readRunDialect(db, record.id, record.rows_run);
    const moved = await inOneTransaction(changes.db, (trx) =>
      beginReread(trx, record.id, withOverrides(dialect, body)),
    );
    if (!moved.ok) throw conflict(moved.reason);
    const message = 'Re-reading the file.';
    return { success: true as const, message, job: await readJob(db, moved.import) };
  });
}

async function inOneTransaction(
  db: OpenDatabase['db'],
  move: (trx: Db) => ReturnType<Move>,
): ReturnType<Move> {
  try {
    return await db.transaction().execute(move);
  } catch (error) {
    if (error instanceof actions.RetryRaced) return { ok: false, reason: error.message };
    throw error;
  }
}
