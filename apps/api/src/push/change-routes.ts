import * as goneContract from '@draftshelf/contract/push/gone';
import * as undoContract from '@draftshelf/contract/push/push-undo';
import { type Db, readConsistently } from '@draftshelf/core/connection/database';
import type { ActionResult } from '@draftshelf/core/imports/action-result';
import { planGone, pushGone } from '@draftshelf/core/push/changes/gone';
import { beginUndoPush, chooseForCode, chooseForLine, previewUndo } from '@draftshelf/core/push/changes/undo';
import { findUndoLine, pageChanges } from '@draftshelf/core/push/previews/change-lines';
import { findPreview } from '@draftshelf/core/push/previews/previews';
import { readProductChanges } from '@draftshelf/shopify/undo/undo-live';
import type { StoreConnection } from '../access/store-connection.ts';
import { orRefusal, requireStore } from '../access/store-reads.ts';
import { type ApiDatabases, makeChange } from '../http/databases.ts';
import { notFound } from '../http/refusal.ts';
import type { SecurityLog } from '../http/security-log.ts';
import { type Api, serve } from '../http/serve.ts';
import { findImportOr404, jobReply } from '../imports/read-jobs.ts';
import { readGone, readPushUndo, toGoneProducts, toUndoneProducts } from './read-changes.ts';

type Deps = ApiDatabases & { store: StoreConnection; securityLog: SecurityLog };

const changesMsMax = 10_000;

/** Serves previewed changes: the undo of a push, and the end of products that are gone. */
export function serveChanges(api: Api, deps: Deps): void {
  const act = actWithStore(deps);
  serveUndo(api, deps, act);
  serveGone(api, deps, act);
}

type Act = ReturnType<typeof actWithStore>;

/** Runs `action` in a transaction for an import that needs a store, and replies with `message` and the job. */
const actWithStore =
  ({ database: { db }, changes, store }: Deps) =>
  async (id: string, message: string, action: (trx: Db, id: string) => Promise<ActionResult>) => {
    const record = await findImportOr404(db, id);
    await requireStore(store);
    const done = await makeChange({ changes }, (trx) => action(trx, record.id));
    return jobReply(db, message, done.import);
  };

/** Makes a page of `size` lines; one more line means that there is a next page. */
function pageOf<Line extends { line: number }>(lines: readonly Line[], size: number) {
  const listed = lines.slice(0, size);
  return { listed, next: lines.length > size ? (listed.at(-1)?.line ?? null) : null };
}

function serveUndo(api: Api, deps: Deps, act: Act): void {
  const { database, store, securityLog } = deps;
  const { db } = database;
  serve(api, undoContract.previewPushUndo, async ({ params, body, reply }) => {
    reply.code(202);
    return act(params.id, 'Previewing the undo.', (trx, id) => previewUndo(trx, id, body));
  });
  serve(api, undoContract.getPushUndo, ({ params }) =>
    readConsistently(db, async (trx) => readPushUndo(trx, await findImportOr404(trx, params.id))),
  );
  serve(
    api,
    undoContract.listUndoneProducts,
    async ({ params, query: { after = 0, results, ...filter } }) => {
      const record = await findImportOr404(db, params.id);
      const undo = await findPreview(db, record.id, 'undo');
      if (!undo) return { products: [], next: null };
      const size = undoContract.undoPageSize;
      const of = { ...filter, results: results === 'true' };
      const lines = await pageChanges(db, undo, of, { after, limit: size + 1 });
      const { listed, next } = pageOf(lines, size);
      return { products: await toUndoneProducts(db, record, undo, listed), next };
    },
  );
  serve(api, undoContract.listStoreChanges, async ({ params }) => {
    const record = await findImportOr404(db, params.id);
    const undo = await findPreview(db, record.id, 'undo');
    const line = undo && (await findUndoLine(db, undo.id, params.product));
    if (!line?.store_product_id) throw notFound('The undo has no such product in the store.');
    const { client } = await requireStore(store);
    const signal = AbortSignal.timeout(changesMsMax);
    return { changes: await orRefusal(readProductChanges(client, line.store_product_id, { signal })) };
  });
  serve(api, undoContract.chooseUndo, async ({ params, body }) => {
    const { id } = await findImportOr404(db, params.id);
    const chosen = await makeChange(deps, (trx) =>
      'code' in body
        ? chooseForCode(trx, id, body.code, body.choice)
        : chooseForLine(trx, id, body.product, body.choice),
    );
    return { success: true as const, message: 'Chosen.', products: chosen.products };
  });
  serve(api, undoContract.undoPush, async ({ params, body, request, reply }) => {
    reply.code(202);
    const done = await act(params.id, 'Undoing the push.', (trx, id) => beginUndoPush(trx, id, body));
    securityLog.record(request, 'undo-begun', { importId: done.job.id });
    return done;
  });
}

function serveGone(api: Api, { database: { db } }: Deps, act: Act): void {
  serve(api, goneContract.planGone, ({ params, body: { action, keys = null }, reply }) => {
    reply.code(202);
    const plan = { action, keys, automatic: false };
    return act(params.id, 'Planning.', (trx, id) => planGone(trx, id, plan));
  });
  serve(api, goneContract.getGone, ({ params }) =>
    readConsistently(db, async (trx) => readGone(trx, await findImportOr404(trx, params.id))),
  );
  serve(api, goneContract.listGoneProducts, async ({ params, query: { after = 0, end, code, results } }) => {
    const record = await findImportOr404(db, params.id);
    const plan = await findPreview(db, record.id, 'gone');
    if (!plan) return { products: [], next: null };
    const size = goneContract.gonePageSize;
    const of = { action: end, code, results: results === 'true' };
    const lines = await pageChanges(db, plan, of, { after, limit: size + 1 });
    const { listed, next } = pageOf(lines, size);
    return { products: await toGoneProducts(db, plan, listed, of), next };
  });
  serve(api, goneContract.pushGone, ({ params, body: { plan }, reply }) => {
    reply.code(202);
    const message = 'Changing products that are no longer listed.';
    return act(params.id, message, (trx, id) => pushGone(trx, id, plan));
  });
}
