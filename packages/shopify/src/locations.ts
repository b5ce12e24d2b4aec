import type { RequestOptions, ShopifyClient } from './client.ts';
import { StoreRefused } from './errors.ts';

/**
 * Where first quantities are put: the first active location that ships. Null if there is none, or if the token may
 * not read locations; products then go out without quantities. Throws what else `request` throws.
 */
export async function stockLocationId(
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
