import type { Db } from '@draftshelf/database/connection/database';
import type { GoneRecord } from '@draftshelf/database/connection/schema';
import { findListings } from '@draftshelf/database/push/listings';
import {
  countGoneDone,
  type OpenGoneLine,
  setGoneResult,
} from '@draftshelf/database/push/previews/gone-lines';
import { addToPreview } from '@draftshelf/database/push/previews/previews';
import { type ClaimHolder, findSendingRun, lockClaims } from '@draftshelf/database/push/sending';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { keysOf } from '@draftshelf/domain/products/product-keys';
import { type GoneCode, type GoneEnd, goneSentence, goneSumKey } from '@draftshelf/domain/suppliers/gone';
import type { DraftSource } from '../draft-source.ts';
import type { BuiltDraft, PublishContext } from '../publish-context.ts';
import { PublishStopped } from '../publish-errors.ts';
import { publishProduct } from '../publish-product.ts';
import { type PublishRecord, type PublishResult, storeRecords } from '../publish-record.ts';
import { factsOf } from '../read-facts.ts';
import { settleMark } from '../undo/undo-product.ts';
import { codeOf, decideGone, goneDraft } from './decide-gone.ts';

/** What the change of a product that is gone needs of its run. */
export type GoneContext = Pick<
  PublishContext,
  'db' | 'session' | 'read' | 'readStamp' | 'enter' | 'openPhoto' | 'signal'
> & { preview: GoneRecord; chunk: ClaimHolder & { run: number } };

type Done = { end: GoneEnd; code: GoneCode | null; message: string | null };

/**
 * Changes one product as decideGone decides, as a push of a draft of it, and records the result. A write that an
 * earlier claim of this run has begun is resolved and repeated by the rules of a push. Returns our id if it was
 * written. Throws PublishLater, PublishStopped, and the errors of the store's client.
 */
export async function changeGoneProduct(context: GoneContext, line: OpenGoneLine): Promise<string | null> {
  const { db, session, preview, chunk } = context;
  const { our_id: ourId, items: product } = line;
  const { action } = preview.gone;
  if (line.action !== action || line.isBack) {
    await recordResult(context, line, unchangedBy(line));
    return null;
  }
  const { shop } = session;
  let listing = (await findListings(db, shop, [ourId])).get(ourId) ?? null;
  const sender = listing?.sending ? await findSendingRun(db, listing.sending_chunk) : null;
  const isOurs = sender?.importId === preview.import_id && sender.run === chunk.run;
  if (listing?.sending && !isOurs) {
    // What an undo of this import has begun is not of this run either.
    await settleMark({ db, session, chunk, push: { shop, importId: '' } }, ourId);
    listing = (await findListings(db, shop, [ourId])).get(ourId) ?? null;
  }
  const source = (listing?.source ?? null) as DraftSource | null;
  const facts = { ourId, action, product, listing: factsOf(listing).listing ?? null, source, store: session };
  let draft: BuiltDraft;
  if (listing?.sending && facts.listing?.pushed) {
    draft = goneDraft(facts, facts.listing.pushed.rebuiltDraft);
  } else {
    const storeProductId = listing?.store_product_id ?? null;
    const live = storeProductId === null ? null : await context.read(storeProductId);
    const decision = decideGone({ ...facts, live });
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
    {
      ...{ ourId, ...draft, found: listing, idInStore: undefined, match: null },
      ...{ choices: new Map(), sendNonOverlapping: true },
    },
  );
  return published.written ? ourId : null;
}

/** The result of a line that was planned to stay as it is, or whose product is listed again. */
const unchangedBy = ({ isBack, action, code, message }: OpenGoneLine): Done =>
  isBack
    ? { end: 'keep', code: 'listed-again', message: goneSentence('listed-again') }
    : { end: action ?? 'keep', code, message };

const doneBy = (decision: Exclude<ReturnType<typeof decideGone>, { kind: 'write' }>): Done =>
  decision.kind === 'already'
    ? { end: 'already', code: null, message: null }
    : { end: 'keep', code: decision.code, message: decision.message };

function doneAs({ outcome, code, message }: PublishResult, { preview }: GoneContext): Done {
  if (outcome === 'created' || outcome === 'updated')
    return { end: preview.gone.action, code: null, message };
  if (outcome === 'unchanged') return { end: 'already', code: null, message: null };
  return { end: 'keep', code: codeOf({ code }), message };
}

/** Stores a record of the product's publishing, with the result of its line once it is final. */
async function store(context: GoneContext, line: OpenGoneLine, record: PublishRecord): Promise<void> {
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

/** Records that nothing is sent. */
async function recordResult(context: GoneContext, { line }: OpenGoneLine, done: Done): Promise<void> {
  const { db, preview, chunk } = context;
  await db.transaction().execute(async (trx) => {
    if ((await lockClaims(trx, [chunk])).size === 0) throw new PublishStopped();
    if (await setGoneResult(trx, { preview: preview.id, line }, done)) await countDone(trx, context, done);
  });
}

/** The import is locked before the preview, as where a run begins and ends. */
async function countDone(trx: Db, { preview, chunk }: GoneContext, { end, code }: Done): Promise<void> {
  await countGoneDone(trx, preview.import_id, chunk.run);
  await addToPreview(trx, preview.id, { counts: { results: { [goneSumKey(end, code)]: 1 } } });
}
