import type { Db } from '@draftshelf/core/connection/database';
import { listProductsToReadBack, recordBaselines } from '@draftshelf/core/push/listings';
import { copyProducts } from '@draftshelf/core/push/store/store-products';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { isAsSent, stateAfterWrite } from '@draftshelf/shopify/product/as-sent';
import type { KeptValues } from '@draftshelf/shopify/product/drifted-fields';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { toProductCopy } from '@draftshelf/shopify/store-pages';

/** A written product: its id in the store, the draft that was sent, and the product before it (null if created). */
export type WrittenProduct = { id: string; sent: DraftProduct; before: LiveProduct | null };

type Reader = {
  /** Our ids of the products that the caller has written itself. */
  written: ReadonlySet<string>;
  /** Reads written products from the store, by store id. Products that could not be read are absent. */
  read(products: readonly WrittenProduct[]): Promise<ReadonlyMap<string, LiveProduct>>;
  /** Called in the transaction that stores the baselines. Throws if the caller may no longer store them. */
  fence(trx: Db): Promise<unknown>;
};

/**
 * Reads products that were written and not read since, and stores them as baselines for drift and undo. A merchant may
 * have changed them in between, so another sender's product gets a baseline only if the product still has our values.
 */
export async function readBack(
  db: Db,
  shop: string,
  ourIds: readonly string[],
  { written, read, fence }: Reader,
): Promise<void> {
  const listings = await listProductsToReadBack(db, shop, ourIds);
  const products = listings.map(({ our_id: ourId, version, store_product_id: id, ...write }) => ({
    ...{ ourId, version, id, hash: write.sent_hash },
    sent: write.sent as DraftProduct,
    before: write.before as LiveProduct | null,
    kept: write.kept as KeptValues | null,
  }));
  const live = await read(products);
  const baselines = products.flatMap(({ ourId, version, id, sent, hash, before, kept }) => {
    const found = live.get(id);
    if (found && written.has(ourId))
      return [{ ourId, baseline: stateAfterWrite(found, sent, { before, kept }), version }];
    return found && isAsSent(found, sent, before, kept, hash) ? [{ ourId, baseline: found, version }] : [];
  });
  await copyProducts(db, shop, [...live.values()].map(toProductCopy));
  await db.transaction().execute(async (trx) => {
    await fence(trx);
    await recordBaselines(trx, shop, baselines);
  });
}
