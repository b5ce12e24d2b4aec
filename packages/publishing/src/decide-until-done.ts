import { decideProduct } from './decide-product.ts';
import type { Decision, ProductFacts } from './decision.ts';
import type { BuiltDraft, ProductToDecide } from './publish-context.ts';
import { factsOf, nothingRead, type ReadFacts } from './read-facts.ts';

export type DecidedBy = BuiltDraft & ReadFacts;

export type Step<T> = { changed: Partial<ReadFacts> } | { done: T };

/** Decides and carries out until there is a result. `rebuild`: called whenever the listing has been read. */
export async function decideUntilDone<T>(
  product: ProductToDecide,
  {
    store,
    carryOut,
    rebuild,
  }: {
    store: ProductFacts['store'];
    carryOut(decision: Decision, by: DecidedBy): Promise<Step<T>>;
    rebuild?: ((before: DecidedBy) => Promise<BuiltDraft>) | undefined;
  },
): Promise<T> {
  const { found, ...facts } = product;
  let draft: BuiltDraft = { built: product.built, source: product.source };
  let read = nothingRead;
  let changed: Partial<ReadFacts> = found === undefined ? {} : factsOf(found);
  for (;;) {
    read = { ...read, ...changed };
    if (changed.listing !== undefined && rebuild) draft = await rebuild({ ...draft, ...read });
    const { found: _, ...known } = read;
    const decision = decideProduct({ ...facts, ...known, store, built: draft.built });
    const step = await carryOut(decision, { ...draft, ...read });
    if ('done' in step) return step.done;
    changed = step.changed;
  }
}
