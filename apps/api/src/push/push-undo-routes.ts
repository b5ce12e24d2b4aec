import * as contract from '@draftshelf/contract/push/push-undo';
import { readConsistently } from '@draftshelf/core/connection/database';
import { findPreview } from '@draftshelf/core/push/previews/previews';
import { findUndoLine, pageUndoLines } from '@draftshelf/core/push/previews/undo-lines';
import { beginUndoPush } from '@draftshelf/core/push/undo/begin-undo-push';
import { chooseForCode, chooseForLine } from '@draftshelf/core/push/undo/choose';
import { previewUndo } from '@draftshelf/core/push/undo/preview-undo';
import { readProductChanges } from '@draftshelf/shopify/undo/undo-live';
import type { StoreConnection } from '../access/store-connection.ts';
import { orRefusal, requireStore } from '../access/store-reads.ts';
import { type ApiDatabases, makeChange } from '../http/databases.ts';
import { notFound } from '../http/refusal.ts';
import type { SecurityLog } from '../http/security-log.ts';
import { type Api, serve } from '../http/serve.ts';
import { findImportOr404 } from '../imports/read-jobs.ts';
import { actWithStore } from './act-with-store.ts';
import { readPushUndo, toUndoneProducts } from './read-push-undo.ts';

type Deps = ApiDatabases & { store: StoreConnection; securityLog: SecurityLog };

const changesMsMax = 10_000;

export function servePushUndo(api: Api, deps: Deps): void {
  const {
    database: { db },
    store,
    securityLog,
  } = deps;
  const act = actWithStore(deps);
  serve(api, contract.previewPushUndo, async ({ params, body, reply }) => {
    reply.code(202);
    return act(params.id, 'Previewing the undo.', (trx, id) => previewUndo(trx, id, body));
  });
  serve(api, contract.getPushUndo, ({ params }) =>
    readConsistently(db, async (trx) => readPushUndo(trx, await findImportOr404(trx, params.id))),
  );
  serve(api, contract.listUndoneProducts, async ({ params, query }) => {
    const record = await findImportOr404(db, params.id);
    const undo = await findPreview(db, record.id, 'undo');
    if (!undo) return { products: [], next: null };
    const { action, code, results, after = 0 } = query;
    const filter = { action, code, results: results === 'true' };
    const lines = await pageUndoLines(db, undo, filter, { after, limit: contract.undoPageSize + 1 });
    const listed = lines.slice(0, contract.undoPageSize);
    const next = lines.length > listed.length ? (listed.at(-1)?.line ?? null) : null;
    return { products: await toUndoneProducts(db, record, undo, listed), next };
  });
  serve(api, contract.listStoreChanges, async ({ params }) => {
    const record = await findImportOr404(db, params.id);
    const undo = await findPreview(db, record.id, 'undo');
    const line = undo && (await findUndoLine(db, undo.id, params.product));
    if (!line?.store_product_id) throw notFound('The undo has no such product in the store.');
    const { client } = await requireStore(store);
    const signal = AbortSignal.timeout(changesMsMax);
    return { changes: await orRefusal(readProductChanges(client, line.store_product_id, { signal })) };
  });
  serve(api, contract.chooseUndo, async ({ params, body }) => {
    const { id } = await findImportOr404(db, params.id);
    const chosen = await makeChange(deps, (trx) =>
      'code' in body
        ? chooseForCode(trx, id, body.code, body.choice)
        : chooseForLine(trx, id, body.product, body.choice),
    );
    return { success: true as const, message: 'Chosen.', products: chosen.products };
  });
  serve(api, contract.undoPush, async ({ params, body, request, reply }) => {
    reply.code(202);
    const done = await act(params.id, 'Undoing the push.', (trx, id) => beginUndoPush(trx, id, body));
    securityLog.record(request, 'undo-begun', { importId: done.job.id });
    return done;
  });
}
