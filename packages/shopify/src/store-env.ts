import { z } from 'zod';
import type { Store } from './client.ts';

const secret = z.string().min(1, 'expected a secret').optional();

/** The environment variables for the store and its credentials. */
export const StoreEnv = z.object({
  SHOPIFY_STORE_URL: z
    .string()
    .refine(URL.canParse, 'expected a URL like https://my-store.myshopify.com')
    .optional(),
  SHOPIFY_API_VERSION: z
    .string()
    .regex(/^(\d{4}-\d{2}|unstable)$/, 'expected a version like 2026-10')
    .default('2026-10'),
  SHOPIFY_ACCESS_TOKEN: secret,
  SHOPIFY_CLIENT_ID: secret,
  SHOPIFY_CLIENT_SECRET: secret,
});

/** The store from the environment, or null without SHOPIFY_STORE_URL: then the saved credentials apply. */
export function storeOf(env: z.infer<typeof StoreEnv>): Store | null {
  if (env.SHOPIFY_STORE_URL === undefined) return null;
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

/** For schemas that extend StoreEnv: whether a store is set with credentials of one of the two kinds, or nothing is. */
export function isCompleteStore(env: Partial<z.infer<typeof StoreEnv>>): boolean {
  const hasCredentials = Boolean(
    env.SHOPIFY_ACCESS_TOKEN || (env.SHOPIFY_CLIENT_ID && env.SHOPIFY_CLIENT_SECRET),
  );
  if (env.SHOPIFY_STORE_URL) return hasCredentials;
  return !env.SHOPIFY_ACCESS_TOKEN && !env.SHOPIFY_CLIENT_ID && !env.SHOPIFY_CLIENT_SECRET;
}

export const storeIncomplete =
  'The store is incomplete: set SHOPIFY_STORE_URL with SHOPIFY_ACCESS_TOKEN, or with SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET; set none of them to enter credentials in Settings';
