import { readPreferences } from '@draftshelf/core/access/preferences';
import { readClock } from '@draftshelf/core/connection/clock';
import type { Db } from '@draftshelf/core/connection/database';
import { recordProductEvent } from '@draftshelf/core/imports/record-event';
import { findListings, isSentOrBeingSent } from '@draftshelf/core/push/listings';
import { findChoices } from '@draftshelf/core/push/previews/push-choices';
import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import type { DraftResult } from '@draftshelf/domain/products/draft-product';
import { keysOf, type ProductKey } from '@draftshelf/domain/products/product-keys';
import type { DraftSource } from '@draftshelf/publishing/draft-source';
import { applyMatch, matchProducts, readChoices } from '@draftshelf/publishing/match-products';
import { createDirectStore, type ProductToPublish } from '@draftshelf/publishing/publish-context';
import { PublishLater } from '@draftshelf/publishing/publish-errors';
import { type PublishedResult, publishProduct } from '@draftshelf/publishing/publish-product';
import { type LedgerContext, type PublishRecord, storeRecords } from '@draftshelf/publishing/publish-record';
import { readBack } from '@draftshelf/publishing/read-back';
import type { OpenPhoto } from '@draftshelf/publishing/stage-photos';
import type { StoreSession } from '@draftshelf/publishing/store-session';
import { findProductIds, readLiveProducts } from '@draftshelf/shopify/products';
import { refuseStoreErrors } from '../access/store-reads.ts';
import { conflict, invalid, Refusal } from '../http/refusal.ts';

export type CallProduct = {
  /** `importId` and `product`: null without a row. `isNew`: no other call or push can have sent the product before. */
  identity: { ourId: string; importId: string | null; product: number | null; isNew: boolean };
  origin: 'call' | 'scanner';
  built: Extract<DraftResult, { ok: true }>;
  /** The values from which the draft was built. Null if the draft was posted. */
  source: DraftSource | null;
  /** Builds draft and source again from the newest values. Absent if the values cannot change. */
  rebuild?: () => Promise<{ built: CallProduct['built']; source: DraftSource }>;
  /** Returns the choice for a match, or null for the saved preference. Without this function, nothing is matched. */
  choiceFor: ((storeProductId: string) => MatchChoice | null) | null;
  /** Called first in each transaction that records the product. */
  onRecord?: (trx: Db, record: PublishRecord) => Promise<void>;
};

/**
 * A longer call counts as dead, so its product is read again before anything is sent. 30 s are for quantities, 30 s
 * for productSet, 30 s for waiting for points and repeating throttled calls, and 10 s for recording the result.
 */
const callMsMax = 100_000;

/**
 * Publishes a product for a call, exactly once per identity. Throws a Refusal if another call or push is sending the
 * product, or if the store does not answer.
 */
export async function publishForCall(
  db: Db,
  session: StoreSession,
  product: CallProduct,
  openPhoto: OpenPhoto,
): Promise<PublishedResult> {
  let current = product;
  const { rebuild } = product;
  const rebuildNow = async () => {
    current = { ...current, ...(await rebuild?.()) };
    return builtOf(current);
  };
  const matchedAt = product.choiceFor && (await readClock(db));
  const found = await refuseStoreErrors(findInStore(db, session, product));
  const toPublish = rebuild ? { ...found, rebuild: rebuildNow } : found;
  try {
    const published = await refuseStoreErrors(
      publishProduct(
        {
          ...{
            db,
            session,
            sender: { leaseMs: callMsMax },
            matchedAt,
            openPhoto,
            ...createDirectStore(session),
          },
          record: (record) =>
            db.transaction().execute((trx) => storeOfCall(trx, session.shop, current, record)),
        },
        toPublish,
      ),
    );
    if (published.written) await readWritten(db, session, toPublish.ourId);
    return published;
  } catch (error) {
    if (error instanceof PublishLater)
      throw conflict('This product is being pushed right now. Try again in a moment.');
    throw error;
  }
}

/** Returns the outcome. If the product was not published, throws a Refusal, with `field` if a text is too long. */
export function requirePublished({ outcome, code, message }: PublishedResult, field?: string) {
  if (outcome === 'failed') {
    throw new Refusal(422, { code: 'store_refused', message: message ?? 'The store refused the product.' });
  }
  if (outcome !== 'skipped') return outcome;
  if (code === 'too-long') throw invalid(message ?? 'A text is too long.', field);
  throw conflict(message ?? skippedSentence);
}

export const skippedSentence = 'The product was skipped.';

async function findInStore(db: Db, session: StoreSession, product: CallProduct): Promise<ProductToPublish> {
  const { identity, choiceFor } = product;
  const { ourId, importId, isNew } = identity;
  const found = (await findListings(db, session.shop, [ourId])).get(ourId) ?? null;
  const isListed = isNew || isSentOrBeingSent(found);
  const idInStore = isListed ? undefined : (await findProductIds(session.client, [ourId])).get(ourId);
  const unmatched = { ourId, ...builtOf(product), idInStore, found };
  const { sendNonOverlapping, whenInStore } = await readPreferences(db);
  if (choiceFor === null || isListed || idInStore !== undefined) {
    const choices = await findChoices(db, session.shop, [ourId]);
    return applyMatch(unmatched, undefined, { whenInStore, isChosen: false, sendNonOverlapping, choices });
  }
  const keyed = [{ ourId, keys: keysOfCall(product), built: product.built }];
  const matches = await matchProducts(db, session, importId, keyed, { updatesCopy: true });
  const match = matches.get(ourId);
  const chosen = match ? choiceFor(match.storeProductId) : null;
  // The choice in the call replaces choices of imports, but it never creates a deleted product again.
  const choices = match?.isDeleted ? await readChoices(db, session.shop, [ourId], [match]) : new Map();
  const inStore = { whenInStore: chosen ?? whenInStore, isChosen: chosen !== null };
  return applyMatch(unmatched, match, { ...inStore, sendNonOverlapping, choices });
}

const builtOf = ({ built, source }: CallProduct) => ({ built, source });

const keysOfCall = ({ built, source }: CallProduct): ProductKey[] => keysOf(built.product, source?.rows);

async function storeOfCall(
  trx: Db,
  shop: string,
  product: CallProduct,
  record: PublishRecord,
): Promise<void> {
  const { origin, identity, built, onRecord } = product;
  const ledger: LedgerContext = {
    origin,
    import_id: identity.importId,
    product: identity.product,
    run: null,
  };
  await onRecord?.(trx, record);
  await storeRecords(trx, shop, [{ record, ledger, keys: keysOfCall(product) }]);
  const { outcome, storeProductId } = record.result;
  if (outcome === 'skipped' || outcome === 'failed' || storeProductId === null) return;
  if (outcome !== 'unchanged') await recordProductEvent(trx, outcome, built.product.title);
}

/** Reads the written product as its baseline. Without a baseline, the next push compares with the sent draft. */
async function readWritten(db: Db, session: StoreSession, ourId: string): Promise<void> {
  await readBack(db, session.shop, [ourId], {
    written: new Set([ourId]),
    read: (products) =>
      readLiveProducts(
        session.client,
        products.map(({ id }) => id),
        session,
      ).catch(() => new Map()),
    fence: async () => undefined,
  });
}
