import type { FieldValues } from '@draftshelf/contract/field-values';
import { countOf, formatCount } from '../../../lib/intl.ts';

/** '12 values in 1,180 rows, 3 rows without one.' */
export function readWords({ rows, empty, distinct, isAll, values }: FieldValues): string {
  const where = isAll ? countOf(rows, 'row') : `the first ${formatCount(rows)} rows`;
  const some = values.length < distinct ? `, the commonest ${values.length} below` : '';
  const without = empty === 0 ? '' : `, ${countOf(empty, 'row')} without one`;
  return `${countOf(distinct, 'value')} in ${where}${without}${some}.`;
}
