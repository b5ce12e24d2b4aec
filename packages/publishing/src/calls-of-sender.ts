import type { Db } from '@draftshelf/core/connection/database';
import { renewSending, type Sender } from '@draftshelf/core/push/sending';
import type { RequestOptions } from '@draftshelf/shopify/client';
import { PublishLater, PublishStopped } from './publish-errors.ts';

/** The last part of a lease is for recording the result. */
const recordMsMax = 10_000;

/** Longest time between a check that the sender has the product and a call. Other senders wait twice as long. */
const unseenMsMax = 5_000;

/**
 * Returns options for calls that end before the lease, because another sender may send the product after it. A
 * process that was frozen may have been taken for dead, so it asks Postgres first. Throws PublishStopped if it lost
 * the product, PublishLater if Postgres is slow. `seenAt`: last check, by performance.now().
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
