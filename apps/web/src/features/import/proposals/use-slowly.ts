import { useEffect, useRef, useState } from 'react';

/** A text that changes at most once in `ms`, to its latest value: for screen readers. */
export function useSlowly(text: string, ms: number): string {
  const [shown, setShown] = useState(text);
  const changedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (text === shown) return;
    const waitMs = Math.max(0, ms - (performance.now() - changedAt.current));
    const timer = setTimeout(() => {
      changedAt.current = performance.now();
      setShown(text);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [text, shown, ms]);
  return shown;
}
