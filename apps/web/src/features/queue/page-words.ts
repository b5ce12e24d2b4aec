import { countOf, formatCount } from '../../lib/intl.ts';

type Page = { count: number; total: number; isNewest: boolean; isFiltered: boolean };

/** Which of all imports are shown, or searched if there is a filter; null if all are. */
export function pageWords({ count, total, isNewest, isFiltered }: Page): string | null {
  if (isNewest && count >= total) return null;
  const verb = isFiltered ? 'Searched' : 'Showing';
  const all = countOf(total, 'import');
  if (isNewest) return `${verb} the newest ${formatCount(count)} of ${all}.`;
  return count === 0
    ? 'No older imports.'
    : `${verb} ${formatCount(count)} older imports of ${formatCount(total)}.`;
}
