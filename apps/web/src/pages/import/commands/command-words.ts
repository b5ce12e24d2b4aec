import type { Task } from '@draftshelf/contract/imports';
import { formatCount } from '../../../lib/intl.ts';

/** How much of a task is done, in whole percent; null if its size is not known. */
export function percentOf({ done, total }: Pick<Task, 'done' | 'total'>): number | null {
  return total === null || total === 0 ? null : Math.min(100, Math.floor((100 * done) / total));
}

/** 'Applying a change: 45%, 5,400 of 12,000 rows. Price × 1.2'; or why it does not go on. */
export function runningWords(task: Task, sentence: string | null, isUndo = false): string {
  const what = sentence === null ? '' : ` (${sentence})`;
  if (task.state === 'failed') {
    const cause = task.error?.replace(/\.$/, '') ?? 'unknown cause';
    return `${task.label} has stopped${what}: ${cause}. ${isUndo ? 'Resume it.' : 'Resume it, or undo it.'}`;
  }
  if (task.waitingFor !== null) return `${task.label}${what}: ${task.waitingFor}`;
  const percent = percentOf(task);
  if (percent === null || task.total === null)
    return `${task.label}${what}: ${formatCount(task.done)} rows so far`;
  return `${task.label}${what}: ${percent}%, ${formatCount(task.done)} of ${formatCount(task.total)} rows`;
}
