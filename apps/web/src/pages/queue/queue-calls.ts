import { statusLabel } from '@draftshelf/domain/import-status';
import { type ImportActionName, type ShownImport, useCancel, useImportAction } from '../../api/imports.ts';
import { useFailureToast, useToast } from '../../components/feedback/toast.tsx';
import { reportDurationMs } from '../../components/feedback/toast-state.ts';
import { formatExact } from '../../lib/intl.ts';
import { reportLines } from './queue-actions.ts';

/** What is said when a move of the queue is refused or fails; the first three are the specification's. */
const failureTitles: Record<ImportActionName, string> = {
  pause: 'Failed to pause job',
  resume: 'Failed to resume job',
  push: 'Failed to start Shopify upload',
  retry: 'Failed to retry job',
  markReady: 'Failed to mark job as ready',
};

/** The actions of the queue with their notifications. */
export function useQueueMoves() {
  const mutation = useImportAction();
  const cancelling = useCancel();
  const toast = useToast();
  const failure = useFailureToast();
  const move = (job: ShownImport, name: ImportActionName) => {
    if (name === 'retry') toast({ title: 'Retrying Job', text: job.filename });
    mutation.mutate(
      { id: job.id, move: name },
      {
        onSuccess: failure.answered,
        onError: (error) => failure.tell(failureTitles[name], error.message),
      },
    );
  };
  const cancel = (job: ShownImport) =>
    cancelling.mutate(job, {
      onSuccess: failure.answered,
      onError: (error) => failure.tell('Failed to cancel job', error.message),
    });
  const report = (job: ShownImport) => {
    const exact = (time: string | null) => (time === null ? '–' : formatExact(time));
    const words = {
      status: statusLabel(job.status),
      started: exact(job.startedAt),
      completed: exact(job.completedAt),
    };
    toast({ title: 'Processing Report', text: reportLines(job, words), durationMs: reportDurationMs });
  };
  const moving = [mutation, cancelling].find((one) => one.isPending)?.variables?.id ?? null;
  return { move, cancel, report, moving };
}
