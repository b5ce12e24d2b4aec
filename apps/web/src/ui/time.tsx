import { formatExact, formatMoment, formatRelative } from '../lib/intl.ts';
import { useNow } from './hooks/use-now.ts';

/** With the exact time on hover. */
export function RelativeTime({ time }: { time: string }) {
  const nowMs = useNow();
  return (
    <time dateTime={time} title={formatExact(time)}>
      {formatRelative(time, nowMs)}
    </time>
  );
}

/** With the date if it is not today, and the exact time on hover. */
export function Moment({ time }: { time: string }) {
  return (
    <time dateTime={time} title={formatExact(time)}>
      {formatMoment(time, Date.now())}
    </time>
  );
}
