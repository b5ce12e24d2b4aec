import type { EditTarget } from '@draftshelf/contract/commands';
import { fieldValueWords } from '../../../components/mapping/field-value-words.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { issueWords } from '../rows/issue-words.ts';

const classWords = { 'needs-you': 'Needs you', valid: 'Valid', warning: 'Warning', error: 'Error' } as const;

/** How the rows were chosen: 'Filtered by: Invalid price, “vase”'. */
export function targetWords(target: EditTarget): string {
  if ('rows' in target)
    return target.rows.length === 1 ? `Row ${formatCount(target.rows[0] ?? 0)}` : 'Ticked rows';
  const { class: ofClass, issue, value, q } = target;
  const names = [
    ...(ofClass === undefined ? [] : [classWords[ofClass]]),
    ...(issue === undefined ? [] : [issueWords[issue]]),
    ...(value === undefined ? [] : [fieldValueWords(value)]),
    ...(q === undefined ? [] : [`“${q}”`]),
  ];
  return names.length === 0 ? 'All rows' : `Filtered by: ${names.join(', ')}`;
}

/** 'Change 12,004 rows'. `count` null: a search has not counted them. */
export const changeWords = (count: number | null): string =>
  count === null ? 'Change the rows found' : `Change ${countOf(count, 'row')}`;
