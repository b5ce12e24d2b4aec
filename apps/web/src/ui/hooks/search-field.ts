/** Marks the field that the key `/` focuses. */
export const searchFieldMark = { 'data-search-field': true } as const;
export const searchFieldSelector = '[data-search-field]';

/** Whether an element is a text field. */
export function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select'))
  );
}

/** Whether a key goes into a text field, or into a cell of a table that it begins to edit. */
export function isTyping(target: EventTarget | null): boolean {
  return isTextField(target) || (target instanceof Element && target.closest('[data-editable]') !== null);
}

/** Whether a key is meant for the screen: it types nothing, is not part of a shortcut, and nothing is open above. */
export function isPlainKey(event: KeyboardEvent): boolean {
  return !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target) && !isOpenAbove();
}

/** Whether a dialog or a menu is open above the screen. */
export function isOpenAbove(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
}
