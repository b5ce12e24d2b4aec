import type { Db } from '@draftshelf/core/connection/database';
import { renewSending, type Sender } from '@draftshelf/core/push/sending';
import type { RequestOptions } from '@draftshelf/shopify/client';
import { PublishStopped } from './publish-errors.ts';

/** The last part of a lease is for recording the result. */
const recordMsMax = 10_000;

/** A call begins at most so long after its sender was seen to have the product; others wait twice as long for it. */
const unseenMsMax = 5_000;

/**
 * Options of the calls for a product that is being sent, as of now. A process that was frozen, or has waited, may have
 * been taken for dead: then it asks Postgres before it calls, and throws PublishStopped if it has lost the product.
 * Calls of a lease end before the lease: another sender may send the product then.
 */
export function callsOfSender(
  db: Db,
  sender: Sender,
  product: { shop: string; ourId: string },
): Required<Pick<RequestOptions, 'signal' | 'beforeSend'>> {
  const lost = new AbortController();
  let seenAt = performance.now();
  const ends = 'leaseMs' in sender ? [AbortSignal.timeout(sender.leaseMs - recordMsMax)] : [];
  return {
    signal: AbortSignal.any([lost.signal, ...ends]),
    async beforeSend() {
      while (performance.now() - seenAt > unseenMsMax) {
        const askedAt = performance.now();
        if (!(await renewSending(db, sender, product))) return lost.abort(new PublishStopped());
        seenAt = askedAt;
      }
    },
  };
}
