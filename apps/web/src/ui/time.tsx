import { useEffect, useState } from 'react';
import { formatExact, formatRelative } from './format.ts';

const tickMs = 20_000;

/** A time told relative to now, with the exact one on hover. */
export function RelativeTime({ time }: { time: string }) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={time} title={formatExact(time)}>
      {formatRelative(time, nowMs)}
    </time>
  );
}
