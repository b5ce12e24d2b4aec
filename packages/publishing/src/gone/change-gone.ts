import type { GoneLineRecord, GoneRecord } from '@draftshelf/core/connection/schema';
import { findListings, type VersionedListing } from '@draftshelf/core/push/listings';
import { incrementDoneProducts } from '@draftshelf/core/push/outcomes';
import { type ChangeResult, setChangeResult } from '@draftshelf/core/push/previews/change-lines';
import { addPreviewCounts } from '@draftshelf/core/push/previews/previews';
import { type ChunkClaim, findSendingRun, lockClaims } from '@draftshelf/core/push/sending';
import type { StillGoneItems } from '@draftshelf/core/suppliers/gone';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { keysOf, type ProductKey } from '@draftshelf/domain/products/product-keys';
import type { GoneProduct } from '@draftshelf/domain/push/line-facts-schema';
import { type GoneCode, type GoneOutcome, goneSumKey } from '@draftshelf/domain/suppliers/gone';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import type { DraftSource } from '../draft-source.ts';
import type { BuiltDraft, PublishContext } from '../publish-context.ts';
import { PublishLater, PublishStopped } from '../publish-errors.ts';
import { publishProduct } from '../publish-product.ts';
import { type PublishRecord, type PublishResult, storeRecords } from '../publish-record.ts';
import { takeOverProduct } from '../undo/undo-product.ts';
import {
  addListingFacts,
  buildGoneDraft,
  createGonePushOptions,
  decideGone,
  type GoneDecision,
  isAlreadyDone,
  keepIfSupplied,
  kept,
  toGoneCode,
} from './decide-gone.ts';

export type GoneContext = Pick<
  PublishContext,
  'db' | 'session' | 'read' | 'readStamp' | 'enter' | 'openPhoto' | 'signal'
> & {
  preview: GoneRecord;
  /** The import's current supplier. Null if it has none. `again`: the items that are still gone, by our id. */
  supplier: number | null;
  again: ReadonlyMap<string, StillGoneItems>;
  chunk: ChunkClaim & { run: number };
};

type Done = ChangeResult<GoneOutcome, GoneCode>;

/**
 * Changes a product as decideGone decides, by pushing a draft, and records the result. A write that an earlier claim
 * of this run began is resolved first. Returns our id if the product was written, else null. Throws PublishLater,
 * PublishStopped, and the errors of the store's client.
 */
export async function changeGoneProduct(context: GoneContext, line: GoneLineRecord): Promise<string | null> {
  const { db, session, preview, chunk } = context;
  const { our_id: ourId } = line;
  const again = context.again.get(ourId);
  const product = { ...line.facts, ...again, keys: line.facts.keys };
  if (again?.isListed) product.isWhole = false;
  const { action } = preview.gone;
  const { shop } = session;
  const left = leftBy(context, line, product, again?.keys ?? []);
  let listing = (await findListings(db, shop, [ourId])).get(ourId) ?? null;
  const sender = listing?.sending ? await findSendingRun(db, listing.sending_chunk) : null;
  const isOurs = sender?.importId === preview.import_id && sender.run === chunk.run;
  if (left && !isOurs) {
    await record(context, line, () => left);
    return null;
  }
  if (listing?.sending && (left || !isOurs)) {
    // With an empty import id, takeOverProduct does not return an unfinished undo of this import as a mark to continue.
    await takeOverProduct({ db, session, chunk, push: { shop, importId: '' } }, ourId);
    listing = (await findListings(db, shop, [ourId])).get(ourId) ?? null;
  }
  const facts = addListingFacts({ ourId, action, product, store: session }, listing);
  if (left) {
    // An earlier claim had begun the change, so the result depends on whether the store already has it.
    const hasArrived = isAlreadyDone({ ...facts, live: await liveOf(context, listing) });
    await record(context, line, () => (hasArrived ? { action, ...noReason } : left));
    return null;
  }
  let draft: BuiltDraft;
  if (listing?.sending && facts.listing?.pushed) {
    draft = buildGoneDraft(facts, facts.listing.pushed.rebuiltDraft);
  } else {
    const decision = decideGone({ ...facts, live: await liveOf(context, listing) });
    if (decision.kind !== 'write') {
      await record(context, line, () => doneBy(decision));
      return null;
    }
    ({ draft } = decision);
  }
  const published = await publishProduct(
    {
      ...context,
      ...{ sender: { chunk }, matchedAt: null },
      record: (pushed) => record(context, line, () => doneAs(pushed.result, context), pushed),
    },
    {
      ...{ ourId, ...draft, found: listing, idInStore: undefined, match: null },
      ...createGonePushOptions(action),
    },
  );
  return published.written ? ourId : null;
}

const noReason = { code: null, message: null };

const liveOf = async (context: GoneContext, listing: VersionedListing | null): Promise<LiveProduct | null> =>
  listing?.store_product_id ? context.read(listing.store_product_id) : null;

function leftBy(
  { preview, supplier }: GoneContext,
  line: GoneLineRecord,
  product: GoneProduct,
  stillGone: readonly string[],
): Done | null {
  const { action } = preview.gone;
  if (line.action !== action)
    return { action: line.action ?? 'keep', code: line.code, message: line.message };
  if (supplier !== preview.gone.supplier) return doneBy(kept('supplier-left'));
  if (!product.keys.every((key) => stillGone.includes(key))) return doneBy(kept('listed-again'));
  const left = keepIfSupplied(action, product);
  return left && doneBy(left);
}

const doneBy = (decision: Exclude<GoneDecision, { kind: 'write' }>): Done =>
  decision.kind === 'already'
    ? { action: 'already', ...noReason }
    : { action: 'keep', code: decision.code, message: decision.message };

function doneAs({ outcome, code, message }: PublishResult, { preview }: GoneContext): Done {
  if (outcome === 'created' || outcome === 'updated')
    return { action: preview.gone.action, code: null, message };
  // Another push has sent this change since the decision, so the product must be decided again.
  if (outcome === 'unchanged') throw new PublishLater('A product was pushed while it was being changed.');
  return { action: 'keep', code: toGoneCode({ code }), message };
}

/** Records the first result of a line, with its push, in one transaction. Later results are ignored. */
async function record(
  context: GoneContext,
  { line }: GoneLineRecord,
  doneOf: () => Done,
  pushed?: PublishRecord,
): Promise<void> {
  const { db, session, preview, chunk } = context;
  const importId = preview.import_id;
  await db.transaction().execute(async (trx) => {
    if ((await lockClaims(trx, [chunk])).size === 0) throw new PublishStopped();
    const done = doneOf();
    const isFinal = pushed?.isFinal ?? true;
    if (isFinal && !(await setChangeResult(trx, { preview: preview.id, line }, done))) return;
    if (pushed) {
      const ledger = { origin: 'gone', import_id: importId, product: null, run: chunk.run } as const;
      await storeRecords(trx, session.shop, [{ record: pushed, ledger, keys: keysIn(pushed) }]);
    }
    if (!isFinal) return;
    // The import is locked before the preview, as in the transactions that begin and end a run.
    await incrementDoneProducts(trx, importId, chunk.run);
    await addPreviewCounts(trx, preview.id, {
      counts: { results: { [goneSumKey(done.action, done.code)]: 1 } },
    });
  });
}

function keysIn({ listing }: PublishRecord): ProductKey[] {
  const sent = listing && 'sent' in listing ? (listing.sent as DraftProduct) : null;
  const source = listing && 'source' in listing ? (listing.source as DraftSource | null) : null;
  return sent ? keysOf(sent, source?.rows) : [];
}
