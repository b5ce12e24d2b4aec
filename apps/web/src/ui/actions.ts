import { createContext, use, useEffect, useId } from 'react';

/** A letter that runs an action together with Shift. */
export type Hotkey = { key: string; does: string };

export const actionKeys = {
  push: { key: 'P', does: 'Push' },
  dryRun: { key: 'D', does: 'Dry Run' },
  report: { key: 'R', does: 'View Report' },
  pause: { key: 'S', does: 'Pause' },
  resume: { key: 'S', does: 'Resume' },
} as const;

export function keyOf(action: { kind: string; action?: string }): Hotkey | null {
  const name = action.action ?? action.kind;
  return name in actionKeys ? actionKeys[name as keyof typeof actionKeys] : null;
}

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
export const actionOfKey = (
  actions: readonly OfferedAction[],
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
): OfferedAction | undefined =>
  shiftKey ? actions.find((action) => action.key === key.toUpperCase()) : undefined;

/** '⇧P' or 'n'. */
export const shownKey = (key: string): string => (key === key.toUpperCase() ? `⇧${key}` : key);
