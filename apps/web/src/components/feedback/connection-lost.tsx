import { formatClock } from '../../lib/intl.ts';
import { ErrorPanel } from './error-panel.tsx';

/** Says that a poll failed and that what is shown is the last that was read; the next poll tries again. */
export function LostServer({ sinceMs, cause }: { sinceMs: number; cause?: string | null }) {
  return (
    <ErrorPanel tone="warning" title="The server does not answer." cause={cause ?? null}>
      {`What you see was read at ${formatClock(sinceMs)}. It is tried again every two seconds.`}
    </ErrorPanel>
  );
}
