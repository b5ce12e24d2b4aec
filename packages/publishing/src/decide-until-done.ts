import { decideProduct } from './decide-product.ts';
import type { Decision, ProductFacts } from './decision.ts';
import type { BuiltDraft, ProductToDecide } from './publish-context.ts';
import { type KnownFacts, toListingFacts, unreadFacts } from './read-facts.ts';

export type DraftWithFacts = BuiltDraft & KnownFacts;

export type StepResult<T> = { changed: Partial<KnownFacts> } | { done: T };

/** Decides and carries out steps until one returns a result. Calls `rebuild` each time the listing has been read. */
export async function decideUntilDone<T>(
  { found, ...product }: ProductToDecide,
  parts: {
    store: ProductFacts['store'];
    carryOut(decision: Decision, by: DraftWithFacts): Promise<StepResult<T>>;
    rebuild?: ((before: DraftWithFacts) => Promise<BuiltDraft>) | undefined;
  },
): Promise<T> {
  let draft: BuiltDraft = { built: product.built, source: product.source };
  let read = unreadFacts;
  let changed: Partial<KnownFacts> = found === undefined ? {} : toListingFacts(found);
  for (;;) {
    read = { ...read, ...changed };
    if (changed.listing !== undefined && parts.rebuild) draft = await parts.rebuild({ ...draft, ...read });
    const { found: _, ...known } = read;
    const decision = decideProduct({ ...product, ...known, store: parts.store, built: draft.built });
    const step = await parts.carryOut(decision, { ...draft, ...read });
    if ('done' in step) return step.done;
    changed = step.changed;
  }
}
