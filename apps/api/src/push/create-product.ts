import { createHash, randomUUID } from 'node:crypto';
import type { Db } from '@draftshelf/core/connection/database';
import { findImport } from '@draftshelf/core/imports/imports';
import { ourIdOf } from '@draftshelf/core/imports/our-id';
import { readProductRows, readRowsByNumber } from '@draftshelf/core/review/effective-rows';
import { currentRows } from '@draftshelf/core/work/runs';
import type { Published } from '@draftshelf/publishing/publish-product';
import type { OpenPhoto } from '@draftshelf/publishing/stage-photos';
import type { StoreSession } from '@draftshelf/publishing/store-session';
import { importNotFound, notFound } from '../http/refusal.ts';
import { type CallProduct, publishForCall } from './publish-for-call.ts';

/** For whom a call creates a product. */
export type CallOf = {
  /** The row of an import that it is, if it is one. */
  at: { importId: string; row: number } | null;
  /** The caller's key for repeating the call, if it sent one. */
  key: string | null;
};

type Identity = CallProduct['identity'];

/** Brings a posted product into the store, exactly once for each row or key. Throws what publishForCall throws. */
export async function createForCall(
  db: Db,
  session: StoreSession,
  built: CallProduct['built'],
  call: CallOf,
  openPhoto: OpenPhoto,
): Promise<Published> {
  const identity = await identityOf(db, session.shop, call);
  const product = { identity, origin: 'call', built, source: null, choiceFor: null } as const;
  return publishForCall(db, session, product, openPhoto);
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
