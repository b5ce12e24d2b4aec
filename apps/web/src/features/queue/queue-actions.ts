import { canDo, statusLabel } from '@draftshelf/domain/imports/import-status';
import { formatExact } from '../../lib/intl.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { reportDurationMs } from '../../ui/feedback/toast-state.ts';
import {
  cancelLabel,
  failedByRows,
  type ImportActionName,
  type ShownImport,
  uploadedOf,
  useAutoPushAnswer,
  useImportActions,
  useRetryStop,
} from '../import/index.ts';

type Weight = 'primary' | 'plain' | 'menu';

export type QueueAction = { label: string; weight: Weight } & (
  | { kind: 'action'; action: ImportActionName }
  | { kind: 'cancel' }
  | { kind: 'review' }
  | { kind: 'report' }
  | { kind: 'undoPush' }
  | { kind: 'autoPush'; answer: 'now' | 'stop' }
  | { kind: 'stopRetry' }
);

/** At most two are outside of the menu. */
export function queueActions(
  record: Pick<
    ShownImport,
    | 'status'
    | 'outcomes'
    | 'rereading'
    | 'failedIn'
    | 'autoPushAt'
    | 'nextRetryAt'
    | 'shop'
    | 'isUndoing'
    | 'changesGone'
  >,
): QueueAction[] {
  const { status } = record;
  if (record.autoPushAt !== null && canDo('review', status)) return plannedActions(record);
  const actions: QueueAction[] = [];
  const add = (action: ImportActionName, label: string, weight: Weight) =>
    actions.push({ kind: 'action', action, label, weight });
  const review = (weight: Weight) => actions.push({ kind: 'review', label: 'Review', weight });
  const hasFailedRows = status === 'completed' && record.outcomes.failed > 0;
  if (canDo('pause', status)) add('pause', 'Pause', 'plain');
  if (canDo('resume', status)) add('resume', 'Resume', 'primary');
  // A queued import waits for a review, a ready one for its push.
  if (status === 'queued') review('primary');
  if (canDo('viewReport', status)) actions.push({ kind: 'report', label: 'View Report', weight: 'plain' });
  if (hasFailedRows) add('retry', 'Retry failed rows', 'primary');
  if (canDo('push', status)) add('push', ...pushOffer(status, hasFailedRows));
  if (status === 'processed') review('plain');
  if (status === 'failed') actions.push(...failedActions(record));
  if (canDo('undoPush', status) && record.shop !== null) {
    actions.push({ kind: 'undoPush', label: 'Undo Push', weight: 'menu' });
  }
  if (canDo('cancel', status)) actions.push({ kind: 'cancel', label: cancelLabel(record), weight: 'menu' });
  return actions;
}

/** Another push would not be the planned one, of drafts. */
const plannedActions = (
  record: Pick<ShownImport, 'rereading' | 'status' | 'isUndoing' | 'changesGone'>,
): QueueAction[] => [
  { kind: 'autoPush', answer: 'now', label: 'Push Now', weight: 'primary' },
  { kind: 'autoPush', answer: 'stop', label: 'Stop', weight: 'plain' },
  { kind: 'review', label: 'Review', weight: 'menu' },
  { kind: 'cancel', label: cancelLabel(record), weight: 'menu' },
];

function pushOffer(status: string, hasFailedRows: boolean): [string, Weight] {
  if (status === 'queued') return ['Push', 'plain'];
  if (status === 'processed') return ['Push to Shopify', 'primary'];
  return ['Push again', hasFailedRows ? 'menu' : 'plain'];
}

function failedActions(record: Pick<ShownImport, 'failedIn' | 'outcomes' | 'nextRetryAt'>): QueueAction[] {
  const stop: QueueAction = { kind: 'stopRetry', label: 'Don’t Retry', weight: 'menu' };
  const retry = (weight: Weight): QueueAction => ({
    kind: 'action',
    action: 'retry',
    label: 'Retry',
    weight,
  });
  const review = (weight: Weight): QueueAction => ({ kind: 'review', label: 'Review', weight });
  if (failedByRows(record)) return [review('primary'), retry('plain')];
  const stops = record.nextRetryAt === null ? [] : [stop];
  return record.failedIn === 'push'
    ? [retry('primary'), review('plain'), ...stops]
    : [retry('primary'), ...stops];
}

/** As specified. `words` holds the formatted times. */
export const reportLines = (
  record: Pick<
    ShownImport,
    | 'filename'
    | 'processedProducts'
    | 'totalProducts'
    | 'createdProducts'
    | 'outcomes'
    | 'progress'
    | 'errorLog'
  >,
  words: { status: string; started: string; completed: string },
): string[] => [
  `File: ${record.filename}`,
  `Status: ${words.status}`,
  `Products: ${record.processedProducts} of ${record.totalProducts}`,
  `Uploaded: ${uploadedOf(record)}`,
  ...outcomeLines(record.outcomes),
  `Progress: ${record.progress}%`,
  `Started: ${words.started}`,
  `Completed: ${words.completed}`,
  ...record.errorLog.slice(0, 3).map((error, index) => `Error ${index + 1}: ${error}`),
];

function outcomeLines(outcomes: ShownImport['outcomes']): string[] {
  const some = Object.entries(outcomes).filter(([, count]) => count > 0);
  return some.length === 0 ? [] : [`Results: ${some.map(([name, count]) => `${count} ${name}`).join(', ')}`];
}

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
