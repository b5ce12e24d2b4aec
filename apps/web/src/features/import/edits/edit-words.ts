import type { AppliedEdits } from '@draftshelf/contract/review/commands';
import type { Author } from '@draftshelf/contract/review/edit-history';
import { canDo, statusLabel } from '@draftshelf/domain/imports/import-status';
import { type LeftReason, leftReasons, leftRowsMax } from '@draftshelf/domain/review/operations/left-reason';
import { countOf, formatCount } from '../../../lib/intl.ts';
import type { ShownImport } from '../imports-api.ts';

export const leftReasonWords: Record<LeftReason, string> = {
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

/** 'row 5', 'rows 5, 8, and 9'. */
export const rowsNamed = (rows: readonly number[]): string =>
  `${rows.length === 1 ? 'row' : 'rows'} ${new Intl.ListFormat('en').format(rows.map(formatCount))}`;

/** 'Left unchanged: 1 value (changed by somebody meanwhile), in row 5.' `rows`: the first ones, where known. */
export const leftSentences = (left: AppliedEdits['left'], rows: AppliedEdits['leftRows'] = {}): string[] =>
  leftReasons.flatMap((reason) => {
    const [cells, named] = [left[reason] ?? 0, rows[reason] ?? []];
    if (cells === 0) return [];
    const isFirst = named.length === leftRowsMax && cells > leftRowsMax;
    const where = named.length === 0 ? '' : `, ${isFirst ? 'the first ' : ''}in ${rowsNamed(named)}`;
    return [`Left unchanged: ${countOf(cells, 'value')} (${leftReasonWords[reason]})${where}.`];
  });

/** Reason for not editing an import's rows now; null if they can be edited. */
export function editLock({ status }: Pick<ShownImport, 'status'>): string | null {
  if (canDo('edit', status)) return null;
  return `Rows can’t be edited while the import is ${statusLabel(status).toLowerCase()}.`;
}

export const authorWords: Record<Author, string> = {
  'this-browser': 'You, in this browser',
  'another-browser': 'Signed in elsewhere',
  call: 'An API call',
  worker: 'Draftshelf',
  unknown: 'Not recorded',
};
