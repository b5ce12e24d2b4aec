import type { Db } from '@draftshelf/database/connection/database';
import { findListing, recordBaselines } from '@draftshelf/database/push/listings';
import { beginSending, endSending, type Sender, takeOverSending } from '@draftshelf/database/push/sending';
import type { ListingRecord } from '@draftshelf/database/schema';
import type { DraftProduct, DraftResult } from '@draftshelf/domain/draft-product';
import type { LiveProduct } from '@draftshelf/shopify/product-state';
import { findProduct, readProducts, setProduct } from '@draftshelf/shopify/products';
import { StoreRefused } from '@draftshelf/shopify/store-errors';
import { decideProduct } from './decide-product.ts';
import type { Decision, Listing, ProductFacts } from './decision.ts';
import { PublishLater, PublishStopped } from './publish-errors.ts';
import type { PublishRecord, PublishResult } from './publish-record.ts';
import type { StoreSession } from './store-session.ts';

export type PublishContext = {
  /** Statements run outside of any transaction. */
  db: Db;
  session: StoreSession;
  sender: Sender;
  /** Stores a record, with `storeRecords`; resolves when it is committed. */
  record(record: PublishRecord): Promise<void>;
};

export type ProductToPublish = {
  ourId: string;
  /** The draft product, or why there is none. */
  built: DraftResult;
  /** The id of the store's product under our id, if no listing knows it. */
  idInStore: string | undefined;
  /** A product of the store under another id that has a key of this one. */
  match: ProductFacts['match'];
};

/** `written`: the store has answered our write, so that the next read shows its result. */
export type Published = PublishResult & { written: boolean };

/** A decision of some kinds. */
type Decided<Kind extends Decision['kind']> = Extract<Decision, { kind: Kind }>;

const sentElsewherePauseMs = 1000;

/** The facts that are read for a decision. */
type ReadFacts = Pick<ProductFacts, 'listing' | 'live'>;
const nothingRead: ReadFacts = { listing: undefined, live: undefined };

type Step = { changed: Partial<ReadFacts> } | { done: Published };

/**
 * Brings one draft product to the store as decideProduct decides, and records the result. Payload and state `sending`
 * are committed before the call; the record is stored after it. Throws PublishLater, PublishStopped, and what the
 * store's client throws.
 */
export async function publishProduct(context: PublishContext, product: ProductToPublish): Promise<Published> {
  let facts: ProductFacts = { ...product, store: context.session, ...nothingRead };
  for (;;) {
    const step = await carryOut(context, product.ourId, decideProduct(facts));
    if ('done' in step) return step.done;
    facts = { ...facts, ...step.changed };
  }
}

async function carryOut(context: PublishContext, ourId: string, decision: Decision): Promise<Step> {
  const { db, session } = context;
  switch (decision.kind) {
    case 'read':
      return { changed: await readFact(context, ourId, decision) };
    case 'not-arrived':
      await endSending(db, session.shop, [ourId]);
      return { changed: nothingRead };
    case 'record':
      return recordArrived(context, ourId, decision);
    case 'wait':
      throw new PublishLater(decision.message);
    case 'create':
      return send(context, ourId, decision, 'created');
    case 'update':
      if (decision.baseline) {
        await recordBaselines(db, session.shop, [{ ourId, baseline: decision.baseline }]);
      }
      return send(context, ourId, decision, 'updated');
    case 'adopt': {
      const listing = { kind: 'adopted', ...decision.listing } as const;
      return record(context, { ourId, result: unchanged(listing.storeProductId), listing });
    }
    case 'unchanged':
      return record(context, { ourId, result: unchanged(decision.storeProductId) });
    case 'skip':
      return recordSkipped(context, ourId, decision);
  }
}

const unchanged = (storeProductId: string): PublishResult => ({
  outcome: 'unchanged',
  code: null,
  message: null,
  storeProductId,
});

async function record(
  context: PublishContext,
  given: Pick<PublishRecord, 'ourId' | 'result'> & Partial<PublishRecord>,
  written = false,
): Promise<{ done: Published }> {
  await context.record({ payloadHash: null, cause: null, listing: null, isFinal: true, ...given });
  return { done: { ...given.result, written } };
}

async function readFact(
  { db, session, sender }: PublishContext,
  ourId: string,
  wanted: Decided<'read'>,
): Promise<Partial<ReadFacts>> {
  switch (wanted.by) {
    case 'listing':
      return { listing: listingOf(await findListing(db, session.shop, ourId)) };
    case 'id':
      return { live: (await readProducts(session.client, [wanted.id])).get(wanted.id) ?? null };
    case 'our-id':
      // Only a product found `sending` is read by our id, and only by the sender that resolves it.
      if (!(await takeOverSending(db, sender, { shop: session.shop, ourId }))) throw sentElsewhere();
      return { live: await findProduct(session.client, ourId) };
  }
}

const sentElsewhere = () =>
  new PublishLater('Another import is pushing this product right now.', { waitMs: sentElsewherePauseMs });

/** A listing's drafts and baseline are stored as JSON, by this package only. */
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
  context: PublishContext,
  ourId: string,
  { outcome, listing, thenDecide }: Decided<'record'>,
): Promise<Step> {
  const result = { outcome, code: null, message: null, storeProductId: listing.storeProductId };
  const arrived = {
    ourId,
    result,
    payloadHash: listing.sentHash,
    listing: { kind: 'sent', ...listing } as const,
    isFinal: !thenDecide,
  };
  const recorded = await record(context, arrived);
  return thenDecide ? { changed: nothingRead } : recorded;
}

async function recordSkipped(
  context: PublishContext,
  ourId: string,
  { code, message, storeProductId, sendingHash }: Decided<'skip'>,
): Promise<Step> {
  const result = { outcome: 'skipped', code, message, storeProductId } as const;
  const listing = sendingHash === null ? null : ({ kind: 'ended' } as const);
  return record(context, { ourId, result, payloadHash: sendingHash, listing });
}

async function send(
  context: PublishContext,
  ourId: string,
  { variables, draft, hash }: Decided<'create' | 'update'>,
  outcome: 'created' | 'updated',
): Promise<Step> {
  const { db, session, sender } = context;
  const sending = { shop: session.shop, ourId, payload: draft, payloadHash: hash };
  const begun = await beginSending(db, sender, sending);
  if (begun === 'elsewhere') throw sentElsewhere();
  if (begun === 'stopped') throw new PublishStopped();
  try {
    const { id, handle } = await setProduct(session.client, variables);
    const result = { outcome, code: null, message: null, storeProductId: id };
    const listing = { kind: 'sent', storeProductId: id, handle, sent: draft, sentHash: hash } as const;
    return await record(context, { ourId, result, payloadHash: hash, listing }, true);
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    // A write that may have taken effect stays `sending`: the next push reads it by our id before it sends anything.
    if (error.scope === 'store') {
      if (error.hadNoEffect) await endSending(db, session.shop, [ourId]);
      throw error;
    }
    const { message, detail } = error;
    const result = { outcome: 'failed', code: 'store-refused', message, storeProductId: null } as const;
    const listing = error.hadNoEffect ? ({ kind: 'ended' } as const) : null;
    return record(context, { ourId, result, payloadHash: hash, listing, cause: detail });
  }
}
