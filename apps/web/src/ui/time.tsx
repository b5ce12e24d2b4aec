import { formatExact, formatMoment, formatRelative } from '../lib/intl.ts';
import { useNow } from './hooks/use-now.ts';

/** A time relative to now, with the exact time on hover. */
export function RelativeTime({ time }: { time: string }) {
  const nowMs = useNow();
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
