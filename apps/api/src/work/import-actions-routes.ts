import * as contract from '@draftshelf/contract/imports/imports';
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
import { type ApiDatabases, makeChange } from '../http/databases.ts';
import { conflict } from '../http/refusal.ts';
import type { SecurityLog } from '../http/security-log.ts';
import { type Api, serve } from '../http/serve.ts';
import { cancelledSentence, findImportOr404, jobReply, readJob } from '../imports/read-jobs.ts';
import { changesOfChoice } from '../reading/table-routes.ts';

type Action = (db: Db, id: string) => Promise<ActionResult>;
type ActionRoute =
  | typeof contract.pauseImport
  | typeof contract.resumeImport
  | typeof contract.markImportReady
  | typeof contract.retryImport
  | typeof contract.deleteImport
  | typeof contract.stopAutoRetry;

type Deps = ApiDatabases & { store: StoreConnection; securityLog: SecurityLog };

/** The operator's actions on an import. Each replies right after the status transition. */
export function serveImportActions(api: Api, deps: Deps): void {
  const { changes, store, securityLog } = deps;
  const { db } = deps.database;
  const recordPush = (request: FastifyRequest, importId: string) =>
    securityLog.record(request, 'push-begun', { importId });
  const act = async <T extends ActionResult>(
    importId: string,
    action: (trx: Db, id: string) => Promise<T>,
  ) => {
    const { id } = await findImportOr404(db, importId);
    return makeChange(deps, (trx) => action(trx, id));
  };
  const serveAction = (route: ActionRoute, message: string, action: Action) =>
    serve(api, route, async ({ params, request }) => {
      const { import: record } = await act(params.id, action);
      if (route === contract.deleteImport)
        securityLog.record(request, 'import-deleted', { importId: record.id });
      if (route === contract.retryImport && record.stage === 'push') recordPush(request, record.id);
      return jobReply(db, message, record);
    });
  serveAction(contract.pauseImport, 'Import paused.', actions.pauseImport);
  serveAction(contract.resumeImport, 'Import resumed.', actions.resumeImport);
  serveAction(contract.markImportReady, 'Import is ready for Shopify.', actions.markImportReady);
  serveAction(contract.deleteImport, 'Deleting the import.', deletion.deleteImport);
  serveAction(contract.retryImport, 'Retrying import.', (trx, id) => actions.retryImport(trx, id));
  serve(api, contract.pushImport, async ({ params, body, request }) => {
    const { id } = await findImportOr404(db, params.id);
    await carryNewer(changes.db, id);
    const pushed = await makeChange(deps, async (trx) => {
      const { whenInStore: choice, ...answers } = body ?? {};
      const result = await actions.pushImport(trx, id, undefined, answers);
      if (result.ok && choice) {
        await setMatchChoice(trx, { import_id: id, run: result.import.push_run }, choice);
      }
      return result;
    });
    recordPush(request, id);
    return jobReply(db, 'Push to Shopify started.', pushed.import);
  });
  serve(api, contract.cancelImport, async ({ params, body }) => {
    const onlyReread = body?.only === 'reread';
    const cancelled = await act(params.id, (trx, id) => actions.cancelImport(trx, id, { onlyReread }));
    return jobReply(db, cancelledSentence(cancelled), cancelled.import);
  });
  serve(api, contract.answerOtherCurrency, async ({ params, body }) => {
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
  serve(api, contract.answerAutoPush, async ({ params, body: { action }, request }) => {
    const { id } = await findImportOr404(db, params.id);
    if (action === 'now') await carryNewer(changes.db, id);
    const done = await makeChange(deps, (trx) => (action === 'now' ? pushNow : stopAutoPush)(trx, id));
    if (action === 'now') recordPush(request, id);
    const message = action === 'now' ? 'Push to Shopify started.' : 'Import isn’t pushed by itself.';
    return jobReply(db, message, done.import);
  });
  serveAction(contract.stopAutoRetry, 'Import isn’t retried by itself.', retries.stopAutoRetry);
  serve(api, contract.readAgain, async ({ params }) => {
    const currency = await store.currency();
    const begun = await act(params.id, (trx, id) => beginReread(trx, id, { currency }));
    return jobReply(db, 'Re-reading the file.', begun.import);
  });
  serve(api, changeDialect, async ({ params, body }) => {
    const { id } = await findImportOr404(db, params.id);
    const changed = await changesOfChoice(db, id, body);
    const currency = await store.currency();
    const begun = await makeChange(deps, (trx) => beginReread(trx, id, { ...changed, currency }));
    return jobReply(db, 'Re-reading the file.', begun.import);
  });
}
