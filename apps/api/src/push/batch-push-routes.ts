import { listCompleted, pushBatch } from '@draftshelf/contract/push/batch-push';
import { isBusyError, type OpenDatabase } from '@draftshelf/core/connection/database';
import { findImport, listProcessedImports } from '@draftshelf/core/imports/imports';
import { findRecipeQuestions } from '@draftshelf/core/push/list-facts';
import { countColumnQuestions, readPriceQuestions } from '@draftshelf/core/review/price-question';
import { carryNewerValues } from '@draftshelf/core/suppliers/carry-newer';
import { pushImport } from '@draftshelf/core/work/import-actions';
import { importNotFound } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { createWireMapper } from '../http/wire-fields.ts';

const completedFields = createWireMapper(listCompleted.reply.element);

export function serveBatchPush(api: Api): void {
  const { db, changes } = api;
  serve(api, listCompleted, async () => {
    const records = await listProcessedImports(db);
    const questions = await readPriceQuestions(db, records);
    const columns = await countColumnQuestions(db, records);
    const asking = await findRecipeQuestions(db, records);
    return records.map((record) => ({
      ...completedFields(record),
      otherCurrency: questions.get(record.id) ?? null,
      columnQuestions: columns.get(record.id) ?? 0,
      asksRecipes: asking.has(record.id),
    }));
  });
  serve(api, pushBatch, async ({ body: { jobIds }, logSecurity }) => {
    const results = [];
    for (const jobId of jobIds) {
      const result = await pushOne(changes, jobId);
      if (result.success) logSecurity('push-begun', { importId: jobId });
      results.push({ jobId, ...result });
    }
    return { results };
  });
}

/** Pushes one import of a batch. A failure is returned, so that the batch continues. */
async function pushOne(changes: OpenDatabase, jobId: string): Promise<{ success: boolean; message: string }> {
  try {
    const record = await findImport(changes.db, jobId);
    if (!record) return { success: false, message: importNotFound().message };
    await carryNewerValues(changes.db, record.id);
    const result = await changes.db.transaction().execute((trx) => pushImport(trx, record.id));
    if (result.ok) return { success: true, message: 'Push to Shopify started.' };
    return { success: false, message: result.reason };
  } catch (error) {
    if (!isBusyError(error)) throw error;
    return { success: false, message: 'Another operation is in progress. Try again in a moment.' };
  }
}
