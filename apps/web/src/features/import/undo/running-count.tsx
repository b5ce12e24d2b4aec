import { formatCount } from '../../../lib/intl.ts';
import { useKnownCurrent } from '../dashboard-api.ts';

/** Number of imports that are being read, looked up or pushed. */
export function useRunningCount(): number {
  const imports = useKnownCurrent().data ?? [];
  return imports.filter(({ status }) => status === 'processing' || status === 'uploading').length;
}

/** ' (2)' beside the queue's entry of the navigation while imports are under way. */
export function RunningCount() {
  const count = useRunningCount();
  return count > 0 && <span className="numbers">{` (${formatCount(count)})`}</span>;
}
