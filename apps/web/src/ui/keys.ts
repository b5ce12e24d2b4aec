import { useEffect, useId } from 'react';
import { useListener } from './hooks.ts';

/** The key `/` focuses this field. */
export const searchFieldMark = { 'data-search-field': true } as const;
export const searchFieldSelector = '[data-search-field]';

export const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select'));

/** Includes cells of a table that a key begins to edit. */
export const isTyping = (target: EventTarget | null): boolean =>
  isTextField(target) || (target instanceof Element && target.closest('[data-editable]') !== null);

/** The key types nothing, is no part of a shortcut, and nothing is open above. */
export const isPlainKey = (event: KeyboardEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target) && !isOpenAbove();

/** Covers dialogs and menus. */
export const isOpenAbove = (): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;

/** `key`: a small letter. */
export function useScreenKey(key: string, act: (event: KeyboardEvent) => void): void {
  // On the window, after the document's shortcuts: `g` and a letter open a screen.
  useListener('window', 'keydown', (event) => {
    if (event.key !== key || event.repeat || event.defaultPrevented || !isPlainKey(event)) return;
    event.preventDefault();
    act(event);
  });
}

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

/** In the order in which their components appeared. */
export function createOffers() {
  const byOwner = new Map<string, readonly OfferedAction[]>();
  return {
    set: (owner: string, actions: readonly OfferedAction[]) => void byOwner.set(owner, actions),
    remove: (owner: string) => void byOwner.delete(owner),
    all: () => [...byOwner.values()].flat(),
  };
}

export const offers = createOffers();

export function useOfferedActions(actions: readonly OfferedAction[]): void {
  const owner = useId();
  // After every render: the actions depend on the screen's state.
  useEffect(() => offers.set(owner, actions));
  useEffect(() => () => offers.remove(owner), [owner]);
}

/** With Caps Lock, Shift gives the small letter. */
export const actionOfKey = (
  actions: readonly OfferedAction[],
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
): OfferedAction | undefined =>
  shiftKey ? actions.find((action) => action.key === key.toUpperCase()) : undefined;

/** '⇧P' or 'n'. */
export const shownKey = (key: string): string => (key === key.toUpperCase() ? `⇧${key}` : key);
