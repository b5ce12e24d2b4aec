import type { Task } from '@draftshelf/contract/imports/imports';
import type { AppliedEdits, EditPreview } from '@draftshelf/contract/review/commands';
import type { Command } from '@draftshelf/contract/review/edit-history';
import { shortened } from '@draftshelf/domain/base/cut-text';
import { type LeftReason, leftReasons } from '@draftshelf/domain/review/operations/left-reason';
import { countOf, formatCount } from '../../../lib/intl.ts';

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
 * What has become of a change that this tab has started: somebody may have undone it since. `left`: what it did not
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

const reasons: Record<LeftReason, string> = {
  'not-a-number': 'not a number',
  'no-result': 'the result would be zero, negative or no number',
  'nothing-to-take': 'nothing to copy',
  'too-long': 'the result would be too long for the field',
  'not-allowed': 'the field can’t have this value',
  'several-values': 'a product has this value once, and the pasted rows have several',
  'being-sent': 'being sent to the store',
  'changed-since': 'changed by somebody meanwhile',
  yours: 'you changed it yourself',
};

const shownChars = 60;

/** '12 cells: not a number. The first is “n/a” in row 5.' */
export function leftCellWords({ reason, cells, row, ...first }: EditPreview['left'][number]): string {
  const text = first.refused ?? first.before ?? '';
  const value = text === '' ? 'The first is empty, in' : `The first is “${shortened(text, shownChars)}” in`;
  return `${countOf(cells, 'cell')}: ${reasons[reason]}. ${value} row ${formatCount(row)}.`;
}

/** 'Left unchanged: 1 value (changed by somebody meanwhile).'; one sentence per reason. */
export const leftSentences = (left: AppliedEdits['left']): string[] =>
  leftReasons.flatMap((reason) => {
    const cells = left[reason] ?? 0;
    return cells === 0 ? [] : [`Left unchanged: ${countOf(cells, 'value')} (${reasons[reason]}).`];
  });
