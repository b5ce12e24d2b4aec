import * as contract from '@draftshelf/contract/push/plan';
import { type Db, isBusyError, readInSnapshot } from '@draftshelf/core/connection/database';
import type { ImportRecord, PlanLineRecord, PlanRecord } from '@draftshelf/core/connection/schema';
import { estimatePlan, isCheapPlan } from '@draftshelf/core/push/plan/estimate-plan';
import * as plans from '@draftshelf/core/push/plan/plan';
import { findPlanLine, readPlanByChange, readPlanByProduct } from '@draftshelf/core/push/previews/plan-lines';
import { findPreview } from '@draftshelf/core/push/previews/previews';
import { readProductRows } from '@draftshelf/core/review/effective-rows';
import { applyCurrentProducts } from '@draftshelf/core/scanner/store-values';
import { currentRows } from '@draftshelf/core/work/runs';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { choiceLabel } from '@draftshelf/domain/push/push-choices';
import { buildProducts } from '@draftshelf/publishing/build-product';
import { readPlannedSettings, replanProduct } from '@draftshelf/publishing/plan-product';
import { findPlannedDifferences, type PlannedDifferences } from '@draftshelf/publishing/planned-differences';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import type { StoreConnection } from '../access/store-connection.ts';
import { requireStore } from '../access/store-reads.ts';
import { conflict, notFound, requireOk } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { createJobReply, findImportOr404 } from '../imports/read-jobs.ts';
import { serveCsv } from '../imports/serve-csv.ts';
import { serveImport } from '../imports/serve-import.ts';
import { isFileReread, isPlanOutdated, readPlan, toPlannedProducts } from './read-plan.ts';

type Deps = { store: StoreConnection; imageHosts: readonly string[] };

export function servePlan(api: Api, { store, imageHosts }: Deps): void {
  const { db, changes } = api;
  serveImport(api, contract.beginPlan, async ({ record, query, reply }) => {
    const { id } = record;
    if (query.unasked !== undefined && !(await isWantedUnasked(db, record, store)))
      return createJobReply(db, 'Not planned.', record);
    await requireStore(store);
    const begun = await changes.db
      .transaction()
      .execute((trx) => plans.beginPlan(trx, id))
      .catch((error: unknown) => {
        // A plan that no operator requested may fail: the next change requests another plan.
        if (query.unasked !== undefined && isBusyError(error)) return null;
        throw error;
      });
    if (begun === null || (!begun.ok && query.unasked !== undefined)) {
      return createJobReply(db, 'Not planned.', record);
    }
    const { import: planned } = requireOk(begun);
    reply.code(202);
    return createJobReply(db, 'Planning the push.', planned);
  });
  serve(api, contract.getPlan, async ({ params }) => {
    const storeUrl = (await store.current())?.url ?? null;
    return readInSnapshot(db, async (trx) => readPlan(trx, await findImportOr404(trx, params.id), storeUrl));
  });
  serveImport(api, contract.listPlannedProducts, async ({ record, query }) => {
    const { action: outcome, code, about, open, otherwise, after = 0, from } = query;
    const filter = { outcome, code, about, open: open === 'true', otherwise };
    return readInSnapshot(db, async (trx) => {
      const plan = await findPreview(trx, record.id, 'push');
      if (!plan) return { products: [], next: null };
      const limit = contract.planPageSize + 1;
      const lines =
        from === undefined
          ? await readPlanByChange(trx, plan, filter, { after, limit })
          : await readPlanByProduct(trx, plan.id, { after: from - 1, limit });
      const listed = lines.slice(0, contract.planPageSize);
      const next = lines.length > listed.length ? (listed.at(-1)?.line ?? null) : null;
      return { products: await toPlannedProducts(trx, record, plan, listed), next };
    });
  });
  serveImport(api, contract.getPlannedProduct, async ({ record, params }) => {
    const plan = await findPreview(db, record.id, 'push');
    const line = plan && (await findPlanLine(db, plan.id, params.product));
    const [shown] = line ? await toPlannedProducts(db, record, plan, [line]) : [];
    if (!line || !shown) throw notFound('The plan has no such product.');
    return { ...shown, ...(await readDifferences(db, { record, plan, line, imageHosts })) };
  });
  serveImport(api, contract.makeChoices, async ({ record, body }) => {
    const { choice, about, product } = body;
    const { decided, more } = requireOk(
      await plans.savePlanChoice(changes.db, record, { about, choice, product }),
    );
    return { decided, more };
  });
  serveCsv(api, contract.getPlanCsv, 'plan', async ({ record }) => {
    const plan = await findPreview(db, record.id, 'push');
    if (!plan) throw conflict('The push of this import has not been planned.');
    if (isFileReread(plan, record)) throw conflict(readAgain);
    return readPlanCsv(db, record, plan);
  });
}

/** Returns whether to plan without a request: in review, if planning is cheap and no plan is up to date. */
async function isWantedUnasked(db: Db, record: ImportRecord, store: StoreConnection): Promise<boolean> {
  const url = (await store.current())?.url;
  if (url === undefined || !canDo('review', record.status)) return false;
  const plan = await findPreview(db, record.id, 'push');
  if (plan && !(await isPlanOutdated(db, plan, record))) return false;
  return isCheapPlan(await estimatePlan(db, record, url));
}

const readAgain =
  'The file was read again after the push was planned. Plan the push again, then download the plan.';

type Line = PlanLineRecord & { live: object | null };

/** Returns how a product's current rows differ from the store's product as the plan read it. */
async function readDifferences(
  db: Db,
  {
    record,
    plan,
    line,
    imageHosts,
  }: { record: ImportRecord; plan: PlanRecord; line: Line } & Pick<Deps, 'imageHosts'>,
): Promise<PlannedDifferences> {
  const images = { store: [], push: [] };
  const none: PlannedDifferences = { sent: false, differences: [], asked: [], images };
  if (plan.shop === null || isFileReread(plan, record) || line.code === 'duplicate') return none;
  const of = currentRows(record);
  const stored = await readProductRows(db, of, { firstProduct: line.line, products: 1 });
  const { rows } = await applyCurrentProducts(db, of, stored);
  const { currency = '', ...facts } = plan.store ?? { locationId: null, collections: [] };
  const options = { draftMode: plan.made_from.draftMode, currency, imageHosts };
  const [built] = await buildProducts(db, record, [[line.line, rows]], options);
  if (!built) return none;
  const read = {
    ...{ shop: plan.shop, importId: record.id, store: facts },
    settings: await readPlannedSettings(db, record, plan),
    storeProductId: line.store_product_id,
    live: line.live as LiveProduct | null,
    isDeleted: line.about === 'deleted-in-store' || line.code === 'deleted-in-store',
    isUnread: line.about === 'in-store' && line.action === 'skipped',
  };
  return findPlannedDifferences(await replanProduct(db, read, built), facts.collections);
}

const linesAtATime = 200;

const actions: Record<string, string> = {
  created: 'Create it',
  updated: 'Update it',
  unchanged: 'Leave it as it is',
  skipped: 'Skip it',
};

/** Returns a text such as 'Needed' or 'Chosen: Use Ours'. '' if there is nothing to decide. */
function decisionWords({ about, choice }: contract.PlannedProduct): string {
  if (about === null) return '';
  return choice === null ? 'Needed' : `Chosen: ${choiceLabel(about, choice)}`;
}

const columns: [string, (one: contract.PlannedProduct) => string][] = [
  ['Product', ({ product }) => String(product)],
  ['Title', ({ title }) => title ?? ''],
  ['Push will', ({ outcome }) => actions[outcome] ?? outcome],
  ['Reason', ({ message }) => message ?? ''],
  ['Changes', ({ parts }) => parts.join(', ')],
  ['Decision', decisionWords],
  ['Edited since', ({ edited }) => (edited ? 'yes' : '')],
  ['Push did otherwise', ({ otherwise }) => otherwise ?? ''],
  ['In the store', ({ storeUrl }) => storeUrl ?? ''],
];

async function* readPlanCsv(db: Db, record: ImportRecord, plan: PlanRecord): AsyncGenerator<string[]> {
  yield columns.map(([name]) => name);
  for (let after = 0; ; ) {
    const lines = await readPlanByProduct(db, plan.id, { after, limit: linesAtATime });
    for (const one of await toPlannedProducts(db, record, plan, lines)) {
      yield columns.map(([, textOf]) => textOf(one));
    }
    const last = lines.at(-1);
    if (!last || lines.length < linesAtATime) return;
    after = last.line;
  }
}
