import * as contract from '@draftshelf/contract/imports/imports';
import { changeDialect } from '@draftshelf/contract/reading/dialect';
import type { Route } from '@draftshelf/contract/route';
import type { Db } from '@draftshelf/core/connection/database';
import { beginPlannedPush, stopAutoPush } from '@draftshelf/core/folders/auto-push';
import type { ActionResult } from '@draftshelf/core/imports/action-result';
import { setMatchChoice } from '@draftshelf/core/push/push-run';
import { saveAgreedCurrencies } from '@draftshelf/core/push/pushed-before';
import { beginReread } from '@draftshelf/core/reading/begin-reread';
import { answerPriceQuestion, readPriceQuestions } from '@draftshelf/core/review/price-question';
import { carryNewerValues } from '@draftshelf/core/suppliers/carry-newer';
import * as retries from '@draftshelf/core/work/auto-retries';
import * as deletion from '@draftshelf/core/work/delete-import';
import * as actions from '@draftshelf/core/work/import-actions';
import { otherCurrencySentence } from '@draftshelf/domain/push/before-push';
import type { StoreConnection } from '../access/store-connection.ts';
import { runChange } from '../http/databases.ts';
import { conflict } from '../http/refusal.ts';
import type { Api } from '../http/serve.ts';
import { cancelledSentence, createJobReply, findImportOr404, readJob } from '../imports/read-jobs.ts';
import { serveImport } from '../imports/serve-import.ts';
import { findRereadChanges } from '../reading/table-routes.ts';

type Action = (db: Db, id: string) => Promise<ActionResult>;
type ActionRoute = Route & { reply: typeof contract.ChangedJobReply };

/** Serves the operator's actions on an import. Each replies right after the change of status. */
export function serveImportActions(api: Api, { store }: { store: StoreConnection }): void {
  const { db, changes } = api;
  const serveAction = (route: ActionRoute, message: string, action: Action) =>
    serveImport(api, route, async ({ record: { id: importId }, logSecurity }) => {
      const { import: record } = await runChange(api, (trx) => action(trx, importId));
      if (route === contract.deleteImport) logSecurity('import-deleted', { importId });
      if (route === contract.retryImport && record.stage === 'push') logSecurity('push-begun', { importId });
      return createJobReply(db, message, record);
    });
  serveAction(contract.pauseImport, 'Import paused.', actions.pauseImport);
  serveAction(contract.resumeImport, 'Import resumed.', actions.resumeImport);
  serveAction(contract.markImportReady, 'Import is ready for Shopify.', actions.markImportReady);
  serveAction(contract.deleteImport, 'Deleting the import.', deletion.deleteImport);
  serveAction(contract.retryImport, 'Retrying import.', (trx, id) => actions.retryImport(trx, id));
  serveImport(api, contract.pushImport, async ({ record: { id }, body, logSecurity }) => {
    await carryNewerValues(changes.db, id);
    const pushed = await runChange(api, async (trx) => {
      const { whenInStore: choice, ...answers } = body ?? {};
      const result = await actions.pushImport(trx, id, undefined, answers);
      if (result.ok && choice) {
        await setMatchChoice(trx, { import_id: id, run: result.import.push_run }, choice);
      }
      return result;
    });
    logSecurity('push-begun', { importId: id });
    return createJobReply(db, 'Push to Shopify started.', pushed.import);
  });
  serveImport(api, contract.cancelImport, async ({ record: { id }, body }) => {
    const onlyReread = body?.only === 'reread';
    const cancelled = await runChange(api, (trx) => actions.cancelImport(trx, id, { onlyReread }));
    return createJobReply(db, cancelledSentence(cancelled), cancelled.import);
  });
  serveImport(api, contract.answerOtherCurrency, async ({ record: { id }, body }) => {
    const job = await changes.db.transaction().execute(async (trx) => {
      const record = await findImportOr404(trx, id);
      const question = (await readPriceQuestions(trx, [record])).get(id);
      if (!question) throw conflict('All prices of this import are in the store’s currency.');
      if (body.answer === 'hold' && question.rows !== null) {
        throw conflict(
          `${otherCurrencySentence(question)} Send or leave out these rows, not the whole import.`,
        );
      }
      await answerPriceQuestion(trx, record, body.answer);
      if (body.answer === 'send') await saveAgreedCurrencies(trx, record);
      return readJob(trx, await findImportOr404(trx, id));
    });
    const message = body.answer === 'send' ? 'Prices are sent as they are.' : 'Import held back.';
    return { success: true as const, message, job };
  });
  serveImport(api, contract.answerAutoPush, async ({ record: { id }, body: { action }, logSecurity }) => {
    if (action === 'now') await carryNewerValues(changes.db, id);
    const done = await runChange(api, (trx) => (action === 'now' ? beginPlannedPush : stopAutoPush)(trx, id));
    if (action === 'now') logSecurity('push-begun', { importId: id });
    const message = action === 'now' ? 'Push to Shopify started.' : 'Import won’t be pushed automatically.';
    return createJobReply(db, message, done.import);
  });
  serveAction(contract.stopAutoRetry, 'Import won’t be retried automatically.', retries.stopAutoRetry);
  serveImport(api, contract.readAgain, async ({ record: { id } }) => {
    const currency = await store.currency();
    const begun = await runChange(api, (trx) => beginReread(trx, id, { currency }));
    return createJobReply(db, 'Re-reading the file.', begun.import);
  });
  serveImport(api, changeDialect, async ({ record: { id }, body }) => {
    const changed = await findRereadChanges(db, id, body);
    const currency = await store.currency();
    const begun = await runChange(api, (trx) => beginReread(trx, id, { ...changed, currency }));
    return createJobReply(db, 'Re-reading the file.', begun.import);
  });
}
