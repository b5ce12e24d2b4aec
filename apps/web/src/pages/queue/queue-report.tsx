import { AddressedReport } from '../../components/report/addressed-report.tsx';
import type { useQueueCalls } from './queue-calls.ts';

/** The report of the import that the URL names, over the queue. */
export function QueueReport({ calls: { run, dismissReport } }: { calls: ReturnType<typeof useQueueCalls> }) {
  return <AddressedReport onOpen={dismissReport} onAction={(action, report) => run(report, action)} />;
}
