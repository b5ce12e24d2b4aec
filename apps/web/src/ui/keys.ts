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
