import type { ShopifyClient } from './client.ts';
import { readScopes } from './scopes.ts';
import { StoreRefused, StoreUnavailable } from './store-errors.ts';

export type StoreState =
  | 'connected'
  | 'wrong-token'
  | 'missing-scope'
  | 'unknown-shop'
  | 'locked'
  | 'network'
  | 'refused';

/** The result of a test. `detail` is the technical cause, null if there is none. */
export type StoreTest = {
  ok: boolean;
  state: StoreState;
  message: string;
  detail: string | null;
  /** The myshopify domain, if the store answered. */
  shop: string | null;
  /** The currency of its prices, if the store answered. */
  currency: string | null;
};

const testMsMax = 8_000;

/** Reads the store's name and the token's scopes. Store errors are returned; only our own throw (lost database). */
export async function testStore(client: ShopifyClient): Promise<StoreTest> {
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

const failed = (state: StoreState, message: string, detail: string | null): StoreTest => ({
  ...{ ok: false, state, message, detail, shop: null, currency: null },
});

/** Codes of Shopify's authorization server, such as app_not_installed. */
const oauthCode = /^[a-z_]+$/;

function stateOfRefusal({ code }: StoreRefused): StoreState {
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
