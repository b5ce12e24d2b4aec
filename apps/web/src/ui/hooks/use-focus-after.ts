import { type RefObject, useEffect } from 'react';

/** When the component disappears with the focused control, gives the focus to `next`. */
export function useFocusAfter(next: RefObject<HTMLElement | null>): void {
  useEffect(
    () => () => {
      const { activeElement, body } = document;
      if (activeElement === null || activeElement === body) next.current?.focus();
    },
    [next],
  );
}
