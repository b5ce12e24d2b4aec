import { canDo } from '@draftshelf/domain/import-status';
import type { ImportActionName, ShownImport } from '../../api/imports.ts';
import { cancelLabel } from '../../components/import/cancel-words.ts';

export type QueueAction =
  | { kind: 'action'; action: ImportActionName; label: string; primary: boolean }
  | { kind: 'cancel'; label: string }
  | { kind: 'review' }
  | { kind: 'report' };

/** The buttons of a row. The domain's table says which action is allowed in which status. */
export function queueActions(job: Pick<ShownImport, 'status' | 'outcomes' | 'rereading'>): QueueAction[] {
  const { status } = job;
  const actions: QueueAction[] = [];
  const add = (name: ImportActionName, label: string, primary = false) =>
    actions.push({ kind: 'action', action: name, label, primary });
  if (canDo('pause', status)) add('pause', 'Pause');
  if (canDo('resume', status)) add('resume', 'Resume', true);
  if (canDo('review', status)) actions.push({ kind: 'review' });
  if (canDo('viewReport', status)) actions.push({ kind: 'report' });
  if (status === 'failed') add('retry', 'Retry', true);
  // A button next to View Report, because its notification disappears after 10 seconds.
  if (status === 'completed' && job.outcomes.failed > 0) add('retry', 'Retry failed rows');
  if (canDo('push', status)) {
    const label = { queued: 'Push', processed: 'Push to Shopify' }[status] ?? 'Push again';
    add('push', label, status !== 'completed');
  }
  if (canDo('cancel', status)) actions.push({ kind: 'cancel', label: cancelLabel(job) });
  return actions;
}

/** The lines of View Report, as specified. `words` holds the formatted times. */
export function reportLines(
  job: Pick<
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
): string[] {
  return [
    `File: ${job.filename}`,
    `Status: ${words.status}`,
    `Products: ${job.processedProducts} of ${job.totalProducts}`,
    `Uploaded: ${job.createdProducts}`,
    ...outcomeLines(job.outcomes),
    `Progress: ${job.progress}%`,
    `Started: ${words.started}`,
    `Completed: ${words.completed}`,
    ...job.errorLog.slice(0, 3).map((error, index) => `Error ${index + 1}: ${error}`),
  ];
}

/** Details of 'Uploaded', which hides unchanged, skipped and failed products. */
function outcomeLines(outcomes: ShownImport['outcomes']): string[] {
  const some = Object.entries(outcomes).filter(([, count]) => count > 0);
  return some.length === 0 ? [] : [`Results: ${some.map(([name, count]) => `${count} ${name}`).join(', ')}`];
}
