import { statusLabel } from '@draftshelf/domain/import-status';
import { useCallback, useRef } from 'react';
import { type ImportActionName, type ShownImport, useCancel, useImportAction } from '../../api/imports.ts';
import { useFailureToast, useToast } from '../../components/feedback/toast.tsx';
import { reportDurationMs } from '../../components/feedback/toast-state.ts';
import { useReportPath } from '../../components/report/use-report-path.ts';
import { formatExact } from '../../lib/intl.ts';
import { reportLines } from './queue-actions.ts';

/** Titles of failure notifications. The first three come from the specification. */
const failureTitles: Record<ImportActionName, string> = {
  pause: 'Failed to pause job',
  resume: 'Failed to resume job',
  push: 'Failed to start Shopify upload',
  retry: 'Failed to retry job',
  markReady: 'Failed to mark job as ready',
};

/** The queue's actions with their notifications. `dismissReport` ends the notification of View Report. */
export function useQueueCalls() {
  const mutation = useImportAction();
  const cancelling = useCancel();
  const toast = useToast();
  const failure = useFailureToast();
  const reportPath = useReportPath();
  const shown = useRef<(() => void) | null>(null);
  const run = (record: Pick<ShownImport, 'id' | 'filename'>, name: ImportActionName) => {
    if (name === 'retry') toast({ title: 'Retrying Job', text: record.filename });
    mutation.mutate(
      { id: record.id, action: name },
      {
        onSuccess: failure.dismiss,
        onError: (error) => failure.show(failureTitles[name], error.message),
      },
    );
  };
  const cancel = (record: ShownImport) =>
    cancelling.mutate(record, {
      onSuccess: failure.dismiss,
      onError: (error) => failure.show('Failed to cancel job', error.message),
    });
  const report = (record: ShownImport) => {
    const exact = (time: string | null) => (time === null ? '–' : formatExact(time));
    const words = {
      status: statusLabel(record.status),
      started: exact(record.startedAt),
      completed: exact(record.completedAt),
    };
    shown.current = toast({
      title: 'Processing Report',
      text: reportLines(record, words),
      durationMs: reportDurationMs,
      link: { to: reportPath(record.id), words: 'Open report' },
    });
  };
  const dismissReport = useCallback(() => shown.current?.(), []);
  const busyId = [mutation, cancelling].find((one) => one.isPending)?.variables?.id ?? null;
  return { run, cancel, report, dismissReport, busyId };
}
