import type { ScannedProduct } from '@draftshelf/contract/scanner/scanner';
import type { ShownScanned } from '@draftshelf/core/scanner/library-page';
import { productUrlIn } from '../access/store-connection.ts';

/** A product of the library on the wire. `storeUrl`: the address of the connected store, if there is one. */
export function toScanned(product: ShownScanned, storeUrl: string | undefined): ScannedProduct {
  const { id, name, description, price, sku, upc, dimensions, weight, photos, version, batches } = product;
  return {
    id,
    name,
    description,
    price,
    sku,
    upc,
    dimensions,
    weight,
    photos,
    status: product.is_synced ? 'synced' : 'active',
    version,
    createdAt: product.created_at.toISOString(),
    changedAt: product.changed_at.toISOString(),
    syncedAt: product.synced_at?.toISOString() ?? null,
    storeUrl: productUrlIn(storeUrl, product.in_store),
    batches,
  };
}
