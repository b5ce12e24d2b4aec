import { createHash, randomUUID } from 'node:crypto';
import { createProduct, idempotencyKeyHeader } from '@draftshelf/contract/push/store';
import { readSettings } from '@draftshelf/core/access/settings';
import type { Db } from '@draftshelf/core/connection/database';
import { findImport } from '@draftshelf/core/imports/imports';
import { deriveOurId } from '@draftshelf/core/imports/our-id';
import { readFirstRows, readRowsByNumber } from '@draftshelf/core/review/effective-rows';
import { currentRows } from '@draftshelf/core/work/runs';
import { photoKey } from '@draftshelf/domain/base/photo-address';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { findObject } from '@draftshelf/object-storage/objects';
import { importSource } from '@draftshelf/publishing/build-draft';
import { buildPostedDraft } from '@draftshelf/publishing/build-posted-draft';
import { storeSessions } from '@draftshelf/publishing/store-session';
import type { StoreConnection } from '../access/store-connection.ts';
import { refuseStoreErrors, requireStore } from '../access/store-reads.ts';
import { importNotFound, invalid, notFound } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { type CallProduct, publishForCall, requirePublished } from './publish-for-call.ts';

type Deps = { storage: ObjectStorage; store: StoreConnection };

const sessionMsMax = 20_000;
const keyCharsMax = 255;

export function serveCreateProduct(api: Api, { storage, store }: Deps): void {
  const { db, changes } = api;
  const sessions = storeSessions();
  serve(api, createProduct, async ({ body, request, logSecurity }) => {
    const { draftMode } = await readSettings(db);
    const built = buildPostedDraft(body.product, { draftMode, importSource });
    if (!built.ok) throw invalid(`${built.reason}: ${built.missing.join(', ')}.`, fieldOf(built.missing));
    const { importId, row } = body;
    const at = importId !== undefined && row !== undefined ? { importId, row } : null;
    const key = keyOf(request.headers[idempotencyKeyHeader]);
    const { client } = await requireStore(store);
    const session = await refuseStoreErrors(sessions.open(client, AbortSignal.timeout(sessionMsMax)));
    logSecurity('push-begun', { detail: 'One product' });
    const identity = await identityOf(changes.db, session.shop, { at, key });
    const product = { identity, origin: 'call', built, source: null, choiceFor: null } as const;
    const openPhoto = (id: string) => findObject(storage, photoKey(id));
    const published = await publishForCall(changes.db, session, product, openPhoto);
    const outcome = requirePublished(published, 'product');
    const { title, status } = built.product;
    return { product: { id: numberIn(published.storeProductId), title, status }, outcome };
  });
}

const fieldOf = (missing: readonly string[]) =>
  missing.includes('title') ? 'product.title' : 'product.variants.0.price';

function keyOf(header: string | string[] | undefined): string | null {
  const key = Array.isArray(header) ? header[0] : header;
  if (key === undefined || key === '') return null;
  if (key.length > keyCharsMax)
    throw invalid(`The Idempotency-Key is longer than ${keyCharsMax} characters.`);
  return key;
}

const numberIn = (productId: string | null): number =>
  Number(productId?.slice(productId.lastIndexOf('/') + 1));

type CallOf = {
  /** The import's row that becomes the product. Null if the call names no row. */
  at: { importId: string; row: number } | null;
  /** The caller's idempotency key. Null if the call has no key. */
  key: string | null;
};

type Identity = CallProduct['identity'];

/** Returns the product's identity. It is the same for each call with a row or key, so the product is created once. */
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

/** Returns the identity under which a push sends the product of a row. */
async function identityOfRow(
  db: Db,
  { importId, row }: { importId: string; row: number },
): Promise<Identity> {
  const record = await findImport(db, importId);
  if (!record) throw importNotFound();
  const [found] = await readRowsByNumber(db, currentRows(record), [row]);
  if (!found) throw notFound('This import has no such row.');
  const first = (await readFirstRows(db, currentRows(record), [found.product])).get(found.product);
  if (!first) throw notFound('This import has no such row.');
  return { ourId: deriveOurId(record, first), importId, product: found.product, isNew: false };
}
