import type { Db } from '@draftshelf/database/connection/database';
import { insertLedgerEntry } from '@draftshelf/database/push/ledger';
import {
  adoptListing,
  beginSending,
  endSending,
  findListing,
  recordBaseline,
  recordSent,
  takeOverSending,
} from '@draftshelf/database/push/listings';
import { ourIdOf } from '@draftshelf/database/push/our-id';
import { recordOutcome } from '@draftshelf/database/push/outcomes';
import type { EffectiveRow } from '@draftshelf/database/rows/effective-rows';
import type { ChunkRecord, ImportRecord, ListingRecord, Outcome } from '@draftshelf/database/schema';
import { buildDraftProduct, type DraftProduct, tooLongFields } from '@draftshelf/domain/draft-product';
import { WaitForIt } from '@draftshelf/queues/chunk-errors';
import { payloadHash } from '@draftshelf/shopify/canonical-json';
import { manualCollectionIds } from '@draftshelf/shopify/collections';
import type { ProductSetVariables } from '@draftshelf/shopify/documents';
import { createInput } from '@draftshelf/shopify/product-set-input';
import { driftedParts, type LiveProduct } from '@draftshelf/shopify/product-state';
import { updateInput } from '@draftshelf/shopify/product-update-input';
import { findProduct, readProducts, setProduct } from '@draftshelf/shopify/products';
import { decideSending, isAsSent } from '@draftshelf/shopify/sending';
import { StoreRefused } from '@draftshelf/shopify/store-errors';
import type { StoreSession } from './store-session.ts';

export type PushContext = {
  db: Db;
  chunk: ChunkRecord;
  import: ImportRecord;
  session: StoreSession;
  draftMode: boolean;
  rowsReadAt: Date;
  /** Products of this chunk that the store has under our id, although no listing here says so. */
  unlisted: ReadonlyMap<string, string>;
  /** Our ids of products whose writes were answered in this chunk: the next read shows the result of our write. */
  written: Set<string>;
};

type Product = { number: number; ourId: string };
type Result = { outcome: Outcome; message: string | null; storeProductId: string | null };

/**
 * The value of scd.import_source. It is constant, so that pushing the same file from another import changes nothing.
 */
const importSource = 'draftshelf';

const otherPushPauseMs = 1000;

/**
 * Pushes one draft product to the store and records its outcome. Payload and state `sending` are committed before the
 * call; result and ledger entry after it. Throws what the store's client throws.
 */
export async function pushProduct(
  context: PushContext,
  number: number,
  rows: readonly EffectiveRow[],
): Promise<void> {
  const first = rows[0];
  if (!first) throw new Error(`Product ${number} has no rows`);
  const product = { number, ourId: ourIdOf(context.import, first) };
  const built = buildDraftProduct(
    rows.map((row) => row.values),
    { draftMode: context.draftMode, importSource, currency: context.import.currency },
  );
  const skip = (message: string) =>
    record(context, product, { outcome: 'skipped', message, storeProductId: null }, null);
  if (!built.ok) return skip(`${built.reason}: ${built.missing.join(', ')}`);
  const tooLong = tooLongFields(built.product);
  if (tooLong.length > 0) {
    return skip(`Over Shopify’s 255-character limit: ${tooLong.join(', ')}`);
  }
  const listing = await resolveSending(context, product, built.product);
  if (listing === 'decided') return;
  const unlistedId = context.unlisted.get(product.ourId);
  if (listing?.store_product_id) await update(context, product, built.product, listing);
  else if (unlistedId) await adopt(context, product, built.product, unlistedId);
  else await create(context, product, built.product);
}

/**
 * The store has the product under our id, but this database does not know how it got there: the database was restored,
 * or another installation pushed it. A product exactly as we would send it is adopted; any other is left to the
 * operator.
 */
async function adopt(
  context: PushContext,
  product: Product,
  draft: DraftProduct,
  storeProductId: string,
): Promise<void> {
  const { session } = context;
  const live = (await readProducts(session.client, [storeProductId])).get(storeProductId);
  if (!live) throw new WaitForIt('The store is still deleting this product.');
  const hash = payloadHash(draft);
  if (live.payloadHash !== hash) {
    const message = 'Already in the store with different content; left unchanged.';
    await record(context, product, { outcome: 'skipped', message, storeProductId }, null);
    return;
  }
  await record(context, product, { outcome: 'unchanged', message: null, storeProductId }, null, (trx) =>
    adoptListing(trx, {
      shop: session.shop,
      ourId: product.ourId,
      storeProductId,
      handle: live.handle,
      sent: draft,
      sentHash: hash,
      baseline: isAsSent(live, draft) ? live : null,
    }),
  );
}

/**
 * Resolves a product found `sending`: its worker died, or the response was lost. Reads it by our id first. It is then
 * recorded, sent again by the caller, or left to the operator. Returns the listing after that, or 'decided' when the
 * product has its outcome. If an earlier draft has arrived, it is recorded, and the caller still has to update it to
 * `wanted`.
 */
async function resolveSending(
  context: PushContext,
  product: Product,
  wanted: DraftProduct,
): Promise<ListingRecord | undefined | 'decided'> {
  const { db, session, chunk } = context;
  const found = await findListing(db, session.shop, product.ourId);
  if (!found?.sending || !found.sending_hash) return found;
  const key = { shop: session.shop, ourId: product.ourId };
  if (!(await takeOverSending(db, { ...key, chunkId: chunk.id }))) {
    throw new WaitForIt('Another import is pushing this product right now.', {
      waitMs: otherPushPauseMs,
    });
  }
  const live = await findProduct(session.client, product.ourId);
  const draft = found.sending as DraftProduct;
  const verdict = decideSending(live, { draft, baseline: found.baseline as LiveProduct | null });
  if (verdict === 'record' && live) {
    const outcome = found.store_product_id ? 'updated' : 'created';
    const result = { outcome, message: null, storeProductId: live.id } as const;
    const effect = { draft, hash: found.sending_hash, handle: live.handle };
    if (payloadHash(wanted) === effect.hash) {
      await recordEffect(context, product, result, effect);
      return 'decided';
    }
    await db.transaction().execute(async (trx) => {
      await recordSent(trx, sentOf(context, product, result, effect));
      await insertLedgerEntry(trx, ledgerEntryOf(context, product, result, effect.hash));
    });
    return findListing(db, session.shop, product.ourId);
  }
  if (verdict === 'skip') {
    const message = live
      ? 'Changed in the store while a response was lost; left unchanged.'
      : 'Deleted in the store since the last push.';
    const result = { outcome: 'skipped', message, storeProductId: found.store_product_id } as const;
    await record(context, product, result, found.sending_hash, () => endSending(db, key));
    return 'decided';
  }
  await endSending(db, key);
  return findListing(db, session.shop, product.ourId);
}

async function create(context: PushContext, product: Product, draft: DraftProduct): Promise<void> {
  const { session } = context;
  const variables = createInput(draft, {
    externalId: product.ourId,
    locationId: session.locationId,
    collectionIds: manualCollectionIds(session.collections, draft.collections ?? []),
  });
  await send(context, product, draft, variables, 'created');
}

async function update(
  context: PushContext,
  product: Product,
  draft: DraftProduct,
  listing: ListingRecord,
): Promise<void> {
  const { db, session } = context;
  const id = listing.store_product_id ?? '';
  const left = (message: string) =>
    record(context, product, { outcome: 'skipped', message, storeProductId: id }, null);
  const unchanged = () =>
    record(context, product, { outcome: 'unchanged', message: null, storeProductId: id }, null);
  if (listing.sent_hash === payloadHash(draft)) return unchanged();

  const live = (await readProducts(session.client, [id])).get(id);
  if (!live) return left('Deleted in the store since the last push.');
  const sent = listing.sent as DraftProduct;
  // Without a read-back (its worker died before it), the state is known only if our last write is still in place.
  const baseline = (listing.baseline as LiveProduct | null) ?? (isAsSent(live, sent) ? live : null);
  if (!baseline) return left('Changed in the store since the last push.');
  const drifted = driftedParts(live, baseline);
  if (drifted.length > 0) {
    return left(`Changed in the store since the last push (${drifted.join(', ')}); left unchanged.`);
  }
  const next = updateInput(draft, { externalId: product.ourId, sent, live });
  if (next.kind === 'unchanged') return unchanged();
  if (next.kind === 'blocked') return left(next.reason);
  if (!listing.baseline) {
    await recordBaseline(db, { shop: session.shop, ourId: product.ourId, baseline });
  }
  await send(context, product, draft, next.variables, 'updated');
}

async function send(
  context: PushContext,
  product: Product,
  draft: DraftProduct,
  variables: ProductSetVariables,
  outcome: 'created' | 'updated',
): Promise<void> {
  const { db, session, chunk } = context;
  const key = { shop: session.shop, ourId: product.ourId };
  const hash = payloadHash(draft);
  const mine = await beginSending(db, { ...key, chunkId: chunk.id, payload: draft, payloadHash: hash });
  if (!mine) {
    throw new WaitForIt('Another import is pushing this product right now.', {
      waitMs: otherPushPauseMs,
    });
  }
  try {
    const { id, handle } = await setProduct(session.client, variables);
    const result = { outcome, message: null, storeProductId: id };
    await recordEffect(context, product, result, { draft, hash, handle });
    context.written.add(product.ourId);
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    // A write that may have taken effect stays `sending`: the next push reads it by our id before it sends anything.
    const end = error.hadNoEffect ? (trx: Db) => endSending(trx, key) : undefined;
    if (error.scope === 'store') {
      await end?.(db);
      throw error;
    }
    const result = { outcome: 'failed', message: error.message, storeProductId: null } as const;
    await record(context, product, result, hash, end, error.detail);
  }
}

/** Records that the store has the draft: listing, outcome and ledger entry in one transaction. */
async function recordEffect(
  context: PushContext,
  product: Product,
  result: Result & { storeProductId: string },
  effect: { draft: DraftProduct; hash: string; handle: string | null },
): Promise<void> {
  await record(context, product, result, effect.hash, (trx) =>
    recordSent(trx, sentOf(context, product, result, effect)),
  );
}

const sentOf = (
  { session }: PushContext,
  { ourId }: Product,
  { storeProductId }: { storeProductId: string },
  { draft, hash, handle }: { draft: DraftProduct; hash: string; handle: string | null },
) => ({ shop: session.shop, ourId, storeProductId, handle, sent: draft, sentHash: hash });

/**
 * Records outcome, listing and ledger entry in one transaction, or nothing if another worker has decided the product.
 */
async function record(
  context: PushContext,
  product: Product,
  result: Result,
  hash: string | null,
  listing?: (trx: Db) => Promise<void>,
  cause?: string,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const recorded = await recordOutcome(trx, {
      importId: context.import.id,
      rowsRun: context.import.rows_run,
      run: context.chunk.run,
      product: product.number,
      ourId: product.ourId,
      basedOn: context.rowsReadAt,
      ...result,
    });
    if (!recorded) return;
    await listing?.(trx);
    await insertLedgerEntry(trx, ledgerEntryOf(context, product, result, hash, cause));
  });
}

const ledgerEntryOf = (
  { chunk, import: record, session }: PushContext,
  product: Product,
  result: Result,
  hash: string | null,
  cause?: string,
) => ({
  shop: session.shop,
  our_id: product.ourId,
  import_id: record.id,
  product: product.number,
  run: chunk.run,
  effect: result.outcome,
  store_product_id: result.storeProductId,
  payload_hash: hash,
  cause: cause ?? result.message,
});
