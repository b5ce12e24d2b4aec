import type { Db } from '@draftshelf/core/connection/database';
import type { GoneLineRecord, GoneProduct, GoneRecord } from '@draftshelf/core/connection/schema';
import { findListings, type VersionedListing } from '@draftshelf/core/push/listings';
import { countGoneDone, setGoneResult } from '@draftshelf/core/push/previews/gone-lines';
import { addToPreview } from '@draftshelf/core/push/previews/previews';
import { type ClaimHolder, findSendingRun, lockClaims } from '@draftshelf/core/push/sending';
import type { GoneAgain } from '@draftshelf/core/suppliers/gone';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { keysOf } from '@draftshelf/domain/products/product-keys';
import { type GoneCode, type GoneEnd, goneSumKey } from '@draftshelf/domain/suppliers/gone';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import type { DraftSource } from '../draft-source.ts';
import type { BuiltDraft, PublishContext } from '../publish-context.ts';
import { PublishLater, PublishStopped } from '../publish-errors.ts';
import { publishProduct } from '../publish-product.ts';
import { type PublishRecord, type PublishResult, storeRecords } from '../publish-record.ts';
import { factsOf } from '../read-facts.ts';
import { settleMark } from '../undo/undo-product.ts';
import {
  codeOf,
  decideGone,
  type GoneDecision,
  goneDraft,
  isDone,
  kept,
  leftByLists,
  pushOf,
} from './decide-gone.ts';

export type GoneContext = Pick<
  PublishContext,
  'db' | 'session' | 'read' | 'readStamp' | 'enter' | 'openPhoto' | 'signal'
> & {
  preview: GoneRecord;
  /** The import's current supplier, and the current state of the products in lists, by our id. */
  supplier: number | null;
  again: ReadonlyMap<string, GoneAgain>;
  chunk: ClaimHolder & { run: number };
};

type Done = { end: GoneEnd; code: GoneCode | null; message: string | null };

/**
 * Changes one product as decideGone decides, by pushing a draft, and records the result. A write that an earlier
 * claim of this run began is resolved first. Returns our id if it was written. Throws PublishLater, PublishStopped,
 * and the errors of the store's client.
 */
export async function changeGoneProduct(context: GoneContext, line: GoneLineRecord): Promise<string | null> {
  const { db, session, preview, chunk } = context;
  const { our_id: ourId } = line;
  const again = context.again.get(ourId);
  const product = { ...line.items, ...again, keys: line.items.keys };
  if (again?.isListed) product.isWhole = false;
  const { action } = preview.gone;
  const { shop } = session;
  const left = leftBy(context, line, product, again?.keys ?? []);
  let listing = (await findListings(db, shop, [ourId])).get(ourId) ?? null;
  const sender = listing?.sending ? await findSendingRun(db, listing.sending_chunk) : null;
  const isOurs = sender?.importId === preview.import_id && sender.run === chunk.run;
  if (left && !isOurs) {
    await recordResult(context, line, left);
    return null;
  }
  if (listing?.sending && (left || !isOurs)) {
    // A change that an undo of this import has begun does not belong to this run either.
    await settleMark({ db, session, chunk, push: { shop, importId: '' } }, ourId);
    listing = (await findListings(db, shop, [ourId])).get(ourId) ?? null;
  }
  const source = (listing?.source ?? null) as DraftSource | null;
  const facts = { ourId, action, product, listing: factsOf(listing).listing ?? null, source, store: session };
  if (left) {
    // An earlier claim had begun it: the result is the part that has arrived.
    const hasArrived = isDone({ ...facts, live: await liveOf(context, listing) });
    await recordResult(context, line, hasArrived ? { end: action, ...noReason } : left);
    return null;
  }
  let draft: BuiltDraft;
  if (listing?.sending && facts.listing?.pushed) {
    draft = goneDraft(facts, facts.listing.pushed.rebuiltDraft);
  } else {
    const decision = decideGone({ ...facts, live: await liveOf(context, listing) });
    if (decision.kind !== 'write') {
      await recordResult(context, line, doneBy(decision));
      return null;
    }
    ({ draft } = decision);
  }
  const published = await publishProduct(
    {
      ...context,
      ...{ sender: { chunk }, matchedAt: null },
      record: (record) => store(context, line, record),
    },
    { ...{ ourId, ...draft, found: listing, idInStore: undefined, match: null }, ...pushOf(action) },
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
  if (line.action !== action) return { end: line.action ?? 'keep', code: line.code, message: line.message };
  if (supplier !== preview.gone.supplier) return doneBy(kept('supplier-left'));
  if (!product.keys.every((key) => stillGone.includes(key))) return doneBy(kept('listed-again'));
  const left = leftByLists(action, product);
  return left && doneBy(left);
}

const doneBy = (decision: Exclude<GoneDecision, { kind: 'write' }>): Done =>
  decision.kind === 'already'
    ? { end: 'already', ...noReason }
    : { end: 'keep', code: decision.code, message: decision.message };

function doneAs({ outcome, code, message }: PublishResult, { preview }: GoneContext): Done {
  if (outcome === 'created' || outcome === 'updated')
    return { end: preview.gone.action, code: null, message };
  // Another push has sent the same since the decision, so the product is decided again.
  if (outcome === 'unchanged') throw new PublishLater('A product was pushed while it was being changed.');
  return { end: 'keep', code: codeOf({ code }), message };
}

async function store(context: GoneContext, line: GoneLineRecord, record: PublishRecord): Promise<void> {
  const { db, session, preview, chunk } = context;
  await db.transaction().execute(async (trx) => {
    if ((await lockClaims(trx, [chunk])).size === 0) throw new PublishStopped();
    const done = doneAs(record.result, context);
    const of = { preview: preview.id, line: line.line };
    if (record.isFinal && !(await setGoneResult(trx, of, done))) return;
    const { listing } = record;
    const sent = listing && 'sent' in listing ? (listing.sent as DraftProduct) : null;
    const source = listing && 'source' in listing ? (listing.source as DraftSource | null) : null;
    const ledger = { origin: 'gone', import_id: preview.import_id, product: null, run: chunk.run } as const;
    await storeRecords(trx, session.shop, [{ record, ledger, keys: sent ? keysOf(sent, source?.rows) : [] }]);
    if (record.isFinal) await countDone(trx, context, done);
  });
}

async function recordResult(context: GoneContext, { line }: GoneLineRecord, done: Done): Promise<void> {
  const { db, preview, chunk } = context;
  await db.transaction().execute(async (trx) => {
    if ((await lockClaims(trx, [chunk])).size === 0) throw new PublishStopped();
    if (await setGoneResult(trx, { preview: preview.id, line }, done)) await countDone(trx, context, done);
  });
}

/** Locks the import before the preview, in the order in which a run begins and ends. */
async function countDone(trx: Db, { preview, chunk }: GoneContext, { end, code }: Done): Promise<void> {
  await countGoneDone(trx, preview.import_id, chunk.run);
  await addToPreview(trx, preview.id, { counts: { results: { [goneSumKey(end, code)]: 1 } } });
}
