import { createContext, use, useEffect, useId } from 'react';

/** An action of the screen that is shown: the palette lists it, and its key runs it. */
export type OfferedAction = {
  label: string;
  /** Its key: a capital letter runs it together with Shift, a small one is the screen's own; null if it has none. */
  key: string | null;
  /** Why it cannot be run now; null if it can. */
  reason: string | null;
  act: () => void;
};

type Offers = {
  /** Replaces the actions of a component. */
  set(owner: string, actions: readonly OfferedAction[]): void;
  remove(owner: string): void;
  all(): OfferedAction[];
};

/** Holds the actions of the components that are shown, in the order in which they appeared. */
export function createOffers(): Offers {
  const byOwner = new Map<string, readonly OfferedAction[]>();
  return {
    set: (owner, actions) => void byOwner.set(owner, actions),
    remove: (owner) => void byOwner.delete(owner),
    all: () => [...byOwner.values()].flat(),
  };
}

export const OffersContext = createContext<Offers>(createOffers());

/** Offers actions while the component is shown. */
export function useOfferedActions(actions: readonly OfferedAction[]): void {
  const offers = use(OffersContext);
  const owner = useId();
  // After every render: the actions depend on what is shown.
  useEffect(() => offers.set(owner, actions));
  useEffect(() => () => offers.remove(owner), [offers, owner]);
}

/** The action that a key runs; undefined if it runs none. With Caps Lock, Shift gives the small letter. */
export function actionOfKey(
  actions: readonly OfferedAction[],
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
): OfferedAction | undefined {
  return shiftKey ? actions.find((action) => action.key === key.toUpperCase()) : undefined;
}

/** '⇧P' or 'n': the key of an action in tooltips and lists. */
export const shownKey = (key: string): string => (key === key.toUpperCase() ? `⇧${key}` : key);
