import type { RequestOptions, ShopifyClient } from './client.ts';
import { StoreRefused } from './store-errors.ts';

/**
 * Returns the id of the first active location that ships, for initial quantities. Null if there is none or the token
 * may not read locations. Throws any other error of `request`.
 */
export async function findStockLocationId(
  client: ShopifyClient,
  options?: RequestOptions,
): Promise<string | null> {
  try {
    const { locations } = await client.request('locations', {}, options);
    return locations.nodes.find((one) => one.isActive && one.shipsInventory)?.id ?? null;
  } catch (error) {
    if (error instanceof StoreRefused && error.code === 'ACCESS_DENIED') return null;
    throw error;
  }
}
