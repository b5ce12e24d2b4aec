import type { Db } from '../connection/database.ts';
import {
  readCredential,
  readCredentialOfShop,
  readCredentialProblem,
  readCredentialVersion,
  type SavedCredential,
} from './credentials.ts';
import type { SealingKeys } from './sealing.ts';

/** The service under which the credentials of the store are saved. */
export const storeService = 'shopify';

/** The saved credentials of the store, in the form that the shopify package takes. */
export function savedStores(db: Db, keys: SealingKeys | null) {
  return {
    version: (): Promise<number | undefined> => readCredentialVersion(db, storeService),
    problem: (): Promise<string | null> => readCredentialProblem(db, keys, storeService),
    read: (): Promise<SavedCredential | undefined> => readCredential(db, keys, storeService),
    readOfShop: (shop: string): Promise<SavedCredential | undefined> =>
      readCredentialOfShop(db, keys, { service: storeService, shop }),
  };
}
