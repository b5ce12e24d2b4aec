import { hash, randomUUID } from 'node:crypto';
import * as contract from '@draftshelf/contract/scanner/scanner';
import { nextBeforeHeader, noBatch, totalCountHeader } from '@draftshelf/contract/wire';
import type { Db } from '@draftshelf/core/connection/database';
import { findRowWithCode } from '@draftshelf/core/review/rows-with-keys';
import { followProduct } from '@draftshelf/core/scanner/add-to-import';
import { lockProductPhotos, markPhotosUsed, releasePhotos } from '@draftshelf/core/scanner/photos';
import * as stored from '@draftshelf/core/scanner/scanned-products';
import { findAddRefusal } from '@draftshelf/core/scanner/update-added-rows';
import { currentRows } from '@draftshelf/core/work/runs';
import { photoKey } from '@draftshelf/domain/base/photo-address';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { findObject } from '@draftshelf/object-storage/objects';
import { storeSessions } from '@draftshelf/publishing/store-session';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { StoreConnection } from '../access/store-connection.ts';
import { refuseStoreErrors, requireStore } from '../access/store-reads.ts';
import { invalid } from '../http/refusal.ts';
import { type Api, type Call, serve } from '../http/serve.ts';
import { createTurnQueue } from '../http/turns.ts';
import { readJob } from '../imports/read-jobs.ts';
import { serveImport } from '../imports/serve-import.ts';
import type { PhotoIntake } from './photo-intake.ts';
import {
  addToImportOrRefuse,
  createScannedLibrary,
  type LibraryPage,
  productChangedRefusal,
  requireSaved,
  scannedNotFound,
} from './scanned-library.ts';
import { syncScanned } from './sync-scanned.ts';

type Deps = {
  storage: ObjectStorage;
  store: StoreConnection;
  imageHosts: readonly string[];
  photos: PhotoIntake;
};

const sessionMsMax = 20_000;
/** Maximum number of concurrent syncs. It is small, because a sync sends photos while it reads them from storage. */
const syncsMax = 2;
const syncWaitMsMax = 10_000;

export async function serveScanner(api: Api, deps: Deps): Promise<void> {
  serveLibrary(api, deps);
  await api.app.register(async (scope) => {
    deps.photos.acceptBodies(scope);
    serveChanges({ ...api, app: scope }, deps);
  });
  serveSync(api, deps);
}

function serveLibrary(api: Api, { store }: Deps): void {
  const library = createScannedLibrary(api.db, store);
  const readPage = ({ query: { before, q } }: Call<typeof contract.listScanned>) =>
    library.page({ before: before ?? null, search: q || null, limit: contract.scannedListMax });
  /** The page that was read for a request's ETag, so that the reply sends the same page. */
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

type Save = {
  id: string;
  photos: readonly string[];
  batch: string;
  change: (trx: Db) => Promise<stored.ScannedChange>;
};

function serveChanges(api: Api, { store, photos: intake }: Deps): void {
  const { db, changes } = api;
  const library = createScannedLibrary(db, store);
  const ageOf = requestAges(api.app);
  /** Saves a product with its photos and adds it to the selected import, all in one transaction. */
  const save = async ({ id, photos, batch, change }: Save) => {
    const saved = await changes.db.transaction().execute(async (trx) => {
      const before = await lockProductPhotos(trx, id);
      const [gone] = await markPhotosUsed(trx, photos);
      // Report a conflict before a missing photo: the other tab that caused the conflict may have removed the photo.
      const { product, isNew } = await requireSaved(await change(trx), library.product);
      if (gone !== undefined) {
        throw invalid('This photo is gone. Choose it again.', `photos.${photos.indexOf(gone)}`);
      }
      const chosen = batch === noBatch ? null : batch;
      await followProduct(trx, product, chosen);
      if (chosen !== null) {
        await addToImportOrRefuse(trx, product, { importId: chosen, field: 'selectedBatch' });
      }
      const dropped = before.filter((photo) => !product.photos.includes(photo));
      return { isNew, released: await releasePhotos(trx, dropped) };
    });
    intake.remove(saved.released);
    return saved;
  };
  serve(api, contract.createScanned, async ({ body, request, reply }) => {
    const { id = randomUUID(), selectedBatch: batch, ...fields } = body;
    const photos = await intake.store(fields.photos);
    const change = (trx: Db) =>
      stored.createScannedProduct(trx, { id, ageMs: ageOf(request) }, { ...fields, photos });
    const { isNew } = await save({ id, photos, batch, change });
    reply.code(isNew ? 201 : 200);
    return library.product(id);
  });
  serve(api, contract.updateScanned, async ({ params: { id }, body }) => {
    const { version = null, selectedBatch: batch, ...fields } = body;
    const photos = await intake.store(fields.photos).catch(async (refusal: unknown) => {
      const current = await library.product(id);
      throw version !== null && version !== current.version ? productChangedRefusal(current) : refusal;
    });
    const change = (trx: Db) => stored.changeScannedProduct(trx, { id, version }, { ...fields, photos });
    await save({ id, photos, batch, change });
    return library.product(id);
  });
  serve(api, contract.deleteScanned, async ({ params, logSecurity }) => {
    const released = await changes.db.transaction().execute(async (trx) => {
      const deleted = await stored.deleteScannedProduct(trx, params.id);
      if (!deleted) throw scannedNotFound();
      return releasePhotos(trx, deleted.photos);
    });
    intake.remove(released);
    logSecurity('product-deleted', { detail: 'One scanned product' });
    return { success: true as const, message: 'Product has been deleted successfully' };
  });
}

function serveSync(api: Api, { storage, store, imageHosts }: Deps): void {
  const { db, changes } = api;
  const openPhoto = (photo: string) => findObject(storage, photoKey(photo));
  const library = createScannedLibrary(db, store);
  const sessions = storeSessions();
  const inTurn = createTurnQueue({ max: syncsMax, waitMsMax: syncWaitMsMax });
  serve(api, contract.syncScanned, async ({ params: { id }, body, logSecurity }) => {
    await library.product(id);
    const { client } = await requireStore(store);
    const { outcome, note } = await inTurn(async () => {
      const session = await refuseStoreErrors(sessions.open(client, AbortSignal.timeout(sessionMsMax)));
      logSecurity('push-begun', { detail: 'One product' });
      const options = { whenInStore: body?.whenInStore, imageHosts, openPhoto };
      return syncScanned(changes.db, session, id, options);
    });
    const product = await library.product(id);
    const message = `Product has been synced to Shopify successfully${note === null ? '' : `. ${note}`}`;
    return { success: true as const, message, outcome, storeUrl: product.storeUrl, product };
  });
}

/** Records when requests arrive, before their bodies are read. Returns a function for a request's age in ms. */
function requestAges(scope: FastifyInstance): (request: FastifyRequest) => number {
  const arrivedAt = new WeakMap<FastifyRequest, number>();
  scope.addHook('onRequest', async (request) => void arrivedAt.set(request, performance.now()));
  return (request) => performance.now() - (arrivedAt.get(request) ?? performance.now());
}

export function serveScannerBatches(api: Api, { store }: Pick<Deps, 'store'>): void {
  const { db, changes } = api;
  const library = createScannedLibrary(db, store);
  serve(api, contract.addToBatch, async ({ params: { id }, body: { batchId } }) => {
    const added = await changes.db.transaction().execute(async (trx) => {
      const product = await stored.lockScannedProduct(trx, id);
      if (!product) throw scannedNotFound();
      return addToImportOrRefuse(trx, product, { importId: batchId, field: 'batchId' });
    });
    const { filename } = added.import;
    const message = added.isRow
      ? `Added to ${filename}.`
      : 'Added. The product appears once the file has been read.';
    const job = await readJob(db, added.import);
    return { success: true as const, message, product: await library.product(id), job };
  });
  serveImport(api, contract.checkBatch, async ({ record, query: { sku, product } }) => {
    const refusal = findAddRefusal(record);
    const code = { column: 'sku', text: sku ?? '', except: product?.replaceAll('-', '') } as const;
    const row = sku && refusal === null ? await findRowWithCode(db, currentRows(record), code) : undefined;
    const words = `${record.filename} already has this SKU in row ${row}.`;
    return { refusal, sameSku: row === undefined ? null : words };
  });
}
