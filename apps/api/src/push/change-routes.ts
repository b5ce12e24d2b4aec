import * as goneContract from '@draftshelf/contract/push/gone';
import * as undoContract from '@draftshelf/contract/push/push-undo';
import type { Db } from '@draftshelf/core/connection/database';
import type { ActionResult } from '@draftshelf/core/imports/action-result';
import { carryOutGonePlan, planGoneProducts } from '@draftshelf/core/push/changes/gone';
import {
  beginUndoPush,
  chooseUndoForCode,
  chooseUndoForLine,
  previewUndo,
} from '@draftshelf/core/push/changes/undo';
import { findUndoLine, readChangesPage } from '@draftshelf/core/push/previews/change-lines';
import { findPreview } from '@draftshelf/core/push/previews/previews';
import { readProductChanges } from '@draftshelf/shopify/undo/undo-live';
import type { StoreConnection } from '../access/store-connection.ts';
import { refuseStoreErrors, requireStore } from '../access/store-reads.ts';
import { runChange } from '../http/databases.ts';
import { notFound } from '../http/refusal.ts';
import type { Api } from '../http/serve.ts';
import { createJobReply } from '../imports/read-jobs.ts';
import { serveImport, serveSnapshot } from '../imports/serve-import.ts';
import { readGonePlan, readPushUndo, toGoneProducts, toUndoneProducts } from './read-changes.ts';

const changesMsMax = 10_000;

/** Serves changes that have a preview: the undo of a push, and the plan for gone products. */
export function serveChanges(api: Api, { store }: { store: StoreConnection }): void {
  const act = actWithStore(api, store);
  serveUndo(api, store, act);
  serveGone(api, act);
}

type Act = ReturnType<typeof actWithStore>;

/** If a store is connected, runs `action` in a transaction. Returns the reply with `message` and the job. */
const actWithStore =
  (api: Api, store: StoreConnection) =>
  async (message: string, action: (trx: Db) => Promise<ActionResult>) => {
    await requireStore(store);
    const done = await runChange(api, action);
    return createJobReply(api.db, message, done.import);
  };

/** Cuts lines to a page of `size`. If there are more lines than `size`, there is a next page. */
function pageOf<Line extends { line: number }>(lines: readonly Line[], size: number) {
  const listed = lines.slice(0, size);
  return { listed, next: lines.length > size ? (listed.at(-1)?.line ?? null) : null };
}

function serveUndo(api: Api, store: StoreConnection, act: Act): void {
  const { db } = api;
  serveImport(api, undoContract.previewPushUndo, async ({ record: { id }, body, reply }) => {
    reply.code(202);
    return act('Previewing the undo.', (trx) => previewUndo(trx, id, body));
  });
  serveSnapshot(api, undoContract.getPushUndo, readPushUndo);
  serveImport(
    api,
    undoContract.listUndoneProducts,
    async ({ record, query: { after = 0, results, ...filter } }) => {
      const undo = await findPreview(db, record.id, 'undo');
      if (!undo) return { products: [], next: null };
      const size = undoContract.undoPageSize;
      const of = { ...filter, results: results === 'true' };
      const lines = await readChangesPage(db, undo, of, { after, limit: size + 1 });
      const { listed, next } = pageOf(lines, size);
      return { products: await toUndoneProducts(db, record, undo, listed), next };
    },
  );
  serveImport(api, undoContract.listStoreChanges, async ({ record, params }) => {
    const undo = await findPreview(db, record.id, 'undo');
    const line = undo && (await findUndoLine(db, undo.id, params.product));
    if (!line?.store_product_id) throw notFound('This product isn’t part of the undo.');
    const { client } = await requireStore(store);
    const signal = AbortSignal.timeout(changesMsMax);
    return {
      changes: await refuseStoreErrors(readProductChanges(client, line.store_product_id, { signal })),
    };
  });
  serveImport(api, undoContract.chooseUndo, async ({ record: { id }, body }) => {
    const chosen = await runChange(api, (trx) =>
      'code' in body
        ? chooseUndoForCode(trx, id, body.code, body.choice)
        : chooseUndoForLine(trx, id, body.product, body.choice),
    );
    return { success: true as const, message: 'Chosen.', products: chosen.products };
  });
  serveImport(api, undoContract.undoPush, async ({ record: { id }, body, reply, logSecurity }) => {
    reply.code(202);
    const done = await act('Undoing the push.', (trx) => beginUndoPush(trx, id, body));
    logSecurity('undo-begun', { importId: id });
    return done;
  });
}

function serveGone(api: Api, act: Act): void {
  const { db } = api;
  serveImport(api, goneContract.planGone, ({ record: { id }, body: { action, keys = null }, reply }) => {
    reply.code(202);
    const plan = { action, keys, automatic: false };
    return act('Planning.', (trx) => planGoneProducts(trx, id, plan));
  });
  serveSnapshot(api, goneContract.getGone, readGonePlan);
  serveImport(api, goneContract.listGoneProducts, async ({ record, query }) => {
    const { after = 0, end, code, results } = query;
    const plan = await findPreview(db, record.id, 'gone');
    if (!plan) return { products: [], next: null };
    const size = goneContract.gonePageSize;
    const of = { action: end, code, results: results === 'true' };
    const lines = await readChangesPage(db, plan, of, { after, limit: size + 1 });
    const { listed, next } = pageOf(lines, size);
    return { products: await toGoneProducts(db, plan, listed, of), next };
  });
  serveImport(api, goneContract.pushGone, ({ record: { id }, body: { plan }, reply }) => {
    reply.code(202);
    const message = 'Changing products that are no longer listed.';
    return act(message, (trx) => carryOutGonePlan(trx, id, plan));
  });
}
