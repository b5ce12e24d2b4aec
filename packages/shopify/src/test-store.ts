import type { RequestOptions, ShopifyClient } from './client.ts';
import { createStoreRefusal, StoreRefused, StoreUnavailable } from './store-errors.ts';

/** Scopes that a push needs. A write scope contains the read scope of the same name. */
const requiredScopes = ['write_products', 'read_locations', 'write_inventory'] as const;

/** Returns the granted scopes, and the required ones that are missing. */
async function readScopes(client: ShopifyClient, options?: RequestOptions) {
  const { currentAppInstallation } = await client.request('accessScopes', {}, options);
  const granted = currentAppInstallation.accessScopes.map(({ handle }) => handle);
  const has = new Set(granted.flatMap((scope) => [scope, scope.replace(/^write_/, 'read_')]));
  return { granted, missing: requiredScopes.filter((scope) => !has.has(scope)) };
}

/** Throws StoreRefused (scope store) with the scopes that the app lacks, and what `request` throws. */
export async function requireScopes(client: ShopifyClient, options?: RequestOptions): Promise<void> {
  const { granted, missing } = await readScopes(client, options);
  if (missing.length === 0) return;
  const scopes = missing.length === 1 ? 'scope' : 'scopes';
  const message = `The app lacks the ${scopes} ${missing.join(', ')}. Add them in Shopify, then push again.`;
  throw createStoreRefusal(message, 'ACCESS_DENIED', `granted: ${granted.join(', ') || 'none'}`);
}

export type StoreTestState =
  | 'connected'
  | 'wrong-token'
  | 'missing-scope'
  | 'unknown-shop'
  | 'locked'
  | 'network'
  | 'refused';

/** The result of a test. `detail` is the technical cause of a failure, or null if there is none. */
export type StoreTestResult = {
  ok: boolean;
  state: StoreTestState;
  message: string;
  detail: string | null;
  /** The myshopify domain. Null if the store did not answer. */
  shop: string | null;
  /** The currency of the store's prices. Null if the store did not answer. */
  currency: string | null;
};

const testMsMax = 8_000;

/** Reads the store's name and token scopes. Returns errors of the store; throws others, such as a lost database. */
export async function testStore(client: ShopifyClient): Promise<StoreTestResult> {
  const signal = AbortSignal.timeout(testMsMax);
  try {
    const { shop } = await client.request('shop', {}, { signal });
    const { missing } = await readScopes(client, { signal });
    const is = { detail: null, shop: shop.myshopifyDomain, currency: shop.currencyCode };
    if (missing.length === 0) {
      return { ok: true, state: 'connected', message: `Connected to ${shop.name}.`, ...is };
    }
    const [scopes, them] = missing.length === 1 ? ['scope', 'it'] : ['scopes', 'them'];
    const message = `${shop.name} answers, but the app lacks the ${scopes} ${missing.join(', ')}. Add ${them} to the app in Shopify and install it again.`;
    return { ok: false, state: 'missing-scope', message, ...is };
  } catch (error) {
    if (error instanceof StoreRefused) return failed(stateOfRefusal(error), error.message, error.detail);
    if (error instanceof StoreUnavailable) {
      return failed(error.reason === 'locked' ? 'locked' : 'network', error.message, causeOf(error));
    }
    if (signal.aborted) return failed('network', 'The store took too long to respond.', null);
    throw error;
  }
}

const failed = (state: StoreTestState, message: string, detail: string | null): StoreTestResult => ({
  ...{ ok: false, state, message, detail, shop: null, currency: null },
});

/** Codes of Shopify's authorization server, such as app_not_installed. */
const oauthCode = /^[a-z_]+$/;

function stateOfRefusal({ code }: StoreRefused): StoreTestState {
  if (code === 'NOT_FOUND' || code === 'REDIRECT') return 'unknown-shop';
  if (code === 'SHOP_INACTIVE') return 'locked';
  if (code === 'ACCESS_DENIED') return 'missing-scope';
  if (code === 'UNAUTHORIZED' || oauthCode.test(code ?? '')) return 'wrong-token';
  return 'refused';
}

function causeOf({ cause }: StoreUnavailable): string | null {
  if (typeof cause === 'string') return cause;
  if (!(cause instanceof Error)) return null;
  const inner = cause.cause instanceof Error ? `: ${cause.cause.message}` : '';
  return `${cause.message}${inner}`;
}
