import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';

/**
 * Makes the buttons of a toolbar one Tab stop, between which the arrow keys move. The stop is the button that had the
 * focus last, at first the first one.
 */
export function useArrowKeys() {
  const ref = useRef<HTMLDivElement>(null);
  const last = useRef<EventTarget>(null);
  const buttons = () => [...(ref.current?.querySelectorAll<HTMLElement>('button') ?? [])];
  const setStop = () => {
    const all = buttons();
    const stop = all.find((button) => button === last.current) ?? all[0];
    for (const button of all) button.tabIndex = button === stop ? 0 : -1;
  };
  useLayoutEffect(setStop);
  return {
    ref,
    onFocus: ({ target }: { target: EventTarget }) => {
      if (!(target instanceof HTMLButtonElement)) return;
      last.current = target;
      setStop();
    },
    onKeyDown: (event: KeyboardEvent) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const all = buttons();
      const at = all.indexOf(event.target as HTMLElement);
      const next = step && at >= 0 && all[at + step];
      if (!next) return;
      event.preventDefault();
      next.focus();
    },
  };
}
