import type { Task } from '@draftshelf/contract/imports/imports';
import type { Command } from '@draftshelf/contract/review/edit-history';
import { formatCount } from '../../../lib/intl.ts';
import { leftSentences } from './left-words.ts';

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

const endedTitles = {
  applied: 'Change applied',
  undone: 'Change undone',
  applying: 'Change being applied again',
  undoing: 'Change being undone',
} as const satisfies Record<Command['state'], string>;

/**
 * What has become of a change that this tab has started: others may have undone it since. `left`: what it did not
 * change, and why. `newest`: the import's newest commands, undefined until they are read.
 */
export function endedWords(
  { command, isUndo }: { command: string; isUndo: boolean },
  newest: readonly Pick<Command, 'id' | 'state' | 'undo' | 'leftCells'>[] | undefined,
): { title: string; left: string[]; canUndo: boolean } {
  const listed = newest?.find(({ id, undo }) => (isUndo ? undo?.id : id) === command);
  const state = listed?.state ?? (isUndo ? 'undone' : 'applied');
  const cells = state === 'undone' ? { 'changed-since': listed?.undo?.left ?? 0 } : (listed?.leftCells ?? {});
  const left = state === 'applying' || state === 'undoing' ? [] : leftSentences(cells);
  return { title: endedTitles[state], left, canUndo: state === 'applied' };
}
