import * as contract from '@draftshelf/contract/push/gone';
import { type Db, readConsistently } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import * as gone from '@draftshelf/core/push/gone/plan-gone';
import { pageGoneLines } from '@draftshelf/core/push/previews/gone-lines';
import { findPreview } from '@draftshelf/core/push/previews/previews';
import { readShopUrl } from '@draftshelf/core/push/store/shops';
import { listTasks } from '@draftshelf/core/work/tasks';
import { goneSumsOf, onSaleKey } from '@draftshelf/domain/suppliers/gone';
import { productUrlIn, type StoreConnection } from '../access/store-connection.ts';
import type { ApiDatabases } from '../http/databases.ts';
import { type Api, serve } from '../http/serve.ts';
import { findImportOr404 } from '../imports/read-jobs.ts';
import { actWithStore } from './act-with-store.ts';
import { previewState } from './preview-state.ts';
import { stateOfRun } from './read-push-undo.ts';

export function serveGone(api: Api, deps: ApiDatabases & { store: StoreConnection }): void {
  const { db } = deps.database;
  const act = actWithStore(deps);
  serve(api, contract.planGone, ({ params, body: { action, keys = null }, reply }) => {
    reply.code(202);
    const plan = { action, keys, automatic: false };
    return act(params.id, 'Planning.', (trx, id) => gone.planGone(trx, id, plan));
  });
  serve(api, contract.getGone, ({ params }) =>
    readConsistently(db, async (trx) => readGone(trx, await findImportOr404(trx, params.id))),
  );
  serve(api, contract.listGoneProducts, async ({ params, query: { after = 0, results, ...filter } }) => {
    const record = await findImportOr404(db, params.id);
    const plan = await findPreview(db, record.id, 'gone');
    if (!plan) return { products: [], next: null };
    const of = { ...filter, results: results === 'true' };
    const lines = await pageGoneLines(db, plan.id, of, { after, limit: contract.gonePageSize + 1 });
    const listed = lines.slice(0, contract.gonePageSize);
    const url = plan.shop === null ? null : await readShopUrl(db, plan.shop);
    const products = listed.map(({ line, title, items, ...one }) => ({
      ...{ line, title, key: items.keys[0] ?? '', isWhole: items.isWhole },
      end: of.results ? one.result : one.action,
      message: of.results ? one.result_message : one.message,
      storeUrl: productUrlIn(url ?? undefined, one.store_product_id),
    }));
    return { products, next: lines.length > listed.length ? (listed.at(-1)?.line ?? null) : null };
  });
  serve(api, contract.pushGone, ({ params, body: { plan }, reply }) => {
    reply.code(202);
    return act(params.id, 'Changing products that are no longer listed.', (trx, id) =>
      gone.pushGone(trx, id, plan),
    );
  });
}

async function readGone(db: Db, record: ImportRecord): Promise<contract.Gone> {
  const plan = await findPreview(db, record.id, 'gone');
  if (!plan || (plan.run ?? plan.made_at_run) > record.push_run) {
    const none = { plan: null, state: 'none', action: null, message: null, run: null } as const;
    return { ...none, done: 0, total: 0, sums: [], onSale: 0, results: [] };
  }
  const total = plan.total ?? 0;
  const [sums, results] = [goneSumsOf(plan.sums), goneSumsOf(plan.results)];
  const task = (await listTasks(db, record.id)).findLast((one) => one.task === 'plan-gone');
  const done = results.reduce((all, { products }) => all + products, 0);
  return {
    ...(plan.run === null
      ? previewState(plan, task, { running: 'previewing', total, planned: 0 })
      : stateOfRun(plan, record, { done, total })),
    ...{ plan: plan.id, action: plan.gone.action, sums, results },
    onSale: plan.sums[onSaleKey] ?? 0,
    run: plan.ended_at === null ? null : plan.run,
  };
}
