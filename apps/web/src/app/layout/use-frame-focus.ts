import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { keepFocus } from './keep-focus.ts';

/**
 * Moves the focus to the heading of each screen that is opened, so that the keyboard continues there and screen readers
 * read it. A screen that loads its title first gets the focus with the title. The browser's own page loads keep theirs.
 * Returns the callback for a title that has been drawn.
 */
export function useFrameFocus(): (title: HTMLElement) => void {
  const { pathname } = useLocation();
  const type = useNavigationType();
  const shown = useRef(type === 'POP' ? pathname : null);
  const waits = useRef(false);
  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const heading = document.querySelector('h1');
    waits.current = heading === null;
    (heading ?? document.getElementById('main'))?.focus({ preventScroll: true });
  }, [pathname]);
  useEffect(keepFocus, []);
  return useCallback((title) => {
    // Not if the operator has moved on in the meantime.
    if (waits.current && document.activeElement?.id === 'main') title.focus({ preventScroll: true });
    waits.current = false;
  }, []);
}
