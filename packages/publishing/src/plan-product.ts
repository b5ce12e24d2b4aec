import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { pushedBy } from './decide-sent.ts';
import { type DecidedBy, decideUntilDone, type Step } from './decide-until-done.ts';
import type { Decided, Decision, ProductFacts } from './decision.ts';
import type { ProductToDecide } from './publish-context.ts';
import { PublishLater } from './publish-errors.ts';
import { type FactReader, readFact } from './read-facts.ts';

export type PlanContext = FactReader & { store: ProductFacts['store'] };

export type FinalDecision = Exclude<Decision, { kind: 'read' | 'not-arrived' | 'wait' }>;
export type PlannedDecision = { decision: FinalDecision; by: DecidedBy };

/**
 * Decides as a push would, but writes nothing: facts change as a push's records would change them. Throws
 * PublishLater.
 */
export function planProduct(context: PlanContext, product: ProductToDecide): Promise<PlannedDecision> {
  return decideUntilDone(product, {
    store: context.store,
    async carryOut(decision, by): Promise<Step<PlannedDecision>> {
      switch (decision.kind) {
        case 'read':
          return { changed: await readFact(readerOf(context, by), product.ourId, decision) };
        case 'not-arrived':
          return { changed: { ...unread, listing: by.listing && { ...by.listing, sending: null } } };
        case 'record':
          return decision.thenDecide ? { changed: arrived(by, decision) } : { done: { decision, by } };
        case 'update':
          return decision.baseline === null
            ? { done: { decision, by } }
            : { changed: withBaseline(by, decision.baseline, decision.before) };
        case 'wait':
          throw new PublishLater(decision.message);
        default:
          return { done: { decision, by } };
      }
    },
  });
}

const unread = { live: undefined, stamp: undefined };

const readerOf = (context: PlanContext, by: DecidedBy): FactReader => ({
  ...context,
  read: (id) => readLive(context, id, by),
});

/** A complete baseline is the product, as long as the time of its last change is the same. */
async function readLive(context: PlanContext, id: string, { listing, stamp }: DecidedBy) {
  const baseline = listing?.pushed?.storeProductId === id ? listing.pushed.baseline : null;
  if (!baseline || !Object.values(baseline.complete).every(Boolean)) return context.read(id);
  const now = stamp === undefined ? await context.readStamp(id) : stamp;
  return now === baseline.updatedAt ? baseline : context.read(id);
}

function arrived({ listing }: DecidedBy, { listing: { storeProductId } }: Decided<'record'>) {
  const pushed = listing?.sending ? pushedBy(listing.sending, storeProductId) : null;
  return { listing: { pushed, sending: null }, stamp: undefined };
}

const withBaseline = ({ listing }: DecidedBy, baseline: LiveProduct, live: LiveProduct) => ({
  listing: listing?.pushed ? { ...listing, pushed: { ...listing.pushed, baseline } } : listing,
  live,
});
