import { z } from 'zod';
import type { Store } from './client.ts';

const secret = z.string().min(1, 'expected a secret').optional();

/** The environment variables for the store and its credentials. */
export const StoreEnv = z.object({
  SHOPIFY_STORE_URL: z
    .string({ error: 'expected the URL of the store, like https://my-store.myshopify.com' })
    .refine(URL.canParse, 'expected a URL like https://my-store.myshopify.com'),
  SHOPIFY_API_VERSION: z
    .string()
    .regex(/^(\d{4}-\d{2}|unstable)$/, 'expected a version like 2026-10')
    .default('2026-10'),
  SHOPIFY_ACCESS_TOKEN: secret,
  SHOPIFY_CLIENT_ID: secret,
  SHOPIFY_CLIENT_SECRET: secret,
});

/** The store from the environment. Throws if neither a token nor a client id and secret are set. */
export function storeOf(env: z.infer<typeof StoreEnv>): Store {
  const at = { url: env.SHOPIFY_STORE_URL, apiVersion: env.SHOPIFY_API_VERSION };
  if (env.SHOPIFY_ACCESS_TOKEN) return { ...at, credentials: { accessToken: env.SHOPIFY_ACCESS_TOKEN } };
  if (env.SHOPIFY_CLIENT_ID && env.SHOPIFY_CLIENT_SECRET) {
    return {
      ...at,
      credentials: { clientId: env.SHOPIFY_CLIENT_ID, clientSecret: env.SHOPIFY_CLIENT_SECRET },
    };
  }
  throw new Error('The store has no credentials; the schema should have refused this');
}

/** For schemas that extend StoreEnv: whether credentials of one of the two kinds are set. */
export function hasCredentials(env: Partial<z.infer<typeof StoreEnv>>): boolean {
  return Boolean(env.SHOPIFY_ACCESS_TOKEN || (env.SHOPIFY_CLIENT_ID && env.SHOPIFY_CLIENT_SECRET));
}

export const credentialsMissing =
  'SHOPIFY_ACCESS_TOKEN is not set: set it, or SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET';
