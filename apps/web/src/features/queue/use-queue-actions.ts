import { statusLabel } from '@draftshelf/domain/imports/import-status';
import { formatExact } from '../../lib/intl.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { reportDurationMs } from '../../ui/feedback/toast-state.ts';
import {
  type ImportActionName,
  type ShownImport,
  useAutoPushAnswer,
  useImportActions,
  useRetryStop,
} from '../import/index.ts';
import { reportLines } from './queue-actions.ts';

export type QueueActions = ReturnType<typeof useQueueActions>;

export function useQueueActions() {
  const { run, cancel, busyId, failure } = useImportActions();
  const pushTitles = { now: 'Failed to start Shopify upload', stop: 'Couldn’t stop the Push' };
  const answering = useAutoPushAnswer(pushTitles, failure);
  const stopping = useRetryStop('Couldn’t stop the Retry', failure);
  const toast = useToast();
  const answered = [answering, stopping].find(({ isPending }) => isPending)?.variables?.params?.id;
  const report = (record: ShownImport) => {
    const exact = (time: string | null) => (time === null ? '–' : formatExact(time));
    const words = {
      status: statusLabel(record.status),
      started: exact(record.startedAt),
      completed: exact(record.completedAt),
    };
    toast({
      title: 'Processing report',
      text: reportLines(record, words),
      durationMs: reportDurationMs,
      link: { report: record.id, words: 'Open report' },
    });
  };
  return {
    run: (record: Pick<ShownImport, 'id' | 'filename'>, name: ImportActionName) => {
      if (name === 'retry') toast({ title: 'Retrying Job', text: record.filename });
      run(record, name);
    },
    cancel,
    answerAutoPush: ({ id }: Pick<ShownImport, 'id'>, action: 'now' | 'stop') =>
      answering.mutate({ params: { id }, body: { action } }),
    stopRetry: ({ id }: Pick<ShownImport, 'id'>) => stopping.mutate({ params: { id } }),
    report,
    busyId: busyId ?? answered ?? null,
  };
}
