import {
  answerAutoPush,
  answerOtherCurrency,
  cancelImport,
  deleteImport,
  markImportReady,
  pauseImport,
  pushImport,
  readAgain,
  resumeImport,
  retryImport,
  stopAutoRetry,
} from '@draftshelf/contract/imports/imports';
import { changeDialect } from '@draftshelf/contract/reading/dialect';
import type { Db } from '@draftshelf/core/connection/database';
import { pushNow, stopAutoPush } from '@draftshelf/core/folders/auto-push';
import type { ActionResult } from '@draftshelf/core/imports/action-result';
import { setMatchChoice } from '@draftshelf/core/push/push-run';
import { agreeForSupplier } from '@draftshelf/core/push/pushed-before';
import { beginReread } from '@draftshelf/core/reading/begin-reread';
import { answerPriceQuestion, readPriceQuestions } from '@draftshelf/core/review/price-question';
import { carryNewer } from '@draftshelf/core/suppliers/carry-newer';
import * as retries from '@draftshelf/core/work/auto-retries';
import * as deletion from '@draftshelf/core/work/delete-import';
import * as actions from '@draftshelf/core/work/import-actions';
import { otherCurrencyWords } from '@draftshelf/domain/push/before-push';
import type { FastifyRequest } from 'fastify';
import type { StoreConnection } from '../access/store-connection.ts';
import type { ApiDatabases } from '../http/databases.ts';
import { conflict } from '../http/refusal.ts';
import type { SecurityLog } from '../http/security-log.ts';
import { type Api, serve } from '../http/serve.ts';
import { findImportOr404, readJob } from '../imports/read-jobs.ts';
import { changesOfChoice } from '../reading/table-routes.ts';

type Action = (db: Db, id: string) => Promise<ActionResult>;
type ActionRoute =
  | typeof pauseImport
  | typeof resumeImport
  | typeof markImportReady
  | typeof retryImport
  | typeof deleteImport
  | typeof stopAutoRetry;

type Deps = ApiDatabases & { store: StoreConnection; securityLog: SecurityLog };

/** The operator's actions on an import. Each replies right after the status transition. */
export function serveImportActions(api: Api, { database: { db }, changes, store, securityLog }: Deps): void {
  const recordPush = (request: FastifyRequest, importId: string) =>
    securityLog.record(request, 'push-begun', { importId });
  const serveAction = (route: ActionRoute, message: string, action: Action) =>
    serve(api, route, async ({ params, request }) => {
      const record = await findImportOr404(db, params.id);
      const result = await changes.db.transaction().execute((trx) => action(trx, record.id));
      if (!result.ok) throw conflict(result.reason);
      if (route === deleteImport) securityLog.record(request, 'import-deleted', { importId: record.id });
      if (route === retryImport && result.import.stage === 'push') recordPush(request, record.id);
      return { success: true as const, message, job: await readJob(db, result.import) };
    });
  serveAction(pauseImport, 'Import paused.', actions.pauseImport);
  serveAction(resumeImport, 'Import resumed.', actions.resumeImport);
  serveAction(markImportReady, 'Import is ready for Shopify.', actions.markImportReady);
  serveAction(deleteImport, 'Deleting the import.', deletion.deleteImport);
  serveAction(retryImport, 'Retrying import.', (trx, id) => actions.retryImport(trx, id));
  serve(api, pushImport, async ({ params, body, request }) => {
    const { id } = await findImportOr404(db, params.id);
    await carryNewer(changes.db, id);
    const pushed = await changes.db.transaction().execute(async (trx) => {
      const { whenInStore: choice, ...answers } = body ?? {};
      const result = await actions.pushImport(trx, id, undefined, answers);
      if (result.ok && choice) {
        await setMatchChoice(trx, { import_id: id, run: result.import.push_run }, choice);
      }
      return result;
    });
    if (!pushed.ok) throw conflict(pushed.reason);
    recordPush(request, id);
    const message = 'Push to Shopify started.';
    return { success: true as const, message, job: await readJob(db, pushed.import) };
  });
  serve(api, cancelImport, async ({ params, body }) => {
    const { id } = await findImportOr404(db, params.id);
    const cancelled = await changes.db
      .transaction()
      .execute((trx) => actions.cancelImport(trx, id, { onlyReread: body?.only === 'reread' }));
    if (!cancelled.ok) throw conflict(cancelled.reason);
    const message = cancelled.reread
      ? 'Re-read cancelled. The previous rows and your edits are kept.'
      : 'Import cancelled.';
    return { success: true as const, message, job: await readJob(db, cancelled.import) };
  });
  serve(api, answerOtherCurrency, async ({ params, body }) => {
    const { id } = await findImportOr404(db, params.id);
    const job = await changes.db.transaction().execute(async (trx) => {
      const record = await findImportOr404(trx, id);
      const question = (await readPriceQuestions(trx, [record])).get(id);
      if (!question) throw conflict('All prices of this import are in the store’s currency.');
      if (body.answer === 'hold' && question.rows !== null) {
        throw conflict(`${otherCurrencyWords(question)} Send or leave out these, not the whole import.`);
      }
      await answerPriceQuestion(trx, record, body.answer);
      if (body.answer === 'send') await agreeForSupplier(trx, record);
      return readJob(trx, await findImportOr404(trx, id));
    });
    const message = body.answer === 'send' ? 'Prices are sent as they are.' : 'Import held back.';
    return { success: true as const, message, job };
  });
  serve(api, answerAutoPush, async ({ params, body: { action }, request }) => {
    const { id } = await findImportOr404(db, params.id);
    if (action === 'now') await carryNewer(changes.db, id);
    const done = await changes.db
      .transaction()
      .execute((trx) => (action === 'now' ? pushNow(trx, id) : stopAutoPush(trx, id)));
    if (!done.ok) throw conflict(done.reason);
    if (action === 'now') recordPush(request, id);
    const message = action === 'now' ? 'Push to Shopify started.' : 'Import isn’t pushed by itself.';
    return { success: true as const, message, job: await readJob(db, done.import) };
  });
  serveAction(stopAutoRetry, 'Import isn’t retried by itself.', retries.stopAutoRetry);
  serve(api, readAgain, async ({ params }) => {
    const record = await findImportOr404(db, params.id);
    const currency = await store.currency();
    const result = await changes.db.transaction().execute((trx) => beginReread(trx, record.id, { currency }));
    if (!result.ok) throw conflict(result.reason);
    return { success: true as const, message: 'Re-reading the file.', job: await readJob(db, result.import) };
  });
  serve(api, changeDialect, async ({ params, body }) => {
    const record = await findImportOr404(db, params.id);
    const changed = await changesOfChoice(db, record.id, body);
    const currency = await store.currency();
    const result = await changes.db
      .transaction()
      .execute((trx) => beginReread(trx, record.id, { ...changed, currency }));
    if (!result.ok) throw conflict(result.reason);
    const message = 'Re-reading the file.';
    return { success: true as const, message, job: await readJob(db, result.import) };
  });
}
