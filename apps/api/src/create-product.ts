import { createHash, randomUUID } from 'node:crypto';
import { currentRows } from '@draftshelf/database/chunks/runs';
import type { Db } from '@draftshelf/database/connection/database';
import { findImport } from '@draftshelf/database/imports/imports';
import { findListings, isKnown } from '@draftshelf/database/push/listings';
import { ourIdOf } from '@draftshelf/database/push/our-id';
import { readProductRows, readRowsByNumber } from '@draftshelf/database/rows/effective-rows';
import type { DraftProduct } from '@draftshelf/domain/draft-product';
import { keysOf } from '@draftshelf/domain/product-keys';
import { directStore } from '@draftshelf/publishing/direct-store';
import { PublishLater } from '@draftshelf/publishing/publish-errors';
import { type Published, publishProduct } from '@draftshelf/publishing/publish-product';
import { storeRecords } from '@draftshelf/publishing/publish-record';
import { readBack } from '@draftshelf/publishing/read-back';
import type { StoreSession } from '@draftshelf/publishing/store-session';
import { findProductIds, readLiveProducts } from '@draftshelf/shopify/products';
import { conflict, importNotFound, notFound } from './refusal.ts';
import { orRefusal } from './store-reads.ts';

/** For whom a call creates a product. */
export type CallOf = {
  /** The row of an import that it is, if it is one. */
  at: { importId: string; row: number } | null;
  /** The caller's key for repeating the call, if it sent one. */
  key: string | null;
};

/** A call that has not ended after this time is dead: its product is read before anything is sent again. */
const callMsMax = 60_000;

/** A product's id in our terms, and the import that it belongs to. */
type Identity = { ourId: string; importId: string | null; product: number | null; isNew: boolean };

/**
 * Brings a product into the store for a call, exactly once for each identity. Throws a Refusal if another call or push
 * is sending the same product, or if the store does not answer.
 */
export async function createForCall(
  db: Db,
  session: StoreSession,
  draft: DraftProduct,
  call: CallOf,
): Promise<Published> {
  const identity = await identityOf(db, session.shop, call);
  const { ourId, importId, product } = identity;
  const { shop, client } = session;
  const found = (await findListings(db, shop, [ourId])).get(ourId) ?? null;
  const isListed = identity.isNew || (found !== null && isKnown(found));
  const idInStore = isListed ? undefined : (await orRefusal(findProductIds(client, [ourId]))).get(ourId);
  const keys = keysOf(draft);
  const ledger = { origin: 'call', import_id: importId, product, run: null } as const;
  try {
    const published = await orRefusal(
      publishProduct(
        {
          db,
          session,
          sender: { leaseMs: callMsMax },
          ...directStore(session),
          record: (record) =>
            db.transaction().execute((trx) => storeRecords(trx, shop, [{ record, ledger, keys }])),
        },
        // The caller asks for this product, whatever the store has.
        { ourId, built: { ok: true, product: draft }, source: null, idInStore, match: null, found },
      ),
    );
    // Without a baseline, the next push compares with what was sent.
    if (published.written) {
      await readBack(db, shop, [ourId], {
        written: new Set([ourId]),
        read: (products) =>
          readLiveProducts(
            client,
            products.map(({ id }) => id),
            session,
          ).catch(() => new Map()),
        fence: async () => undefined,
      });
    }
    return published;
  } catch (error) {
    if (error instanceof PublishLater)
      throw conflict('This product is being pushed right now. Try again in a moment.');
    throw error;
  }
}

async function identityOf(db: Db, shop: string, { at, key }: CallOf): Promise<Identity> {
  if (at) return identityOfRow(db, at);
  const ofCall = { importId: null, product: null };
  if (key === null) return { ...ofCall, ourId: randomUUID().replaceAll('-', ''), isNew: true };
  const ourId = createHash('sha256')
    .update(JSON.stringify(['call', shop, key]))
    .digest('hex')
    .slice(0, 32);
  return { ...ofCall, ourId, isNew: false };
}

/** The identity under which a push sends the product of a row. */
async function identityOfRow(
  db: Db,
  { importId, row }: { importId: string; row: number },
): Promise<Identity> {
  const record = await findImport(db, importId);
  if (!record) throw importNotFound();
  const [found] = await readRowsByNumber(db, currentRows(record), [row]);
  if (!found) throw notFound('This import has no such row.');
  const [first] = await readProductRows(db, currentRows(record), {
    firstProduct: found.product,
    products: 1,
  });
  if (!first) throw notFound('This import has no such row.');
  return { ourId: ourIdOf(record, first), importId, product: found.product, isNew: false };
}
