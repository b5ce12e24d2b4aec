import type { RequestOptions, ShopifyClient } from './client.ts';
import { StoreRefused } from './store-errors.ts';

/** What a push needs: products, their quantities, and the location of these. */
const requiredScopes = ['write_products', 'write_inventory', 'read_locations'];

/** Throws StoreRefused (scope store) that names the permissions that the app lacks, and what `request` throws. */
export async function requireScopes(client: ShopifyClient, options?: RequestOptions): Promise<void> {
  const { currentAppInstallation } = await client.request('accessScopes', {}, options);
  const granted = new Set(currentAppInstallation.accessScopes.map((one) => one.handle));
  const missing = requiredScopes.filter(
    (scope) => !granted.has(scope) && !granted.has(scope.replace(/^read_/, 'write_')),
  );
  if (missing.length === 0) return;
  const permissions = missing.length === 1 ? 'a permission' : 'permissions';
  throw new StoreRefused(`The access token is missing ${permissions}: ${missing.join(', ')}.`, {
    scope: 'store',
    code: 'ACCESS_DENIED',
    detail: `granted: ${[...granted].join(', ') || 'none'}`,
    hadNoEffect: true,
  });
}
