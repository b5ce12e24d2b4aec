import type { RereadPreview } from '@draftshelf/contract/reading/reread-preview';
import { countOf, formatCount } from '../../../lib/intl.ts';

type Counts = NonNullable<RereadPreview['before']>;

const names = { valid: 'Valid', warning: 'Warnings', error: 'Errors' } as const;
const kinds = ['valid', 'warning', 'error'] as const;

const productsOf = ({ valid, warning, error }: Counts): number => valid + warning + error;

/**
 * 'Valid 20 → 0 · Warnings 0 → 20'. Classes without products are left out. 'Products 98 → 90' comes first where another
 * number of products is read.
 */
export function effectWords(before: Counts | null, after: Counts): string {
  const shown = kinds.filter((kind) => kind === 'valid' || after[kind] > 0 || (before?.[kind] ?? 0) > 0);
  const changes = shown.map((kind) => changeWords(names[kind], before?.[kind], after[kind]));
  if (before !== null && productsOf(before) !== productsOf(after))
    changes.unshift(changeWords('Products', productsOf(before), productsOf(after)));
  return changes.join(' · ');
}

const changeWords = (name: string, from: number | undefined, to: number): string =>
  `${name} ${from === undefined || from === to ? '' : `${formatCount(from)} → `}${formatCount(to)}`;

/** Whether a reading has more products with a problem, or fewer rows. Rows that become variants are not worse. */
export const isWorse = (before: Counts | null, after: Counts): boolean =>
  before !== null &&
  (after.rows < before.rows || after.warning + after.error > before.warning + before.error);

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
