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
import type { ChunkRecord, ImportRecord, ListingRecord } from '@draftshelf/database/schema';
import type { DraftProduct } from '@draftshelf/domain/draft-product';
import type { Outcome, OutcomeCode } from '@draftshelf/domain/outcome';
import { buildDraft, omittedSentence, type PictureFacts } from '@draftshelf/publishing/build-draft';
import { decideProduct } from '@draftshelf/publishing/decide-product';
import type { Decision, Listing, ProductFacts } from '@draftshelf/publishing/decision';
import { RetryLater } from '@draftshelf/queues/chunk-errors';
import type { LiveProduct } from '@draftshelf/shopify/product-state';
import { findProduct, readProducts, setProduct } from '@draftshelf/shopify/products';
import { StoreRefused } from '@draftshelf/shopify/store-errors';
import type { StoreSession } from './store-session.ts';

export type PushContext = {
  db: Db;
  chunk: ChunkRecord;
  import: ImportRecord;
  session: StoreSession;
  draftMode: boolean;
  rowsReadAt: Date;
  pictures: PictureFacts;
  /** What the outcomes of products say about pictures that are left out. */
  notes: Map<number, string>;
  /** Products of this chunk that the store has under our id, although no listing here says so. */
  unlisted: ReadonlyMap<string, string>;
  /** Our ids of products whose writes were answered in this chunk: the next read shows the result of our write. */
  written: Set<string>;
};

type Product = { number: number; ourId: string };
type Result = {
  outcome: Outcome;
  code: OutcomeCode | null;
  message: string | null;
  storeProductId: string | null;
};
/** A decision of some kinds. */
type Decided<Kind extends Decision['kind']> = Extract<Decision, { kind: Kind }>;

/**
 * The value of scd.import_source. It is constant, so that pushing the same file from another import changes nothing.
 */
const importSource = 'draftshelf';

const otherPushPauseMs = 1000;

/** The facts that are read for a decision. */
type ReadFacts = Pick<ProductFacts, 'listing' | 'live'>;
const nothingRead: ReadFacts = { listing: undefined, live: undefined };

/**
 * Pushes one draft product to the store as decideProduct decides, and records its outcome. Payload and state `sending`
 * are committed before the call; result and ledger entry after it. Throws what the store's client throws.
 */
export async function pushProduct(
  context: PushContext,
  number: number,
  rows: readonly EffectiveRow[],
): Promise<void> {
  const first = rows[0];
  if (!first) throw new Error(`Product ${number} has no rows`);
  const product = { number, ourId: ourIdOf(context.import, first) };
  const built = buildDraft(
    rows.map((row) => row.values),
    { draftMode: context.draftMode, importSource, currency: context.import.currency },
    context.pictures,
  );
  const note = omittedSentence(built.omitted, context.pictures);
  if (note !== null) context.notes.set(number, note);
  const idInStore = context.unlisted.get(product.ourId);
  let facts: ProductFacts = {
    ourId: product.ourId,
    built,
    idInStore,
    store: context.session,
    ...nothingRead,
  };
  for (;;) {
    const changed = await carryOut(context, product, decideProduct(facts));
    if (changed === 'decided') return;
    facts = { ...facts, ...changed };
  }
}

/** Does what was decided. Returns the facts that have changed, or 'decided' when the product has its outcome. */
async function carryOut(
  context: PushContext,
  product: Product,
  decision: Decision,
): Promise<Partial<ReadFacts> | 'decided'> {
  switch (decision.kind) {
    case 'read':
      return readFact(context, product, decision);
    case 'not-arrived':
      await endSending(context.db, keyOf(context, product));
      return nothingRead;
    case 'record':
      return recordArrived(context, product, decision);
    case 'wait':
      throw new RetryLater(decision.message);
    case 'create':
      await send(context, product, decision, 'created');
      return 'decided';
    case 'update':
      if (decision.baseline) {
        await recordBaseline(context.db, { ...keyOf(context, product), baseline: decision.baseline });
      }
      await send(context, product, decision, 'updated');
      return 'decided';
    case 'adopt':
      await record(context, product, unchanged(decision.listing.storeProductId), null, (trx) =>
        adoptListing(trx, { ...keyOf(context, product), ...decision.listing }),
      );
      return 'decided';
    case 'unchanged':
      await record(context, product, unchanged(decision.storeProductId), null);
      return 'decided';
    case 'skip':
      await recordSkipped(context, product, decision);
      return 'decided';
  }
}

const keyOf = ({ session }: PushContext, { ourId }: Product) => ({ shop: session.shop, ourId });

const unchanged = (storeProductId: string): Result => ({
  outcome: 'unchanged',
  code: null,
  message: null,
  storeProductId,
});

async function readFact(
  context: PushContext,
  product: Product,
  wanted: Decided<'read'>,
): Promise<Partial<ReadFacts>> {
  const { db, session } = context;
  switch (wanted.by) {
    case 'listing':
      return { listing: listingOf(await findListing(db, session.shop, product.ourId)) };
    case 'id':
      return { live: (await readProducts(session.client, [wanted.id])).get(wanted.id) ?? null };
    case 'our-id':
      // Only a product found `sending` is read by our id, and only by the chunk that resolves it.
      if (!(await takeOverSending(db, { ...keyOf(context, product), chunkId: context.chunk.id }))) {
        throw pushedElsewhere();
      }
      return { live: await findProduct(session.client, product.ourId) };
  }
}

const pushedElsewhere = () =>
  new RetryLater('Another import is pushing this product right now.', { waitMs: otherPushPauseMs });

/** A listing's drafts and baseline are stored as JSON, by this worker only. */
function listingOf(found: ListingRecord | undefined): Listing | null {
  if (!found) return null;
  const { store_product_id, sending, sending_hash } = found;
  return {
    pushed:
      store_product_id === null
        ? null
        : {
            storeProductId: store_product_id,
            sent: found.sent as DraftProduct,
            sentHash: found.sent_hash,
            baseline: found.baseline as LiveProduct | null,
          },
    sending: sending && sending_hash ? { draft: sending as DraftProduct, hash: sending_hash } : null,
  };
}

/** Records that the draft found `sending` has arrived. If it is an earlier one, the product still has to be updated. */
async function recordArrived(
  context: PushContext,
  product: Product,
  { outcome, listing, thenDecide }: Decided<'record'>,
): Promise<Partial<ReadFacts> | 'decided'> {
  const result = { outcome, code: null, message: null, storeProductId: listing.storeProductId };
  const sent = { ...keyOf(context, product), ...listing };
  if (!thenDecide) {
    await record(context, product, result, listing.sentHash, (trx) => recordSent(trx, sent));
    return 'decided';
  }
  await context.db.transaction().execute(async (trx) => {
    await recordSent(trx, sent);
    await insertLedgerEntry(trx, ledgerEntryOf(context, product, result, listing.sentHash));
  });
  return nothingRead;
}

async function recordSkipped(
  context: PushContext,
  product: Product,
  { code, message, storeProductId, sendingHash }: Decided<'skip'>,
): Promise<void> {
  const result = { outcome: 'skipped', code, message, storeProductId } as const;
  const end = (trx: Db) => endSending(trx, keyOf(context, product));
  await record(context, product, result, sendingHash, sendingHash === null ? undefined : end);
}

async function send(
  context: PushContext,
  product: Product,
  { variables, draft, hash }: Decided<'create' | 'update'>,
  outcome: 'created' | 'updated',
): Promise<void> {
  const { db, session, chunk } = context;
  const key = keyOf(context, product);
  const mine = await beginSending(db, { ...key, chunkId: chunk.id, payload: draft, payloadHash: hash });
  if (!mine) throw pushedElsewhere();
  try {
    const { id, handle } = await setProduct(session.client, variables);
    const result = { outcome, code: null, message: null, storeProductId: id };
    await record(context, product, result, hash, (trx) =>
      recordSent(trx, { ...key, storeProductId: id, handle, sent: draft, sentHash: hash }),
    );
    context.written.add(product.ourId);
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    // A write that may have taken effect stays `sending`: the next push reads it by our id before it sends anything.
    const end = error.hadNoEffect ? (trx: Db) => endSending(trx, key) : undefined;
    if (error.scope === 'store') {
      await end?.(db);
      throw error;
    }
    const { message, detail } = error;
    const result = { outcome: 'failed', code: 'store-refused', message, storeProductId: null } as const;
    await record(context, product, result, hash, end, detail);
  }
}

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
      message: result.message ?? context.notes.get(product.number) ?? null,
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
