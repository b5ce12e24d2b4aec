import { isDeepStrictEqual } from 'node:util';
import type { EnteredCredentials } from '@draftshelf/contract/access/connections';
import {
  findCredential,
  readCredential,
  removeCredentials,
  saveCredential,
  shopifyService,
} from '@draftshelf/core/access/credentials';
import type { SealingKeys } from '@draftshelf/core/access/sealing';
import type { Db } from '@draftshelf/core/connection/database';
import { upsertShop } from '@draftshelf/core/push/store/shops';
import { createShopifyClient } from '@draftshelf/shopify/client';
import { buildStore, type OpenStore, parseStoreUrl, type StoreCredentials } from '@draftshelf/shopify/stores';
import { type StoreTestResult, testStore } from '@draftshelf/shopify/test-store';
import type { ApiDatabases } from '../http/databases.ts';
import { conflict, invalid, notFound } from '../http/refusal.ts';
import { applySources, type SourcesDeps } from './configured-sources.ts';

export type CredentialsDeps = Pick<ApiDatabases, 'changes'> &
  SourcesDeps & {
    /** The keys that seal credentials. Null if no key is set; credentials can then not be saved. */
    sealingKeys: SealingKeys | null;
    apiVersion: string;
    /** Returns whether a store at this origin, which is on this machine or its network, may be entered. */
    isLocalStoreAllowed: (origin: string) => boolean;
  };

const setByServer =
  'The server’s environment sets the store. Change SHOPIFY_STORE_URL and its credentials there.';
export const cannotSealMessage = (what: 'Addresses' | 'Credentials' | 'Keys') =>
  `${what} can’t be saved here, because the server has no key to seal them with. Set CREDENTIALS_KEY and restart.`;
const noKey = cannotSealMessage('Credentials');

export function credentialsLockReason(store: OpenStore | null, keys: SealingKeys | null): string | null {
  if (store?.source === 'server') return setByServer;
  return keys === null ? noKey : null;
}

/** Tests entered credentials without a budget: their store may have no budget yet, and a test costs few points. */
const unmetered = { reserve: async (points: number) => ({ points }), report: async () => {} };

export async function saveEnteredCredentials(
  deps: CredentialsDeps,
  current: OpenStore | null,
  entered: EnteredCredentials,
): Promise<StoreTestResult> {
  const keys = deps.sealingKeys;
  const reason = credentialsLockReason(current, keys);
  if (reason !== null || keys === null) throw conflict(reason ?? noKey);
  const value = toCredentials(entered, deps);
  const client = createShopifyClient(buildStore(value, deps.apiVersion), { budget: unmetered });
  const result = await testStore(client);
  if (!result.ok) return result;
  const { shop, currency } = result;
  const { url } = client.store;
  await deps.changes.db.transaction().execute(async (trx) => {
    await applySources(trx, deps, { storeUrl: url, isStart: false });
    await saveCredential(trx, keys, { service: shopifyService, value, shop, origin: 'operator' });
    if (shop !== null) await upsertShop(trx, { shop, url, currency });
  });
  return result;
}

const localStore = 'Stores on this server’s own network can’t be connected. LOCAL_STORES=true allows them.';
const noStoreUrl = 'That’s not the address of a Shopify store. Enter one like my-store.myshopify.com.';

function toCredentials(
  { storeUrl, accessToken, clientId, clientSecret }: EnteredCredentials,
  { isLocalStoreAllowed }: CredentialsDeps,
): StoreCredentials {
  const url = parseStoreUrl(storeUrl, isLocalStoreAllowed);
  if (url === null) throw invalid(parseStoreUrl(storeUrl, () => true) ? localStore : noStoreUrl, 'storeUrl');
  if (accessToken !== undefined) return { url, accessToken };
  if (clientId !== undefined && clientSecret !== undefined) return { url, clientId, clientSecret };
  throw invalid('Enter an access token, or a client ID and secret.');
}

export async function removeSavedCredentials(
  deps: CredentialsDeps,
  current: OpenStore | null,
): Promise<void> {
  if (current?.source === 'server') throw conflict(setByServer);
  await deps.changes.db.transaction().execute(async (trx) => {
    await applySources(trx, deps, { storeUrl: null, isStart: false });
    if (!(await removeCredentials(trx, shopifyService))) throw notFound('No credentials are saved.');
  });
}

const demoShop = 'draftshelf-demo.myshopify.com';

/** Saves the demo store of `npm start` as credentials that Settings can change. Never replaces the operator's own. */
export async function saveDemoStore(
  db: Db,
  keys: SealingKeys,
  demo: { DEMO_STORE_URL?: string | undefined; DEMO_STORE_TOKEN?: string | undefined },
): Promise<void> {
  const { DEMO_STORE_URL: url, DEMO_STORE_TOKEN: accessToken } = demo;
  if (url === undefined || accessToken === undefined) return;
  const value = { url, accessToken };
  await db.transaction().execute(async (trx) => {
    const before = await findCredential(trx, shopifyService);
    if (before?.origin === 'operator') return;
    const saved = await readCredential(trx, keys, shopifyService);
    if (isDeepStrictEqual(saved?.value, value)) return;
    await saveCredential(trx, keys, { service: shopifyService, value, shop: demoShop, origin: 'start' });
  });
}
