import { canDo } from '@draftshelf/domain/import-status';
import type { ImportActionName, ShownImport } from '../../api/imports.ts';
import { cancelLabel } from '../../components/import/cancel-words.ts';

export type QueueAction =
  | { kind: 'move'; move: ImportActionName; label: string; primary: boolean }
  | { kind: 'cancel'; label: string }
  | { kind: 'review' }
  | { kind: 'report' };

/** The buttons of a row, by the domain's table of what may be done in which status (product-spec section 4). */
export function queueActions(job: Pick<ShownImport, 'status' | 'outcomes' | 'rereading'>): QueueAction[] {
  const { status } = job;
  const actions: QueueAction[] = [];
  const move = (name: ImportActionName, label: string, primary = false) =>
    actions.push({ kind: 'move', move: name, label, primary });
  if (canDo('pause', status)) move('pause', 'Pause');
  if (canDo('resume', status)) move('resume', 'Resume', true);
  if (canDo('review', status)) actions.push({ kind: 'review' });
  if (canDo('viewReport', status)) actions.push({ kind: 'report' });
  if (status === 'failed') move('retry', 'Retry', true);
  // Decision P15: beside View Report, not in its notification.
  if (status === 'completed' && job.outcomes.failed > 0) move('retry', 'Retry failed rows');
  if (canDo('push', status)) {
    const label = { queued: 'Push', processed: 'Push to Shopify' }[status] ?? 'Push again';
    move('push', label, status !== 'completed');
  }
  if (canDo('cancel', status)) actions.push({ kind: 'cancel', label: cancelLabel(job) });
  return actions;
}

/** The lines of View Report (product-spec section 4), the times already in words. */
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

/** What 'Uploaded' is made of: that a push wrote nothing anew, and what it left out, would not be seen otherwise. */
function outcomeLines(outcomes: ShownImport['outcomes']): string[] {
  const some = Object.entries(outcomes).filter(([, count]) => count > 0);
  return some.length === 0 ? [] : [`Results: ${some.map(([name, count]) => `${count} ${name}`).join(', ')}`];
}
