import type { StoreProduct } from './store-api.ts';

/** The specification's number. */
export const productsShown = 10;

export function searchProducts(products: readonly StoreProduct[], search: string): StoreProduct[] {
  const words = search.trim().toLowerCase();
  if (words === '') return [...products];
  return products.filter(({ title, vendor, status }) =>
    [title, vendor ?? '', status].some((text) => text.toLowerCase().includes(words)),
  );
}

/** In en-US and the store's currency; 'N/A' without a price. */
export function priceWords({ variants }: Pick<StoreProduct, 'variants'>, currency: string | null): string {
  const price = Number.parseFloat(variants[0]?.price ?? '');
  if (!Number.isFinite(price)) return 'N/A';
  const style = { style: 'currency', currencyDisplay: 'narrowSymbol' } as const;
  return new Intl.NumberFormat('en-US', { ...style, currency: currency ?? 'USD' }).format(price);
}

/** 0 if the store leaves it out. */
export const inventoryOf = ({ variants }: Pick<StoreProduct, 'variants'>): number =>
  variants[0]?.inventory_quantity ?? 0;

export const storeStatuses = ['active', 'draft', 'archived'] as const;
export type StoreStatus = (typeof storeStatuses)[number];

/** Percent of all products. */
export const distribution = (products: readonly Pick<StoreProduct, 'status'>[]) =>
  storeStatuses.map((status) => {
    const count = products.filter((product) => product.status === status).length;
    return {
      status,
      count,
      percent: products.length === 0 ? 0 : Math.round((count / products.length) * 100),
    };
  });

const minuteS = 60;
const hourS = 60 * minuteS;

/** 'about 30 s', 'about 4 min'; '' if unknown. */
export function pushTimeWords(products: number, perSecond: number | null): string {
  if (perSecond === null || perSecond <= 0 || products === 0) return '';
  const seconds = products / perSecond;
  if (seconds < 10) return 'a few seconds';
  if (seconds < 90) return `about ${Math.ceil(seconds / 10) * 10} s`;
  if (seconds < 90 * minuteS) return `about ${Math.ceil(seconds / minuteS)} min`;
  return `about ${Math.ceil(seconds / hourS)} h`;
}

/** With `from`, all imports from there to `id` get the same state. */
export function toggled(
  selected: ReadonlySet<string>,
  ids: readonly string[],
  id: string,
  from: string | null,
): Set<string> {
  const [to, begin] = [ids.indexOf(id), from === null ? -1 : ids.indexOf(from)];
  const touched = begin < 0 ? [id] : ids.slice(Math.min(begin, to), Math.max(begin, to) + 1);
  const next = new Set(selected);
  for (const importId of touched) {
    if (selected.has(id)) next.delete(importId);
    else next.add(importId);
  }
  return next;
}

export const keptSelection = (selected: ReadonlySet<string>, imports: readonly { id: string }[]): string[] =>
  imports.filter(({ id }) => selected.has(id)).map(({ id }) => id);
