import { isDeepStrictEqual } from 'node:util';
import {
  readCredential,
  readCredentialOrigin,
  saveCredential,
  storeService,
} from '@draftshelf/core/access/credentials';
import type { SealingKeys } from '@draftshelf/core/access/sealing';
import type { Db } from '@draftshelf/core/connection/database';

const demoShop = 'draftshelf-demo.myshopify.com';

/** Saves the demo store of `npm start` as credentials that Settings can change. Credentials of the operator stay. */
export async function saveDemoStore(
  db: Db,
  keys: SealingKeys,
  demo: { DEMO_STORE_URL?: string | undefined; DEMO_STORE_TOKEN?: string | undefined },
): Promise<void> {
  const { DEMO_STORE_URL: url, DEMO_STORE_TOKEN: accessToken } = demo;
  if (url === undefined || accessToken === undefined) return;
  const value = { url, accessToken };
  await db.transaction().execute(async (trx) => {
    const before = await readCredentialOrigin(trx, storeService);
    if (before?.origin === 'operator') return;
    const saved = await readCredential(trx, keys, storeService);
    if (isDeepStrictEqual(saved?.value, value)) return;
    await saveCredential(trx, keys, { service: storeService, value, shop: demoShop, origin: 'start' });
  });
}
