import { useEffect, useState } from 'react';

const slowTickMs = 20_000;

/** The time in milliseconds, for words that change as it passes. */
export function useNow(tickMs = slowTickMs): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [tickMs]);
  return nowMs;
}
