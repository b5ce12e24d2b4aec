import type { RereadPreview } from '@draftshelf/contract/reread-preview';
import { countOf, formatCount } from '../../lib/intl.ts';

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

/** 'from the first 1,000 rows'; '' if these are all rows. */
export function extentWords({ isWhole, after }: Pick<RereadPreview, 'isWhole' | 'after'>): string {
  return isWhole || after === null ? '' : `from the first ${countOf(after.rows, 'row')}`;
}
