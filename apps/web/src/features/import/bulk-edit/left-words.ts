import type { AppliedEdits, EditPreview } from '@draftshelf/contract/review/commands';
import { type LeftReason, leftReasons } from '@draftshelf/domain/review/operations/left-reason';
import { countOf, formatCount } from '../../../lib/intl.ts';

const reasons: Record<LeftReason, string> = {
  'not-a-number': 'not a number',
  'no-result': 'the result would be zero, negative or no number',
  'nothing-to-take': 'nothing to copy',
  'too-long': 'the result would be too long for the field',
  'not-allowed': 'the field can’t have this value',
  'being-sent': 'being sent to the store',
  'changed-since': 'changed by somebody meanwhile',
};

/** '12 cells: not a number. The first is “n/a” in row 5.' */
export function leftWords({ reason, cells, row, before }: EditPreview['left'][number]): string {
  const value = before === null || before === '' ? 'The first is empty, in' : `The first is “${before}” in`;
  return `${countOf(cells, 'cell')}: ${reasons[reason]}. ${value} row ${formatCount(row)}.`;
}

/** 'Left unchanged: 1 value (changed by somebody meanwhile).'; one sentence per reason. */
export const leftSentences = (left: AppliedEdits['left']): string[] =>
  leftReasons.flatMap((reason) => {
    const cells = left[reason] ?? 0;
    return cells === 0 ? [] : [`Left unchanged: ${countOf(cells, 'value')} (${reasons[reason]}).`];
  });
