import { findListings, recordBaselines } from '@draftshelf/core/push/listings';
import { endSending } from '@draftshelf/core/push/sending';
import type { OutcomeCode } from '@draftshelf/domain/imports/outcome';
import { keysOf } from '@draftshelf/domain/products/product-keys';
import { isDeletedProductError, StoreRefused } from '@draftshelf/shopify/store-errors';
import { callStore, type PartRefusal, setArrivedMetafields, setArrivedQuantities } from './call-store.ts';
import { composeWriteMessage } from './decide-pushed.ts';
import { type DraftWithFacts, decideUntilDone, type StepResult } from './decide-until-done.ts';
import type { Decision, DecisionOf } from './decision.ts';
import type { BuiltDraft, ProductToPublish, PublishContext, Work } from './publish-context.ts';
import { PublishLater } from './publish-errors.ts';
import type { PublishRecord, PublishResult } from './publish-record.ts';
import { type KnownFacts, readFact, takeOverAndRead, unreadFacts } from './read-facts.ts';
import { listUnstagedPhotos, setStagedAddresses, stageOwnPhotos } from './stage-photos.ts';

/** `written`: the store has answered our write, so the next read shows the result. */
export type PublishedResult = PublishResult & { written: boolean };

type PublishStep = StepResult<PublishedResult>;

/**
 * Brings one draft to the store as decideProduct decides, and records the result. Commits state `sending` before the
 * call. Waits for a turn before the first store read that the decision depends on. Throws PublishLater,
 * PublishStopped, and the errors of the store's client.
 */
export async function publishProduct(
  context: PublishContext,
  product: ProductToPublish,
): Promise<PublishedResult> {
  const { ourId, source, rebuild, resolvesOwnWrite } = product;
  const work: Work = {
    ...{ ourId, source, resolvesOwnWrite, found: null, staged: new Map() },
    ...{ repeated: null, keepsRepeated: false, turn: undefined, written: false, wasDeleted: false },
    ...{ unset: undefined, unsetMetafields: undefined },
  };
  try {
    return await decideUntilDone(product, {
      store: context.session,
      async carryOut(decision, { found, source, unset, unsetMetafields }) {
        Object.assign(work, { found, source, unset, unsetMetafields });
        if (reportsDrift(decision) && (await isOutdated(context, work))) return { changed: unreadFacts };
        if (needsTurn(decision)) work.turn ??= await context.enter();
        return carryOut(context, work, decision);
      },
      rebuild: rebuild && (async (before) => sameKeys(before, await rebuild())),
    });
  } finally {
    work.turn?.end();
  }
}

/** Throws PublishLater if a product without a listing has new keys, because its match was searched by the old keys. */
function sameKeys(before: DraftWithFacts, next: BuiltDraft): BuiltDraft {
  const isInStore = before.found !== null && before.found.store_product_id !== null;
  if (!isInStore && keyText(next) !== keyText(before)) {
    throw new PublishLater('A product was changed while it was being pushed.', { waitMs: changedPauseMs });
  }
  return next;
}

const changedPauseMs = 1_000;

const keyText = ({ built, source }: BuiltDraft): string =>
  built.ok ? JSON.stringify(keysOf(built.product, source?.rows)) : '';

const reportsDrift = (decision: Decision): boolean =>
  (decision.kind === 'unchanged' && decision.message !== null) ||
  (decision.kind === 'skip' && codesOfDrift.includes(decision.code));
const codesOfDrift: readonly OutcomeCode[] = ['drifted', 'different-content', 'choice-outdated', 'not-sent'];

/** Returns whether the listing has changed since it was read: a change in the store may then be our own. */
async function isOutdated({ db, session }: PublishContext, { ourId, found }: Work): Promise<boolean> {
  const now = (await findListings(db, session.shop, [ourId])).get(ourId);
  return now?.version !== found?.version;
}

const needsTurn = (decision: Decision): boolean =>
  decision.kind === 'create' ||
  decision.kind === 'update' ||
  (decision.kind === 'read' && (decision.by === 'id' || decision.by === 'our-id'));

async function carryOut(context: PublishContext, work: Work, decision: Decision): Promise<PublishStep> {
  const { db, session, sender } = context;
  const { ourId } = work;
  if (work.keepsRepeated && endsWithoutWrite(decision)) {
    await endRepeated(context, work);
    return { changed: unreadFacts };
  }
  switch (decision.kind) {
    case 'read': {
      const reader = {
        ...context,
        shop: session.shop,
        findByOurId: (id: string) => takeOverAndRead(context, id),
      };
      return { changed: withoutRepeated(work, await readFact(reader, ourId, decision)) };
    }
    case 'not-arrived':
      if (work.resolvesOwnWrite) {
        await endSending(db, sender, { shop: session.shop, ourId });
        throw new PublishLater('A write of this product was lost.', { waitMs: changedPauseMs });
      }
      work.repeated = work.found;
      work.keepsRepeated = true;
      return { changed: unreadFacts };
    case 'record':
      return recordArrived(context, work, decision);
    case 'wait':
      throw new PublishLater(decision.message);
    case 'create':
      return send(context, work, decision, 'created');
    case 'update':
      if (decision.baseline) {
        const version = versionOf(work);
        await recordBaselines(db, session.shop, [{ ourId, baseline: decision.baseline, version }]);
        return { changed: { ...unreadFacts, live: decision.before } };
      }
      return send(context, work, decision, 'updated');
    case 'adopt': {
      const listing = { kind: 'adopted', source: work.source, ...decision.listing } as const;
      return record(context, { ourId, result: unchanged(listing.storeProductId, decision.message), listing });
    }
    case 'unchanged': {
      const { storeProductId, message, baseline } = decision;
      const listing = baseline && ({ kind: 'seen', baseline, version: versionOf(work) } as const);
      return record(context, { ourId, result: unchanged(storeProductId, message), listing });
    }
    case 'skip':
      return recordSkipped(context, ourId, decision);
  }
}

async function endRepeated({ db, sender, session }: PublishContext, work: Work): Promise<void> {
  if (work.keepsRepeated) await endSending(db, sender, { shop: session.shop, ourId: work.ourId });
  work.keepsRepeated = false;
}

const endsWithoutWrite = ({ kind }: Decision) => kind === 'adopt' || kind === 'unchanged' || kind === 'skip';

function withoutRepeated({ keepsRepeated, repeated }: Work, facts: Partial<KnownFacts>): Partial<KnownFacts> {
  const { listing, found } = facts;
  const isRepeated = keepsRepeated && found?.sending_at?.getTime() === repeated?.sending_at?.getTime();
  return listing && isRepeated ? { ...facts, listing: { ...listing, sending: null } } : facts;
}

function versionOf({ ourId, found }: Work): string {
  if (!found) throw new Error(`${ourId} has a baseline without a listing`);
  return found.version;
}

const unchanged = (storeProductId: string, message: string | null): PublishResult => ({
  ...{ outcome: 'unchanged', code: null, message, storeProductId },
});

async function record(
  context: PublishContext,
  given: Pick<PublishRecord, 'ourId' | 'result'> & Partial<PublishRecord>,
  written = false,
): Promise<{ done: PublishedResult }> {
  await context.record({ payloadHash: null, cause: null, listing: null, isFinal: true, ...given });
  return { done: { ...given.result, written } };
}

/** Sets metafields and quantities, then records the write. If the write was of an older draft, an update follows. */
async function recordArrived(
  context: PublishContext,
  work: Work,
  decision: DecisionOf<'record'>,
): Promise<PublishStep> {
  const { outcome, code, message, listing, thenDecide } = decision;
  const { ourId, found } = work;
  const { sentHash, storeProductId } = listing;
  try {
    const left = await setArrivedMetafields(context, work, decision);
    if (left) return { changed: withUnsetMetafields(work, left) };
    const refusal = await setArrivedQuantities(context, work, decision);
    if (refusal) return { changed: withUnset(work, refusal) };
  } catch (error) {
    return await recordRefused(context, work, error, sentHash);
  }
  const arrived = {
    ourId,
    result: { outcome, code, message, storeProductId },
    payloadHash: sentHash,
    listing: { kind: 'sent', source: found?.sending_source ?? null, ...listing } as const,
    isFinal: !thenDecide,
  };
  const recorded = await record(context, arrived, work.written);
  return thenDecide ? { changed: unreadFacts } : recorded;
}

const timed = (refusal: PartRefusal, before: Work['unset']) => ({
  ...refusal,
  times: (before?.times ?? 0) + 1,
});
const withUnset = ({ unset, unsetMetafields }: Work, refusal: PartRefusal) => ({
  ...{ ...unreadFacts, unsetMetafields },
  unset: timed(refusal, unset),
});
const withUnsetMetafields = ({ unsetMetafields }: Work, refusal: PartRefusal) => ({
  ...unreadFacts,
  unsetMetafields: timed(refusal, unsetMetafields),
});

async function recordSkipped(
  context: PublishContext,
  ourId: string,
  { code, message, storeProductId, sendingHash }: DecisionOf<'skip'>,
): Promise<PublishStep> {
  const result = { outcome: 'skipped', code, message, storeProductId } as const;
  const listing = sendingHash === null ? null : ({ kind: 'ended' } as const);
  return record(context, { ourId, result, payloadHash: sendingHash, listing });
}

async function send(
  context: PublishContext,
  work: Work,
  write: DecisionOf<'create' | 'update'>,
  outcome: 'created' | 'updated',
): Promise<PublishStep> {
  const { ourId } = work;
  const { draft, hash } = write;
  if (write.kind === 'update' && write.isPartial) work.source = null;
  const { source } = work;
  const unstaged = listUnstagedPhotos(write.variables, work.staged);
  if (unstaged.length > 0) {
    // Uploads need no turn, because they have no effect until a call names them. Meanwhile, other products are sent.
    work.turn?.end();
    work.turn = undefined;
    const failure = await stageOwnPhotos(context, unstaged, work.staged);
    // Uploads may last minutes, so the facts are read again.
    if (!failure) return { changed: unreadFacts };
    await endRepeated(context, work);
    return record(context, refused(work, hash, failure));
  }
  work.keepsRepeated = false;
  try {
    const answer = await callStore(context, work, {
      ...write,
      variables: setStagedAddresses(write.variables, work.staged),
    });
    if (!answer) return { changed: unreadFacts };
    work.written = true;
    const { id: storeProductId, handle, unset, unsetMetafields } = answer;
    if (unsetMetafields) return { changed: withUnsetMetafields(work, unsetMetafields) };
    if (unset) return { changed: withUnset(work, unset) };
    const result = { outcome, code: null, message: composeWriteMessage(write), storeProductId };
    const listing = { kind: 'sent', storeProductId, handle, sent: draft, sentHash: hash, source } as const;
    return await record(context, { ourId, result, payloadHash: hash, listing }, true);
  } catch (error) {
    if (isDeletedProductError(error) && !work.wasDeleted) {
      await endSending(context.db, context.sender, { shop: context.session.shop, ourId });
      work.wasDeleted = true;
      return { changed: unreadFacts };
    }
    return await recordRefused(context, work, error, hash);
  }
}

const refused = ({ ourId }: Work, hash: string, { message, detail }: { message: string; detail: string }) => {
  const result = { outcome: 'failed', code: 'store-refused', message, storeProductId: null } as const;
  return { ourId, result, payloadHash: hash, cause: detail };
};

/** Records a refusal of the product. Throws all other errors. */
async function recordRefused(
  context: PublishContext,
  work: Work,
  error: unknown,
  hash: string,
): Promise<PublishStep> {
  if (!(error instanceof StoreRefused)) throw error;
  const { ourId } = work;
  // A write that may have taken effect stays `sending`, so that the next push first reads the product by our id.
  if (error.scope === 'store') {
    const { db, sender, session } = context;
    if (error.hadNoEffect) await endSending(db, sender, { shop: session.shop, ourId });
    throw error;
  }
  const listing = error.hadNoEffect ? ({ kind: 'ended' } as const) : null;
  return record(context, { ...refused(work, hash, error), listing });
}
