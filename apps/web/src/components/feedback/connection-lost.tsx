import { formatClock } from '../../lib/intl.ts';
import { ErrorPanel } from './error-panel.tsx';

/** Says that a poll failed and that what is shown is the last that was read; the next poll tries again. */
export function LostServer({ sinceMs, cause }: { sinceMs: number; cause?: string | null }) {
  return (
    <ErrorPanel tone="warning" title="Can’t reach the server." cause={cause ?? null}>
      {`Showing data from ${formatClock(sinceMs)}. Retrying every two seconds…`}
    </ErrorPanel>
  );
}
