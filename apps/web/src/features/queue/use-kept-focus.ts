import { type FocusEvent, useLayoutEffect, useRef } from 'react';

const focusable = 'button, a[href]';

/**
 * Keeps the focus in a row's actions when the focused one disappears, as Pause does once the import is paused: it moves
 * to the next action, or to the row's link if there is none. Returns the properties of the element that holds the
 * actions.
 */
export function useKeptFocus() {
  const slot = useRef<HTMLDivElement>(null);
  const focused = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const isLost = focused.current !== null && !focused.current.isConnected;
    if (!isLost || document.activeElement !== document.body) return;
    focused.current = null;
    const row = slot.current?.closest('tr, li');
    const next = slot.current?.querySelector(focusable) ?? row?.querySelector('a[href]');
    if (next instanceof HTMLElement) next.focus();
  });
  return {
    ref: slot,
    onFocus: ({ target }: FocusEvent) => {
      // Items of the menu are elsewhere in the document. They disappear whenever it closes.
      if (slot.current?.contains(target)) focused.current = target;
    },
    onBlur: ({ target }: FocusEvent) => {
      // The browser may also report a blur of an element that is being removed.
      queueMicrotask(() => {
        const isLeft = target.isConnected && document.activeElement !== target;
        if (isLeft && focused.current === target) focused.current = null;
      });
    },
  };
}
