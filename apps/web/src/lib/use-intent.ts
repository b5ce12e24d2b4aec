import { useEffect, useRef } from 'react';

/** Resting on a link for this long means that it will probably be opened. */
const intentMs = 150;

/** Properties of a link that calls `onIntent` once the pointer or the focus rests on it. */
export function useIntent(onIntent: () => void, isWanted: boolean) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  const start = () => {
    stop();
    if (isWanted) timer.current = setTimeout(onIntent, intentMs);
  };
  return { onMouseEnter: start, onMouseLeave: stop, onFocus: start, onBlur: stop };
}
