import type { RereadPreview } from '@draftshelf/contract/reading/reread-preview';
import { countOf, formatCount } from '../../../lib/intl.ts';

type Counts = NonNullable<RereadPreview['before']>;

const names = { valid: 'Valid', warning: 'Warnings', error: 'Errors' } as const;
const kinds = ['valid', 'warning', 'error'] as const;

/** 'Valid 20 → 0 · Warnings 0 → 20'. Classes without products are left out. */
export function effectWords(before: Counts | null, after: Counts): string {
  return kinds
    .filter((kind) => kind === 'valid' || after[kind] > 0 || (before?.[kind] ?? 0) > 0)
    .map((kind) => {
      const from = before?.[kind];
      const to = formatCount(after[kind]);
      const isSame = from === undefined || from === after[kind];
      return `${names[kind]} ${isSame ? to : `${formatCount(from)} → ${to}`}`;
    })
    .join(' · ');
}

/**
 * 'from the first 1,000 rows'; '' if these are all rows. With rows that were added from the scanner, which no reading
 * of the file changes: '20 rows and 1 added'.
 */
export function extentWords({ isWhole, after, added }: Extent): string {
  if (after === null) return '';
  const rows = countOf(after.rows, 'row');
  if (!isWhole) return `from the first ${rows}`;
  return added === 0 ? '' : `${rows} and ${formatCount(added)} added`;
}

type Extent = Pick<RereadPreview, 'isWhole' | 'after' | 'added'>;
