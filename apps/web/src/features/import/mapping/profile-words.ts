import type { MappedColumn } from '@draftshelf/contract/reading/mapping';
import { formatCount } from '../../../lib/intl.ts';

type Profile = NonNullable<MappedColumn['profile']>;

/** '98 % filled, 100 % numbers, 31 % different values in the first 200 rows'. */
export function profileWords({ rows, filled, numeric, distinct }: Profile): string {
  if (rows === 0) return 'No rows';
  const percent = (share: number) => `${Math.round(100 * share)} %`;
  const where = `in the first ${formatCount(rows)} rows`;
  if (filled === 0) return `Empty ${where}`;
  const parts = [`${percent(filled)} filled`, `${percent(distinct)} different values`];
  if (numeric > 0) parts.splice(1, 0, `${percent(numeric)} numbers`);
  return `${parts.join(', ')} ${where}`;
}
