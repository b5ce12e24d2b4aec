import { formatClock } from '../../lib/intl.ts';
import { ErrorPanel } from './error-panel.tsx';

/** Shown when a poll has failed: the screen keeps the last data, and the next poll tries again. */
export function ConnectionLost({ sinceMs, cause }: { sinceMs: number; cause?: string | null }) {
  return (
    <ErrorPanel tone="warning" title="Can’t reach the server." cause={cause ?? null}>
      {`Showing data from ${formatClock(sinceMs)}. Retrying every two seconds…`}
    </ErrorPanel>
  );
}
