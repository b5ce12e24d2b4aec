import { countOf, formatCount } from '../../../lib/intl.ts';
import { issueWords } from '../issue-words.ts';
import { fieldValueWords } from '../mapping/field-value-words.ts';
import type { ChosenRows } from './chosen-rows.ts';

const classWords = { 'needs-you': 'Needs you', valid: 'Valid', warning: 'Warning', error: 'Error' } as const;

/** How the rows were chosen: 'Filtered by: Invalid price, “vase”', 'Ticked rows, 3 not shown'. */
export function targetWords({ target, notShown }: Pick<ChosenRows, 'target' | 'notShown'>): string {
  if ('rows' in target) {
    const [row = 0, ...others] = target.rows;
    if (others.length === 0)
      return `Row ${formatCount(row)}${notShown === 0 ? '' : ', ticked but not shown'}`;
    return `Ticked rows${notShown === 0 ? '' : `, ${formatCount(notShown)} not shown`}`;
  }
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
