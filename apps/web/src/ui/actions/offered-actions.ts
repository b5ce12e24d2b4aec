import { createContext, use, useEffect, useId } from 'react';

/** The palette lists it, and its key runs it. */
export type OfferedAction = {
  label: string;
  /** A capital letter runs it with Shift, a small one is the screen's own. */
  key: string | null;
  /** Null: it can be run. */
  reason: string | null;
  act: () => void;
};

type Offers = {
  set(owner: string, actions: readonly OfferedAction[]): void;
  remove(owner: string): void;
  all(): OfferedAction[];
};

/** In the order in which their components appeared. */
export function createOffers(): Offers {
  const byOwner = new Map<string, readonly OfferedAction[]>();
  return {
    set: (owner, actions) => void byOwner.set(owner, actions),
    remove: (owner) => void byOwner.delete(owner),
    all: () => [...byOwner.values()].flat(),
  };
}

export const OffersContext = createContext<Offers>(createOffers());

export function useOfferedActions(actions: readonly OfferedAction[]): void {
  const offers = use(OffersContext);
  const owner = useId();
  // After every render: the actions depend on the screen's state.
  useEffect(() => offers.set(owner, actions));
  useEffect(() => () => offers.remove(owner), [offers, owner]);
}

/** With Caps Lock, Shift gives the small letter. */
export function actionOfKey(
  actions: readonly OfferedAction[],
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
): OfferedAction | undefined {
  return shiftKey ? actions.find((action) => action.key === key.toUpperCase()) : undefined;
}

/** '⇧P' or 'n'. */
export const shownKey = (key: string): string => (key === key.toUpperCase() ? `⇧${key}` : key);
