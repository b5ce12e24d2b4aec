import type { ListedCommand, ListedEdit } from '@draftshelf/core/review/commands/edit-history';
import { type CanonicalField, fieldSpecs } from '@draftshelf/domain/base/canonical-fields';
import { countOf, formatCount } from '@draftshelf/domain/base/format';
import { sourceLabel } from '@draftshelf/domain/enrich/sources';
import { leaveOutField } from '@draftshelf/domain/review/edited-field';
import { describeOperations } from '@draftshelf/domain/review/operations/operations-sentence';

const valueCharsMax = 60;

/** Describes a command for the history. `edits`: its first edits. `toDecide`: number of its open proposals. */
export function commandSentence(
  command: Pick<
    ListedCommand,
    'kind' | 'rows' | 'operations' | 'edits' | 'carried' | 'state' | 'corrected_by'
  >,
  edits: readonly ListedEdit[],
  toDecide: number,
): string {
  const { kind, rows, operations } = command;
  if (kind === 'copied') return 'Edits of an earlier upload copied';
  if (kind === 'file') return 'Left out of the push: rows that the file deletes or ignores';
  if (kind === 'carried') return carriedSentence(command, toDecide);
  if (kind === 'corrections') return `Corrections of ${command.corrected_by ?? 'a file'} applied`;
  if (kind === 'proposals') return rows === 0 ? 'Proposals dismissed' : 'Proposals accepted';
  if (operations === null) return rowChangeSentence(edits);
  const [only] = edits;
  return `${only === undefined ? '' : `${capitalized(rowName(only))}: `}${describeOperations(operations)}`;
}

function carriedSentence(
  { edits, carried, state }: Pick<ListedCommand, 'edits' | 'carried' | 'state'>,
  toDecide: number,
): string {
  const open = toDecide > 0 && state === 'applied' ? `, ${formatCount(toDecide)} to decide` : '';
  return `${countOf(edits ?? 0, 'change')} of ${carried?.filename ?? 'an earlier list'} carried over${open}`;
}

/** Returns a sentence such as 'Price of row 12 changed to “9.90”'. */
export function rowChangeSentence(edits: readonly ListedEdit[]): string {
  const [first] = edits;
  if (first === undefined) return 'A row changed';
  const row = rowName(first);
  if (edits.length === 1 && first.field === leaveOutField) {
    return `${capitalized(row)} ${first.after === null ? 'put back into the push' : 'left out of the push'}`;
  }
  if (edits.length > 1) return `${listed(edits.map(({ field }) => labelOf(field)))} of ${row} changed`;
  const { field, after, source } = first;
  const cell = `${labelOf(field)} of ${row}`;
  if (after === null) return `${cell} set back to the value of the file`;
  // A picture's address means nothing to people, so the sentence does not show it.
  const isPicture = field === 'image' || field === 'moreImages';
  const to = isPicture ? 'changed' : `changed to “${shortened(after)}”`;
  const change = `${cell} ${after === '' ? 'emptied' : to}`;
  return source === null ? change : `${change}, as proposed by ${sourceLabel(source)}`;
}

const rowName = ({ row, is_here }: ListedEdit): string =>
  `row ${formatCount(row)}${is_here ? '' : ' of an earlier reading'}`;

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const labelOf = (field: string): string =>
  field === leaveOutField ? 'Push' : (fieldSpecs[field as CanonicalField]?.label ?? field);

function shortened(value: string): string {
  const characters = [...value];
  const start = characters.slice(0, valueCharsMax).join('').replace(/\s+/g, ' ').trim();
  return characters.length > valueCharsMax ? `${start}…` : start;
}

/** Joins labels, such as 'Title, Price and Cost' or 'Title, Price and more'. */
function listed(labels: readonly string[]): string {
  const distinct = [...new Set(labels)];
  const names = distinct.length > labelsMax ? [...distinct.slice(0, labelsMax), 'more'] : distinct;
  return names.length === 1 ? String(names[0]) : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

const labelsMax = 3;
/** Limits of reads for the sentence: one more than the sentence shows, to detect that there is more. */
export const editsReadForSentence = { limit: labelsMax + 1, chars: valueCharsMax + 1 };
