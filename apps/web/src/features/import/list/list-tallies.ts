import type { List } from '@draftshelf/contract/imports/list';
import { printedCode } from '@draftshelf/domain/base/gtin';
import type { ListChange } from '@draftshelf/domain/suppliers/list';
import { formatCount } from '../../../lib/intl.ts';

type Counts = NonNullable<List['counts']>;

export type Tally = { of: ListChange | 'missing' | 'gone'; count: number; words: string };

const tally = (counts: Counts, of: Exclude<Tally['of'], 'gone'>, words: string = of): Tally => ({
  ...{ of, count: counts[of] },
  words: `${formatCount(counts[of])} ${words}`,
});

/** '260 dearer (avg +8%)'. */
const priceTally = (counts: Counts, of: 'dearer' | 'cheaper', sign: string): Tally => {
  const by = counts[`${of}By`];
  return tally(
    counts,
    of,
    by == null ? of : `${of} (avg ${sign}${by < 1 ? by.toFixed(1) : formatCount(Math.round(by))}%)`,
  );
};

/** In the order of the strip. */
export function talliesOf(counts: Counts, gone: number | null = null): (Tally & { parts: Tally[] })[] {
  const parts = [priceTally(counts, 'dearer', '+'), priceTally(counts, 'cheaper', '−')].filter(
    ({ count }) => count > 0,
  );
  return [
    { ...tally(counts, 'new'), parts: [] },
    { ...tally(counts, 'changed'), parts },
    { ...tally(counts, 'unchanged'), parts: [] },
    { ...tally(counts, 'returned', 'back'), parts: [] },
    { ...tally(counts, 'missing'), parts: [] },
    ...(gone
      ? [{ of: 'gone' as const, count: gone, words: `${formatCount(gone)} no longer listed`, parts: [] }]
      : []),
  ];
}

/** The key as people know it: SKU, UPC, or handle with option values. */
export function shownKey(key: string): string {
  const text = key.slice(2);
  if (key.startsWith('g:')) return `UPC ${printedCode(text)}`;
  return key.startsWith('h:') ? text.split('|').filter(Boolean).join(' · ') : text;
}
