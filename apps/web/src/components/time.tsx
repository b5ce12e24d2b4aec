import { useEffect, useState } from 'react';
import { formatExact, formatMoment, formatRelative } from '../lib/intl.ts';

const tickMs = 20_000;

/** A time relative to now, with the exact time on hover. */
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

/** A time of day, with the date if it is not today, and the exact time on hover. */
export function Moment({ time }: { time: string }) {
  return (
    <time dateTime={time} title={formatExact(time)}>
      {formatMoment(time, Date.now())}
    </time>
  );
}
