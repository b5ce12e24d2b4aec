import { useEffect, useId } from 'react';
import { useListener } from './hooks.ts';

/** Marks the field that the key `/` focuses. */
export const searchFieldMark = { 'data-search-field': true } as const;
export const searchFieldSelector = '[data-search-field]';

export const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select'));

/** Whether typed keys go to the element: a text field, or a table cell that a typed key begins to edit. */
export const isTypingTarget = (target: EventTarget | null): boolean =>
  isTextField(target) || (target instanceof Element && target.closest('[data-editable]') !== null);

/** Whether a key may run an action: it is not typed into a field, no modifier but Shift is held, no dialog is open. */
export const isPlainKey = (event: KeyboardEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.altKey && !isTypingTarget(event.target) && !isOverlayOpen();

/** Whether a dialog or menu is open. */
export const isOverlayOpen = (): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;

/** Runs `act` when `key`, a small letter, is pressed on the screen. */
export function useScreenKey(key: string, act: (event: KeyboardEvent) => void): void {
  // Listens on the window, so that listeners on the document run first, such as the one for `g` and a screen's letter.
  useListener('window', 'keydown', (event) => {
    if (event.key !== key || event.repeat || event.defaultPrevented || !isPlainKey(event)) return;
    event.preventDefault();
    act(event);
  });
}

/** A letter that runs an action with Shift. */
export type Hotkey = { key: string; does: string };

export const actionKeys = {
  push: { key: 'P', does: 'Push' },
  dryRun: { key: 'D', does: 'Dry Run' },
  report: { key: 'R', does: 'View Report' },
  pause: { key: 'S', does: 'Pause' },
  resume: { key: 'S', does: 'Resume' },
} as const;

export function findHotkey(action: { kind: string; action?: string }): Hotkey | null {
  const name = action.action ?? action.kind;
  return name in actionKeys ? actionKeys[name as keyof typeof actionKeys] : null;
}

/** An action that the palette lists and that may have a key. */
export type OfferedAction = {
  label: string;
  /** A capital letter runs the action with Shift. A small letter is handled by the screen. Null if there is no key. */
  key: string | null;
  /** The reason why the action cannot run; null if it can. */
  reason: string | null;
  act: () => void;
};

/** Stores the actions of mounted components, in the order in which the components appeared. */
export function createOfferedActions() {
  const byOwner = new Map<string, readonly OfferedAction[]>();
  return {
    set: (owner: string, actions: readonly OfferedAction[]) => void byOwner.set(owner, actions),
    remove: (owner: string) => void byOwner.delete(owner),
    all: () => [...byOwner.values()].flat(),
  };
}

export const offeredActions = createOfferedActions();

export function useOfferedActions(actions: readonly OfferedAction[]): void {
  const owner = useId();
  // After every render, because the actions depend on the screen's state.
  useEffect(() => offeredActions.set(owner, actions));
  useEffect(() => () => offeredActions.remove(owner), [owner]);
}

/** Returns the action of a key. With Caps Lock on, Shift types a small letter, which counts as the capital one. */
export const findActionOfKey = (
  actions: readonly OfferedAction[],
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
): OfferedAction | undefined =>
  shiftKey ? actions.find((action) => action.key === key.toUpperCase()) : undefined;

/** Example: '⇧P' or 'n'. */
export const formatKey = (key: string): string => (key === key.toUpperCase() ? `⇧${key}` : key);
