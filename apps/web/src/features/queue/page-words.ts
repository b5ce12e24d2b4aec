import { countOf, formatCount } from '../../lib/intl.ts';

type Page = { shown: number; total: number; isNewest: boolean; isFiltered: boolean };

/** The part of all imports that is shown, or searched if there is a filter; null if it is all of them. */
export function pageWords({ shown, total, isNewest, isFiltered }: Page): string | null {
  if (isNewest && shown >= total) return null;
  const verb = isFiltered ? 'Searched' : 'Showing';
  const all = countOf(total, 'import');
  if (isNewest) return `${verb} the newest ${formatCount(shown)} of ${all}.`;
  return shown === 0
    ? 'No older imports.'
    : `${verb} ${formatCount(shown)} older imports of ${formatCount(total)}.`;
}
