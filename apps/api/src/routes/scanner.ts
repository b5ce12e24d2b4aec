import { hash, randomUUID } from 'node:crypto';
import { nextBeforeHeader, totalCountHeader } from '@draftshelf/contract/imports';
import * as contract from '@draftshelf/contract/scanner';
import type { Db } from '@draftshelf/database/connection/database';
import {
  changeScannedProduct,
  createScannedProduct,
  deleteScannedProduct,
  type ScannedChange,
} from '@draftshelf/database/scanner/scanned-products';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { openPhoto } from '@draftshelf/object-storage/photos';
import { storeSessions } from '@draftshelf/publishing/store-session';
import type { FastifyRequest } from 'fastify';
import type { ApiDatabases } from '../databases.ts';
import {
  addToSelected,
  type LibraryPage,
  savedOrRefusal,
  scannedLibrary,
  scannedNotFound,
} from '../scanned-library.ts';
import { keepPhotos } from '../scanned-photos.ts';
import type { SecurityLog } from '../security-log.ts';
import { type Api, type Call, serve } from '../serve.ts';
import type { StoreConnection } from '../store-connection.ts';
import { orRefusal, requireStore } from '../store-reads.ts';
import { syncScanned } from '../sync-scanned.ts';
import { createTurns } from '../turns.ts';

type Deps = ApiDatabases & {
  storage: ObjectStorage;
  store: StoreConnection;
  securityLog: SecurityLog;
  imageHosts: readonly string[];
};

const sessionMsMax = 20_000;
/** A sync reads photos while it sends them. */
const syncsMax = 2;
const syncWaitMsMax = 10_000;

/** The library of the Product Scanner, and bringing its products into the store. */
export function serveScanner(api: Api, deps: Deps): void {
  serveLibrary(api, deps);
  serveChanges(api, deps);
  serveSync(api, deps);
}

function serveLibrary(api: Api, { database, store }: Deps): void {
  const library = scannedLibrary(database.db, store);
  const readPage = ({ query: { before, q } }: Call<typeof contract.listScanned>) =>
    library.page({ before: before ?? null, search: q || null, limit: contract.scannedListMax });
  /** The page whose version is compared is the one that is sent. */
  const pages = new WeakMap<FastifyRequest, LibraryPage>();
  serve(
    api,
    contract.listScanned,
    async (call) => {
      const { products, nextBefore, total } = pages.get(call.request) ?? (await readPage(call));
      call.reply.header(totalCountHeader, total);
      if (nextBefore !== null) call.reply.header(nextBeforeHeader, nextBefore);
      return products;
    },
    {
      etag: async (call) => {
        const page = await readPage(call);
        pages.set(call.request, page);
        return hash('sha256', JSON.stringify(page), 'base64url');
      },
    },
  );
  serve(api, contract.getScanned, ({ params }) => library.product(params.id));
}

function serveChanges(api: Api, { database, changes, store }: Deps): void {
  const library = scannedLibrary(database.db, store);
  /** Saves a product and adds it to the selected import, or does neither. */
  const save = (change: (trx: Db) => Promise<ScannedChange>, batch: string) =>
    changes.db.transaction().execute(async (trx) => {
      const changed = await change(trx);
      const product = await savedOrRefusal(changed, library.product);
      await addToSelected(trx, product, batch);
      return { id: product.id, isNew: changed.kind === 'created' };
    });
  serve(api, contract.createScanned, async ({ body, reply }) => {
    const { id = randomUUID(), selectedBatch, ...fields } = body;
    const photos = await keepPhotos(fields.photos);
    const saved = await save((trx) => createScannedProduct(trx, id, { ...fields, photos }), selectedBatch);
    reply.code(saved.isNew ? 201 : 200);
    return library.product(id);
  });
  serve(api, contract.updateScanned, async ({ params: { id }, body }) => {
    const { version = null, selectedBatch, ...fields } = body;
    const photos = await keepPhotos(fields.photos);
    await save((trx) => changeScannedProduct(trx, { id, version }, { ...fields, photos }), selectedBatch);
    return library.product(id);
  });
  serve(api, contract.deleteScanned, async ({ params }) => {
    if (!(await deleteScannedProduct(changes.db, params.id))) throw scannedNotFound();
    return { success: true as const, message: 'Product has been deleted successfully' };
  });
}

function serveSync(api: Api, deps: Deps): void {
  const { database, changes, storage, store, securityLog, imageHosts } = deps;
  const openOwn = (photo: string) => openPhoto(storage, photo);
  const library = scannedLibrary(database.db, store);
  const sessions = storeSessions();
  const inTurn = createTurns({ max: syncsMax, waitMsMax: syncWaitMsMax });
  serve(api, contract.syncScanned, async ({ params: { id }, body, request }) => {
    await library.product(id);
    const { client } = await requireStore(store);
    const { outcome, note } = await inTurn(async () => {
      const session = await orRefusal(sessions.open(client, AbortSignal.timeout(sessionMsMax)));
      securityLog.record(request, 'push-begun', { detail: 'One product' });
      const options = { whenInStore: body?.whenInStore, imageHosts, openPhoto: openOwn };
      return syncScanned(changes.db, session, id, options);
    });
    const product = await library.product(id);
    const message = `Product has been synced to Shopify successfully${note === null ? '' : `. ${note}`}`;
    return { success: true as const, message, outcome, storeUrl: product.storeUrl, product };
  });
}
