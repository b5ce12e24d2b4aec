import type { Db } from '@draftshelf/core/connection/database';
import { renewSending, type Sender } from '@draftshelf/core/push/sending';
import type { RequestOptions } from '@draftshelf/shopify/client';
import { PublishLater, PublishStopped } from './publish-errors.ts';

/** The last part of a lease is for recording the result. */
const recordMsMax = 10_000;

/** Longest time between a check that the sender has the product and a call. Other senders wait twice as long. */
const unseenMsMax = 5_000;

/**
 * Returns options for the calls of a product that is being sent; calls end before the lease, because another sender
 * may send the product after it. A process that was frozen or has waited may have been taken for dead, so it asks
 * Postgres first: the call ends with PublishStopped if it has lost the product, with PublishLater if Postgres is
 * slow. `seenAt`: when the sender was found to have the product, by performance.now().
 */
export function callsOfSender(
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
