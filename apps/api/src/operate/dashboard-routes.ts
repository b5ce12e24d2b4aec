import * as contract from '@draftshelf/contract/operate/dashboard';
import * as stored from '@draftshelf/core/operate/dashboard';
import { findRecipeQuestions } from '@draftshelf/core/push/list-facts';
import { findQuestionedImports } from '@draftshelf/core/review/price-question';
import { countPricesToDecide } from '@draftshelf/core/suppliers/supplier-proposals';
import { type Api, forgetOnChange, serve } from '../http/serve.ts';
import { createSharedReply } from '../http/shared-reply.ts';
import { createWireMapper } from '../http/wire-fields.ts';
import { addPace, type PaceReader } from '../imports/paces.ts';
import { isSameExceptProgress } from '../imports/queue-list.ts';
import { toJob } from '../imports/to-job.ts';

const activityFields = createWireMapper(contract.ActivityItem);
const currentFields = createWireMapper(contract.CurrentJob);
const hourFields = createWireMapper(contract.PushedHour);

export function serveDashboard(api: Api, { paces }: { paces: PaceReader }): void {
  const { db, changes } = api;
  const stats = createSharedReply(() => stored.readDashboardStats(db));
  const activity = createSharedReply(async () =>
    (await stored.readActivity(db)).map((entry) => ({ ...activityFields(entry), id: String(entry.id) })),
  );
  const current = createSharedReply(async () => {
    const records = await stored.listCurrentImports(db);
    const known = await paces.read();
    const asking = (await findQuestionedImports(db, records)).union(await findRecipeQuestions(db, records));
    const toDecide = await countPricesToDecide(db, records);
    return records.map((record) => {
      const { id } = record;
      const job = toJob(record, {});
      const status = job.status === 'failed' ? 'error' : job.status;
      const questions = { isAsking: asking.has(id), pricesToDecide: toDecide.get(id) ?? 0 };
      return addPace(currentFields({ ...job, ...questions, status }), known);
    });
  }, isSameExceptProgress);
  const pushed = createSharedReply(async () => (await stored.readHourlyOutcomes(db)).map(hourFields));
  const undone = createSharedReply(async () => ({ products: await stored.countUndoneProducts(db) }));
  const firstSteps = createSharedReply(() => stored.readFirstSteps(db));
  forgetOnChange(api, () => {
    for (const reply of [stats, activity, current, pushed, undone, firstSteps]) reply.forget();
  });
  serve(api, contract.getDashboardStats, stats.body, { etag: stats.version });
  serve(api, contract.getDashboardActivity, activity.body, { etag: activity.version });
  serve(api, contract.getDashboardCurrent, current.body, { etag: current.version });
  serve(api, contract.getPushedHours, pushed.body, { etag: pushed.version });
  serve(api, contract.getUndoneProducts, undone.body, { etag: undone.version });
  serve(api, contract.getFirstSteps, firstSteps.body, { etag: firstSteps.version });
  serve(api, contract.resetDashboard, async () => {
    await changes.db.transaction().execute(stored.resetDashboard);
    return { success: true as const, message: 'Dashboard data has been cleared successfully' };
  });
}
