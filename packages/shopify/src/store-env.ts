import type { EnvOf } from '@draftshelf/runtime/env-catalog';
import type { Store } from './client.ts';
import type { Credentials } from './token.ts';

/** The environment variables for the store and its credentials, as the catalog in packages/runtime reads them. */
type StoreEnv = EnvOf<
  | 'SHOPIFY_STORE_URL'
  | 'SHOPIFY_API_VERSION'
  | 'SHOPIFY_ACCESS_TOKEN'
  | 'SHOPIFY_CLIENT_ID'
  | 'SHOPIFY_CLIENT_SECRET'
>;

/** Returns the store from the environment. Null without SHOPIFY_STORE_URL: then saved credentials apply. */
export function readStoreEnv(env: StoreEnv): Store | null {
  if (env.SHOPIFY_STORE_URL === undefined) return null;
  const credentials = credentialsIn(env);
  if (!credentials) throw new Error('The store has no credentials; the schema should have refused this');
  return { url: env.SHOPIFY_STORE_URL, apiVersion: env.SHOPIFY_API_VERSION, credentials };
}

function credentialsIn(env: Partial<StoreEnv>): Credentials | null {
  const { SHOPIFY_ACCESS_TOKEN: accessToken, SHOPIFY_CLIENT_ID: clientId } = env;
  if (accessToken) return { accessToken };
  const clientSecret = env.SHOPIFY_CLIENT_SECRET;
  return clientId && clientSecret ? { clientId, clientSecret } : null;
}

/** Returns whether the variables set a store and one kind of credentials, or none of these. For environment schemas. */
export function isCompleteStoreEnv(env: Partial<StoreEnv>): boolean {
  if (env.SHOPIFY_STORE_URL) return credentialsIn(env) !== null;
  return !env.SHOPIFY_ACCESS_TOKEN && !env.SHOPIFY_CLIENT_ID && !env.SHOPIFY_CLIENT_SECRET;
}

export const storeIncompleteMessage =
  'The store is incomplete: set SHOPIFY_STORE_URL with SHOPIFY_ACCESS_TOKEN, or with SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET; set none of them to enter credentials in Settings';
