import type { Db } from '@draftshelf/core/connection/database';
import { renewSending, type Sender } from '@draftshelf/core/push/sending';
import type { RequestOptions } from '@draftshelf/shopify/client';
import { PublishLater, PublishStopped } from './publish-errors.ts';

/** The last part of a lease is for recording the result. */
const recordMsMax = 10_000;

/** A call begins at most so long after its sender was found to have the product. Others wait twice as long. */
const unseenMsMax = 5_000;

/**
 * Returns options for the calls of a product that is being sent. A process that was frozen, or has waited, may have
 * been taken for dead: it asks Postgres before it calls. If it has lost the product, the call ends with
 * PublishStopped, and with PublishLater if Postgres is slow. Calls of a lease end before the lease, because another
 * sender may send the product then. `seenAt`: when the sender was found to have the product, or a statement that finds
 * it was sent; by performance.now().
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
