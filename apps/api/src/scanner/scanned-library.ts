import { ScannedProduct } from '@draftshelf/contract/scanner/scanner';
import type { Db } from '@draftshelf/core/connection/database';
import type { ScannedRecord } from '@draftshelf/core/connection/schema';
import { findShopByUrl } from '@draftshelf/core/push/store/shops';
import { type AddResult, addToImport } from '@draftshelf/core/scanner/add-to-import';
import {
  readScannedPage,
  readShownScannedProduct,
  type ScannedQuery,
  type ShownScannedProduct,
} from '@draftshelf/core/scanner/library-page';
import { type ScannedChange, scannedProductsMax } from '@draftshelf/core/scanner/scanned-products';
import { createProductUrl, type StoreConnection } from '../access/store-connection.ts';
import { conflict, importNotFound, notFound, Refusal } from '../http/refusal.ts';
import { createWireMapper } from '../http/wire-fields.ts';

export const scannedNotFound = () => notFound('Product not found.');

export type LibraryPage = { products: ScannedProduct[]; nextBefore: string | null; total: number };

/** Returns the URL and shop of the connected store. `shop` is null if the store has never answered. */
export async function readConnectedStore(
  db: Db,
  store: StoreConnection,
): Promise<{ url: string | undefined; shop: string | null }> {
  const url = (await store.current())?.url;
  const found = url === undefined ? null : await findShopByUrl(db, url);
  return { url, shop: found?.shop ?? null };
}

/** Creates a reader of the library. Sync states and store URLs of products are those of the connected store. */
export function createScannedLibrary(db: Db, store: StoreConnection) {
  return {
    async page(query: Omit<ScannedQuery, 'shop'>): Promise<LibraryPage> {
      const { url, shop } = await readConnectedStore(db, store);
      const { products, nextBefore, total } = await readScannedPage(db, { ...query, shop });
      return { products: products.map((product) => toScannedProduct(product, url)), nextBefore, total };
    },
    async product(id: string): Promise<ScannedProduct> {
      const { url, shop } = await readConnectedStore(db, store);
      const product = await readShownScannedProduct(db, id, shop);
      if (!product) throw scannedNotFound();
      return toScannedProduct(product, url);
    },
  };
}

export const productChangedRefusal = (current: ScannedProduct) =>
  conflict('This product was changed in the meantime. Nothing was saved.', current);

/** Returns the saved product. If it was not saved, throws a Refusal, in a conflict with the product of `current`. */
export async function requireSaved(
  change: ScannedChange,
  current: (id: string) => Promise<ScannedProduct>,
): Promise<{ product: ScannedRecord; isNew: boolean }> {
  switch (change.kind) {
    case 'created':
    case 'changed':
    case 'kept':
      return { product: change.product, isNew: change.kind === 'created' };
    case 'conflict':
      throw productChangedRefusal(await current(change.current.id));
    case 'deleted':
      throw new Refusal(410, { code: 'gone', message: 'This product was deleted. Save it as a new one.' });
    case 'unknown':
      throw scannedNotFound();
    case 'full':
      throw conflict(
        `The library is full: it takes ${scannedProductsMax} products. Delete some that you no longer need.`,
      );
  }
}

const productFields = createWireMapper(ScannedProduct);

export function toScannedProduct(product: ShownScannedProduct, storeUrl: string | undefined): ScannedProduct {
  return {
    ...productFields(product),
    status: product.is_synced ? 'synced' : 'active',
    storeUrl: createProductUrl(storeUrl, product.in_store),
  };
}

type Added = Extract<AddResult, { ok: true }>;

/** Adds a product to an import. If the import is unknown or accepts no product, throws a Refusal that names `field`. */
export async function addToImportOrRefuse(
  trx: Db,
  product: ScannedRecord,
  { importId, field }: { importId: string; field: 'selectedBatch' | 'batchId' },
): Promise<Added> {
  const added = await addToImport(trx, importId, product);
  if (added.ok) return added;
  const { status, body } = added.reason === null ? importNotFound() : conflict(added.reason);
  throw new Refusal(status, { ...body, field });
}
