import type { RequestOptions, ShopifyClient } from './client.ts';
import { refusedByStore } from './store-errors.ts';

/** Scopes that a push needs. A write scope contains the read scope of the same name. */
const requiredScopes = ['write_products', 'read_locations', 'write_inventory'] as const;

/** The granted scopes, and the required ones that were not. */
export async function readScopes(client: ShopifyClient, options?: RequestOptions) {
  const { currentAppInstallation } = await client.request('accessScopes', {}, options);
  const granted = currentAppInstallation.accessScopes.map(({ handle }) => handle);
  const has = new Set(granted.flatMap((scope) => [scope, scope.replace(/^write_/, 'read_')]));
  return { granted, missing: requiredScopes.filter((scope) => !has.has(scope)) };
}

/** Throws StoreRefused (scope store) that names the scopes that the app lacks, and what `request` throws. */
export async function requireScopes(client: ShopifyClient, options?: RequestOptions): Promise<void> {
  const { granted, missing } = await readScopes(client, options);
  if (missing.length === 0) return;
  const scopes = missing.length === 1 ? 'scope' : 'scopes';
  const message = `The app lacks the ${scopes} ${missing.join(', ')}. Add them in Shopify, then push again.`;
  throw refusedByStore(message, 'ACCESS_DENIED', `granted: ${granted.join(', ') || 'none'}`);
}
