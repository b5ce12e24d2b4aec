import type { Db } from '@draftshelf/database/connection/database';
import { findMatches, type StoreMatch } from '@draftshelf/database/store/product-keys';
import { removeCopies } from '@draftshelf/database/store/store-products';
import type { MatchChoice } from '@draftshelf/domain/preferences';
import type { ProductKey } from '@draftshelf/domain/product-keys';
import { readStamps } from '@draftshelf/shopify/products';
import type { ProductToPublish } from './publish-product.ts';
import type { StoreSession } from './store-session.ts';

/** A product with its keys. */
type KeyedProduct = { ourId: string; keys: readonly ProductKey[] };

/** `removeDeleted`: removes our copies of products that were deleted in the store, for a caller that may write. */
type MatchOptions = { signal?: AbortSignal; removeDeleted: boolean };

/**
 * Matches of products that we have not pushed with products that the store has under another id, by our id. A product
 * that was deleted in the store in the meantime is no match; the check costs one point per hundred matches.
 * `importId`: the import that pushes them; null: none.
 */
export async function matchProducts(
  db: Db,
  { client, shop }: Pick<StoreSession, 'client' | 'shop'>,
  importId: string | null,
  products: readonly KeyedProduct[],
  { signal, removeDeleted }: MatchOptions,
): Promise<ReadonlyMap<string, StoreMatch>> {
  const found = await findMatches(db, shop, importId, products);
  const ids = [...new Set([...found.values()].map(({ storeProductId }) => storeProductId))];
  const stamps = await readStamps(client, ids, signal && { signal });
  const deleted = ids.filter((id) => !stamps.has(id));
  if (removeDeleted) await removeCopies(db, shop, deleted);
  return new Map([...found].filter(([, { storeProductId }]) => stamps.has(storeProductId)));
}

/**
 * A product with its match. A matched product that already has our id is published under that id, so it keeps one
 * listing.
 */
export function withMatch(
  product: Omit<ProductToPublish, 'match'>,
  match: StoreMatch | undefined,
  choice: MatchChoice,
): ProductToPublish {
  if (!match) return { ...product, match: null };
  const { storeProductId, ourId, kind } = match;
  if (choice !== 'update' || ourId === null) return { ...product, match: { storeProductId, kind, choice } };
  const idInStore = match.isListed ? undefined : storeProductId;
  return { ...product, ourId, idInStore, match: null, found: undefined };
}
