import { useEffect, useState } from 'react';

const slowTickMs = 20_000;

/** For words that change as time passes. */
export function useNow(tickMs = slowTickMs): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [tickMs]);
  return nowMs;
}
