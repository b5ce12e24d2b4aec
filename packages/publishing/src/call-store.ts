import type { Db } from '@draftshelf/core/connection/database';
import type { KeyClaims } from '@draftshelf/core/push/key-claims';
import { beginSending, renewSending, type Sender, type StoreWrite } from '@draftshelf/core/push/sending';
import { keysOf } from '@draftshelf/domain/products/product-keys';
import type { CallPermit } from '@draftshelf/shopify/call-gate';
import type { RequestOptions } from '@draftshelf/shopify/client';
import { requestCost } from '@draftshelf/shopify/cost';
import { externalIdKey, type MetafieldToSet } from '@draftshelf/shopify/documents';
import { payloadHash } from '@draftshelf/shopify/payload-hash';
import { isOwn, type MetafieldWrites } from '@draftshelf/shopify/product/lists/metafields';
import type { QuantityChange } from '@draftshelf/shopify/product/lists/quantities';
import {
  deleteMetafields,
  metafieldsPerCallMax,
  setMetafields,
  setProduct,
  setQuantities,
} from '@draftshelf/shopify/products';
import { StoreRefused } from '@draftshelf/shopify/store-errors';
import type { DecisionOf, UnsetReason } from './decision.ts';
import type { PublishContext, Work } from './publish-context.ts';
import { PublishLater, PublishStopped } from './publish-errors.ts';
import { sentElsewhereError } from './read-facts.ts';
import type { StoreSession } from './store-session.ts';

/** `unset`: why the store refused the quantities. `unsetMetafields`: why it refused metafields. Null if it did not. */
type StoreAnswer = {
  id: string;
  handle: string;
  unset: PartRefusal | null;
  unsetMetafields: PartRefusal | null;
};
export type PartRefusal = Omit<UnsetReason, 'times'>;

/**
 * Commits that the product is being sent, then sends the product, the metafields to set separately and the quantities.
 * Returns undefined if the listing has changed. Throws PublishLater while another product holds a key of this product.
 */
export async function callStore(
  context: PublishContext,
  { ourId, found, repeated, source, turn }: Work,
  write: DecisionOf<'create' | 'update'>,
): Promise<StoreAnswer | undefined> {
  if (!turn) throw new Error('A product is sent without a turn');
  const { session } = context;
  const { variables, draft, hash } = write;
  const update = write.kind === 'update' ? write : null;
  const quantities = update?.quantities ?? [];
  const begunAt = repeated?.sending_hash === hash ? repeated.sending_at : null;
  const stockAt = (at: Date | null) => stockCalls(session, quantities, { hash, attempt: 0, begunAt: at });
  const isSet = update === null || Object.keys(variables.input).length > 0;
  const points = isSet ? [requestCost('productSet', variables)] : [];
  const calls = update?.metafields ? createMetafieldCalls(session, update.before.id, update.metafields) : [];
  for (const call of [...calls, ...stockAt(begunAt)]) points.push(call.points);
  const sending = {
    ...{ ourId, payload: draft, payloadHash: hash, source, kind: write.kind, begunAt },
    ...{ before: update?.before ?? null, kept: update?.kept?.values ?? null },
    ...{ version: found?.version ?? null, claims: claimsOf(context, write, source) },
  };
  const sent = await sendProduct({ ...context, turn }, sending, points, async (options, at) => {
    const from = performance.now();
    const answer = isSet ? await setProduct(session.client, variables, options()) : update.before;
    if (isSet) turn.answered(performance.now() - from);
    const unsetMetafields = await setAll(calls, options);
    const unset = unsetMetafields ? null : await setAll(stockAt(at), options);
    if (!unset && !unsetMetafields) turn.end();
    return { id: answer.id, handle: answer.handle, unset, unsetMetafields };
  });
  if (sent === 'claimed') throw sentElsewhereError();
  return sent === 'elsewhere' ? undefined : sent.answer;
}

/**
 * Reserves the points of calls, commits that the product is being sent, then makes the calls. Points are reserved
 * first, because a product must not wait while being sent. Throws PublishStopped if the sender has lost the product.
 */
export async function sendProduct<Answer>(
  { db, session, sender, turn }: Pick<PublishContext, 'db' | 'session' | 'sender'> & { turn: CallPermit },
  write: StoreWrite & { ourId: string },
  points: readonly number[],
  call: (options: () => RequestOptions, begunAt: Date) => Promise<Answer>,
): Promise<{ answer: Answer } | 'elsewhere' | 'claimed'> {
  const sending = { shop: session.shop, ...write };
  const reservations: RequestOptions['reservation'][] = [];
  try {
    for (const one of points) reservations.push(await turn.reserve(one));
    const options = callsOfSender(db, sender, sending, performance.now());
    const begun = await beginSending(db, sender, sending);
    if (begun.is === 'stopped') throw new PublishStopped();
    if (begun.is !== 'begun') return begun.is;
    return { answer: await call(() => ({ ...options, reservation: reservations.shift() }), begun.at) };
  } finally {
    for (const reservation of reservations) await turn.unused(reservation);
  }
}

function claimsOf(
  { matchedAt }: PublishContext,
  write: DecisionOf<'create' | 'update'>,
  source: Work['source'],
): KeyClaims {
  if (write.kind === 'update')
    return { keys: [{ kind: 'product', value: write.before.id }], since: matchedAt };
  return { keys: matchedAt ? keysOf(write.draft, source?.rows) : [], since: matchedAt };
}

/** A call that sets parts of a product. If a part has changed in the store, `send` sets none and returns 'stale'. */
type PartCall = { points: number; send(options: RequestOptions): Promise<'set' | 'stale'> };

/** Returns calls that set up to 25 metafields each. Our id has its own call, so that no other value makes it fail. */
export function createMetafieldCalls(
  { client }: Pick<StoreSession, 'client'>,
  id: string,
  { set, remove }: MetafieldWrites,
): PartCall[] {
  const isId = (one: MetafieldToSet) => isOwn(one) && one.key === externalIdKey;
  const others = set.filter((one) => !isId(one));
  const batches = [set.filter(isId)];
  for (let at = 0; at < others.length; at += metafieldsPerCallMax) {
    batches.push(others.slice(at, at + metafieldsPerCallMax));
  }
  const calls = batches
    .filter((batch) => batch.length > 0)
    .map(
      (batch): PartCall => ({
        points: requestCost('metafieldsSet', { metafields: [] }),
        send: (options) => setMetafields(client, id, batch, options),
      }),
    );
  if (remove.length === 0) return calls;
  const removal: PartCall = {
    points: requestCost('metafieldsDelete', { metafields: [] }),
    async send(options) {
      await deleteMetafields(client, id, remove, options);
      return 'set';
    },
  };
  return [removal, ...calls];
}

/** Returns the call that sets quantities; empty without quantities. Its key is a hash of the quantities and `write`. */
export function createQuantityCalls(
  { client, shop, locationId }: StoreSession,
  quantities: readonly QuantityChange[],
  write: object,
): PartCall[] {
  if (quantities.length === 0) return [];
  const at = quantities.map((one) => ({ ...one, locationId: locationId ?? '' }));
  const key = payloadHash({ shop, ...write, at });
  const input = { name: 'available', reason: 'correction', quantities: at } as const;
  return [
    {
      points: requestCost('inventorySetQuantities', { key, input }),
      send: (options) => setQuantities(client, { key, quantities: at }, options),
    },
  ];
}

/**
 * Returns the call for a write's quantities. Its idempotency key stays the same if another sender repeats it after a
 * lost response. The key contains `begunAt`, because another write may set the same quantities within a day.
 */
const stockCalls = (
  session: StoreSession,
  quantities: readonly QuantityChange[],
  { begunAt, ...write }: { hash: string; attempt: number; begunAt: Date | null },
) => createQuantityCalls(session, quantities, { ...write, begunAt: begunAt?.toISOString() ?? null });

/** Makes calls until one is refused. Returns the refusal, or null if there is none. */
async function setAll(
  calls: readonly PartCall[],
  optionsFor: (points: number) => RequestOptions | Promise<RequestOptions>,
): Promise<PartRefusal | null> {
  for (const { points, send } of calls) {
    const options = await optionsFor(points);
    const refusal = await refusalOf(() => send(options));
    if (refusal) return refusal;
  }
  return null;
}

/** Sets separate metafields of a write whose product has arrived. Returns the refusal, or null if there is none. */
export const setArrivedMetafields = (
  context: PublishContext,
  work: Work,
  { metafields, listing }: DecisionOf<'record'>,
): Promise<PartRefusal | null> =>
  callNext(
    context,
    work,
    metafields ? createMetafieldCalls(context.session, listing.storeProductId, metafields) : [],
  );

/** Sets the quantities of a write whose product has arrived. Returns the refusal, or null if there is none. */
export function setArrivedQuantities(
  context: PublishContext,
  work: Work,
  { quantities, listing }: DecisionOf<'record'>,
): Promise<PartRefusal | null> {
  const [attempt, begunAt] = [work.unset?.times ?? 0, work.found?.sending_at ?? null];
  const write = { hash: listing.sentHash, attempt, begunAt };
  return callNext(context, work, stockCalls(context.session, quantities, write));
}

async function callNext(
  { db, session, sender }: PublishContext,
  { ourId, turn }: Work,
  calls: readonly PartCall[],
): Promise<PartRefusal | null> {
  if (calls.length === 0) return null;
  if (!turn) throw new Error('Parts of a product are sent without a turn');
  const options = callsOfSender(db, sender, { shop: session.shop, ourId }, Number.NEGATIVE_INFINITY);
  return setAll(calls, async (points) => ({ ...options, reservation: await turn.reserve(points) }));
}

/** Returns a refusal of the values. Throws other refusals, with `hadNoEffect` false: the product has arrived. */
async function refusalOf(set: () => Promise<'set' | 'stale'>): Promise<PartRefusal | null> {
  try {
    if ((await set()) === 'set') return null;
    return { isStale: true, reason: 'changed in the store meanwhile' };
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    const { message, scope, code, detail, hadNoEffect } = error;
    if (scope === 'request' && hadNoEffect) return { isStale: false, reason: message.replace(/[.]$/, '') };
    throw new StoreRefused(message, { scope, code, detail, hadNoEffect: false });
  }
}

/** Time reserved at the end of a lease for recording the result. */
const recordMsMax = 10_000;

/** Maximum age of the check that the sender holds the product, when a call begins. Others wait twice as long. */
const unseenMsMax = 5_000;

/**
 * Returns options that end calls before the lease ends, because another sender may send the product after it. If this
 * process was frozen, others may think that it died. Therefore `beforeSend` checks in Postgres that the sender holds
 * the product, and ends calls with PublishStopped if not, or PublishLater if Postgres is slow. `seenAt`: last check.
 */
function callsOfSender(
  db: Db,
  sender: Sender,
  product: { shop: string; ourId: string },
  seenAt: number,
): Required<Pick<RequestOptions, 'signal' | 'beforeSend'>> {
  const lost = new AbortController();
  const ends = 'leaseMs' in sender ? [AbortSignal.timeout(sender.leaseMs - recordMsMax)] : [];
  let latestAt = seenAt;
  const isSeen = () => performance.now() - latestAt <= unseenMsMax;
  return {
    signal: AbortSignal.any([lost.signal, ...ends]),
    async beforeSend() {
      if (isSeen()) return;
      const askedAt = performance.now();
      if (!(await renewSending(db, sender, product))) return lost.abort(new PublishStopped());
      latestAt = askedAt;
      if (!isSeen()) throw new PublishLater('The database was slow, so the product was not sent.');
    },
  };
}
