import { useLayoutEffect, useRef } from 'react';

/**
 * Gives the focus to `next` when the element that has it goes away. Spread the result on an element around those that
 * may go; the component that calls this has to render then.
 */
export function useKeptFocus(next: () => HTMLElement | null) {
  const focused = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (focused.current === null || focused.current.isConnected) return;
    focused.current = null;
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) next()?.focus({ preventScroll: true });
  });
  return {
    onFocus: ({ target }: { target: Element }) => {
      focused.current = target;
    },
    // The element keeps it while another window has the focus. If it is removed, React calls no handler.
    onBlur: ({ target }: { target: Element }) => {
      if (document.activeElement !== target) focused.current = null;
    },
  };
}
