/** Marks the field that the key `/` focuses. */
export const searchFieldMark = { 'data-search-field': true } as const;
export const searchFieldSelector = '[data-search-field]';

/** Whether a key goes into a text field. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}
