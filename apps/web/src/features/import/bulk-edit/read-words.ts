import type { FieldValues } from '@draftshelf/contract/review/field-values';
import { countOf, formatCount } from '../../../lib/intl.ts';

type Read = Pick<FieldValues, 'rows' | 'empty' | 'distinct' | 'isAll' | 'values'>;

/** What the values were read from: '12 values in 1,180 rows, 3 rows without one.' */
export function readWords({ rows, empty, distinct, isAll, values }: Read): string {
  if (isAll && rows === 0) return 'No rows match the filter, so there are no values.';
  const where = isAll ? countOf(rows, 'row') : `the first ${formatCount(rows)} rows`;
  const some = values.length < distinct ? `, the commonest ${values.length} below` : '';
  const without = empty === 0 ? '' : `, ${countOf(empty, 'row')} without one`;
  return `${countOf(distinct, 'value')} in ${where}${without}${some}.`;
}
