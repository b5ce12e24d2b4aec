import type { Db } from '@draftshelf/database/connection/database';
import { insertLedgerLine } from '@draftshelf/database/push/ledger';
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
import { StoreRefused } from '@draftshelf/shopify/errors';
import { createInput } from '@draftshelf/shopify/product-set-input';
import { driftedParts, type LiveProduct } from '@draftshelf/shopify/product-state';
import { updateInput } from '@draftshelf/shopify/product-update-input';
import { findProduct, readProducts, setProduct } from '@draftshelf/shopify/products';
import { decideSending, isAsSent } from '@draftshelf/shopify/sending';
import type { StoreSession } from './store-session.ts';

export type PushContext = {
  db: Db;
  chunk: ChunkRecord;
  import: ImportRecord;
  session: StoreSession;
  draftMode: boolean;
  rowsReadAt: Date;
  /** Products of this chunk that the store has under our id, though no listing here says so. */
  unlisted: ReadonlyMap<string, string>;
  /** Our ids of the products whose writes were answered here: what a read finds next is what these made. */
  written: Set<string>;
};

type Product = { number: number; ourId: string };
type Result = { outcome: Outcome; message: string | null; storeProductId: string | null };

/** The value of scd.import_source: constant, so that the same file pushed from another import changes nothing. */
const importSource = 'draftshelf';

const anotherPushPauseMs = 1000;

/**
 * Brings one draft product into the store and records what became of it. Payload and state `sending` are committed
 * before the call; result and ledger line after it. Throws what the store's client throws.
 */
export async function pushProduct(
  context: PushContext,
  number: number,
  rows: readonly EffectiveRow[],
): Promise<void> {
  const first = rows[0];
  if (!first) throw new Error(`Product ${number} has no rows`);
  const product = { number, ourId: ourIdOf(context.import.sha256, first.byte_from) };
  const built = buildDraftProduct(
    rows.map((row) => row.values),
    { draftMode: context.draftMode, importSource, currency: context.import.currency },
  );
  const skip = (message: string) =>
    record(context, product, { outcome: 'skipped', message, storeProductId: null }, null);
  if (!built.ok) return skip(`${built.reason}: ${built.missing.join(', ')}`);
  const tooLong = tooLongFields(built.product);
  if (tooLong.length > 0) {
    return skip(`Longer than the 255 characters that Shopify takes: ${tooLong.join(', ')}`);
  }
  const listing = await resolveSending(context, product, built.product);
  if (listing === 'decided') return;
  const unlistedId = context.unlisted.get(product.ourId);
  if (listing?.store_product_id) await update(context, product, built.product, listing);
  else if (unlistedId) await adopt(context, product, built.product, unlistedId);
  else await create(context, product, built.product);
}

/**
 * The store has the product under our id, but this database does not know how it came there (it was restored, or
 * another installation pushed it): exactly as we would send it, it is taken over; else it is left to the operator.
 */
async function adopt(
  context: PushContext,
  product: Product,
  draft: DraftProduct,
  storeProductId: string,
): Promise<void> {
  const { session } = context;
  const live = (await readProducts(session.client, [storeProductId])).get(storeProductId);
  if (!live) throw new WaitForIt('The store is just deleting a product.');
  const hash = payloadHash(draft);
  if (live.payloadHash !== hash) {
    const message = 'Already in the store under our id, with other contents; it was left as it is.';
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
 * A product found `sending` (its worker died, or the answer was lost) is read by our id first, then recorded, sent
 * again by the caller, or left to the operator (decisions P12). Answers the listing as it stands then, or 'decided'
 * when the product has its outcome; what arrived of an earlier draft is recorded and has still to be brought up to
 * `draft`.
 */
async function resolveSending(
  context: PushContext,
  product: Product,
  now: DraftProduct,
): Promise<ListingRecord | undefined | 'decided'> {
  const { db, session, chunk } = context;
  const found = await findListing(db, session.shop, product.ourId);
  if (!found?.sending || !found.sending_hash) return found;
  const key = { shop: session.shop, ourId: product.ourId };
  if (!(await takeOverSending(db, { ...key, chunkId: chunk.id }))) {
    throw new WaitForIt('The same product is being pushed by another import.', {
      waitMs: anotherPushPauseMs,
    });
  }
  const live = await findProduct(session.client, product.ourId);
  const draft = found.sending as DraftProduct;
  const verdict = decideSending(live, { draft, baseline: found.baseline as LiveProduct | null });
  if (verdict === 'record' && live) {
    const outcome = found.store_product_id ? 'updated' : 'created';
    const result = { outcome, message: null, storeProductId: live.id } as const;
    const effect = { draft, hash: found.sending_hash, handle: live.handle };
    if (payloadHash(now) === effect.hash) {
      await recordEffect(context, product, result, effect);
      return 'decided';
    }
    await db.transaction().execute(async (trx) => {
      await recordSent(trx, sentOf(context, product, result, effect));
      await insertLedgerLine(trx, ledgerLineOf(context, product, result, effect.hash));
    });
    return findListing(db, session.shop, product.ourId);
  }
  if (verdict === 'skip') {
    const message = live
      ? 'The product was changed in the store while an answer was lost, so it was left as it is.'
      : 'The product was deleted in the store since its last push.';
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
  if (!live) return left('The product was deleted in the store since its last push.');
  const sent = listing.sent as DraftProduct;
  // Without a read-back (its worker died before it), the state is known only where our last write still stands.
  const baseline = (listing.baseline as LiveProduct | null) ?? (isAsSent(live, sent) ? live : null);
  if (!baseline) return left('The product was changed in the store since its last push.');
  const drifted = driftedParts(live, baseline);
  if (drifted.length > 0) {
    return left(
      `Changed in the store since its last push: ${drifted.join(', ')}. It was left as it is there.`,
    );
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
    throw new WaitForIt('The same product is being pushed by another import.', {
      waitMs: anotherPushPauseMs,
    });
  }
  try {
    const { id, handle } = await setProduct(session.client, variables);
    const result = { outcome, message: null, storeProductId: id };
    await recordEffect(context, product, result, { draft, hash, handle });
    context.written.add(product.ourId);
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    // What may have taken effect stays `sending`: the next push reads it by our id before anything is sent.
    const end = error.hadNoEffect ? (trx: Db) => endSending(trx, key) : undefined;
    if (error.scope === 'store') {
      await end?.(db);
      throw error;
    }
    const result = { outcome: 'failed', message: error.message, storeProductId: null } as const;
    await record(context, product, result, hash, end, error.detail);
  }
}

/** The store has the draft: the listing says so, with outcome and ledger line, in one transaction. */
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

/** Outcome, listing and ledger line in one transaction; nothing, where another worker has decided the product. */
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
    await insertLedgerLine(trx, ledgerLineOf(context, product, result, hash, cause));
  });
}

const ledgerLineOf = (
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
