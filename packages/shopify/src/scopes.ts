import type { RequestOptions, ShopifyClient } from './client.ts';
import { StoreRefused } from './store-errors.ts';

/** Scopes that a push needs. A write scope contains the read scope of the same name. */
const requiredScopes = ['write_products', 'read_locations', 'write_inventory'] as const;

/** The required scopes that were not granted. */
export function missingScopes(granted: readonly string[]): string[] {
  const has = new Set(granted.flatMap((scope) => [scope, scope.replace(/^write_/, 'read_')]));
  return requiredScopes.filter((scope) => !has.has(scope));
}

/** Throws StoreRefused (scope store) that names the scopes that the app lacks, and what `request` throws. */
export async function requireScopes(client: ShopifyClient, options?: RequestOptions): Promise<void> {
  const { currentAppInstallation } = await client.request('accessScopes', {}, options);
  const granted = currentAppInstallation.accessScopes.map((one) => one.handle);
  const missing = missingScopes(granted);
  if (missing.length === 0) return;
  const scopes = missing.length === 1 ? 'scope' : 'scopes';
  throw new StoreRefused(
    `The app lacks the ${scopes} ${missing.join(', ')}. Add them in Shopify, then push again.`,
    {
      scope: 'store',
      code: 'ACCESS_DENIED',
      detail: `granted: ${granted.join(', ') || 'none'}`,
      hadNoEffect: true,
    },
  );
}
