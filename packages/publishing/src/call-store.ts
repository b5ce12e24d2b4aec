import { beginSending, endSending, type Sender } from '@draftshelf/database/push/sending';
import { payloadHash } from '@draftshelf/shopify/canonical-json';
import type { RequestOptions } from '@draftshelf/shopify/client';
import { requestPoints } from '@draftshelf/shopify/cost';
import type { SetQuantitiesVariables } from '@draftshelf/shopify/documents';
import { setProduct, setQuantities } from '@draftshelf/shopify/products';
import type { Decided } from './decision.ts';
import { PublishStopped } from './publish-errors.ts';
import type { PublishContext, Work } from './publish-product.ts';
import type { StoreSession } from './store-session.ts';

/** The last part of a lease is for recording the result. */
const recordMsMax = 10_000;

/** Ends the calls of a sender with a lease before the lease ends: another sender may send the product then. */
const endOfCalls = (sender: Sender): { signal?: AbortSignal } =>
  'leaseMs' in sender ? { signal: AbortSignal.timeout(sender.leaseMs - recordMsMax) } : {};

/**
 * Commits that the product is being sent and calls the store. The points are reserved before, because a product that is
 * being sent must not wait for them. Undefined: the listing or a quantity has changed since the decision.
 */
export async function callStore(
  { db, session, sender }: PublishContext,
  { ourId, found, source, turn }: Work,
  write: Decided<'create' | 'update'>,
): Promise<{ id: string; handle: string } | undefined> {
  if (!turn) throw new Error('A product is sent without a turn');
  const { variables, draft, hash } = write;
  const stock =
    write.kind === 'update' && write.quantities.length > 0 ? stockCall(write, session, sender) : null;
  const forStock = stock ? [await turn.reserve(requestPoints('inventorySetQuantities', stock))] : [];
  let unused = [...forStock, await turn.reserve(requestPoints('productSet', variables))];
  try {
    const { kind } = write;
    const update = write.kind === 'update' ? write : null;
    const states = { before: update?.before ?? null, kept: update?.kept?.values ?? null };
    const sending = { shop: session.shop, ourId, payload: draft, payloadHash: hash, source, kind, ...states };
    const options = endOfCalls(sender);
    const begun = await beginSending(db, sender, { ...sending, version: found?.version ?? null });
    if (begun === 'stopped') throw new PublishStopped();
    if (begun === 'elsewhere') return undefined;
    if (stock && (await setStock(session, stock, { ...options, reservation: unused.shift() })) === 'stale') {
      await endSending(db, sender, { shop: session.shop, ourId });
      return undefined;
    }
    const [reservation] = unused;
    unused = [];
    const from = performance.now();
    const answer = await setProduct(session.client, variables, { ...options, reservation });
    turn.answered(performance.now() - from);
    turn.end();
    return answer;
  } finally {
    for (const reservation of unused) await turn.unused(reservation);
  }
}

const setStock = (
  { client }: StoreSession,
  { key, input }: SetQuantitiesVariables,
  options: RequestOptions,
) => setQuantities(client, { key, quantities: input.quantities }, options);

/** The key is the same when a sender repeats a change after its reply was lost. */
function stockCall(
  { quantities, hash }: Decided<'update'>,
  { shop, locationId }: StoreSession,
  sender: Sender,
): SetQuantitiesVariables {
  const at = quantities.map((one) => ({ ...one, locationId: locationId ?? '' }));
  const key = payloadHash({ shop, hash, at, chunk: 'chunk' in sender ? sender.chunk.id : null });
  return { key, input: { name: 'available', reason: 'correction', quantities: at } };
}
