import type { findAnywhere } from '@draftshelf/contract/imports/find';
import type { ReplyOf } from '@draftshelf/contract/route';
import { searchCharsMax } from '@draftshelf/domain/base/search-text';
import { statusLabel } from '@draftshelf/domain/imports/import-status';
import type { ShownCurrent } from '../../features/import/index.ts';
import { formatCount } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { type OfferedAction, shownKey } from '../../ui/actions.ts';

export type PaletteItem = {
  id: string;
  label: string;
  /** Tells the item from others with the same label. */
  detail: string | null;
  keys: string | null;
  /** Null: it can be run. */
  reason: string | null;
} & ({ to: string } | { act: () => void });

export type PaletteGroup = { name: string; items: PaletteItem[] };

type Screen = { path: string; label: string; key: string | null };

/** Tabs of screens: found by typing, not listed before. */
const tabs: readonly Screen[] = [
  { path: '/settings?tab=onedrive', label: 'Settings: OneDrive', key: null },
  { path: '/settings?tab=connections', label: 'Settings: Connections', key: null },
  { path: '/settings?tab=csv', label: 'Settings: CSV Processing', key: null },
  { path: '/settings?tab=debug', label: 'Settings: Debug', key: null },
  { path: '/shopify?tab=products', label: 'Shopify: Products', key: null },
  { path: '/shopify?tab=batch', label: 'Shopify: Batch Push', key: null },
  { path: '/shopify?tab=analytics', label: 'Shopify: Analytics', key: null },
];
type Found = ReplyOf<typeof findAnywhere>;

type Known = {
  actions: readonly OfferedAction[];
  screens: readonly Screen[];
  /** Includes imports that have just ended. */
  current: readonly Pick<ShownCurrent, 'id' | 'filename' | 'status'>[];
  /** The answer to the text or to the previous one; undefined without an answer. */
  found: Found | undefined;
};

/** Listed before anything is typed. */
const currentMax = 5;

export function paletteGroups(text: string, { actions, screens, current, found }: Known): PaletteGroup[] {
  const words = wordsOf(text);
  const isSearch = words.length > 0;
  const hasAll = ({ label }: { label: string }) => holdsAll(label, words);
  const groups = [
    { name: 'This page', items: actions.filter(hasAll).map(actionItem) },
    { name: 'Screens', items: [...screens, ...(isSearch ? tabs : [])].filter(hasAll).map(screenItem) },
    { name: 'Imports', items: importsOf(current, found, words).slice(0, isSearch ? undefined : currentMax) },
    { name: 'Products', items: isSearch ? (found?.products?.found ?? []).map(productItem) : [] },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
const holdsAll = (text: string, words: readonly string[]) =>
  words.every((word) => text.toLowerCase().includes(word));

const actionItem = ({ label, key, reason, act }: OfferedAction): PaletteItem => ({
  ...{ id: `action ${label}`, label, detail: null, reason, act },
  keys: key === null ? null : shownKey(key),
});

const screenItem = ({ path, label, key }: Screen): PaletteItem => ({
  ...{ id: `screen ${path}`, label, detail: null, reason: null, to: path },
  keys: key === null ? null : `g ${key}`,
});

/** Known imports come at once, the server's behind them. */
function importsOf(
  current: Known['current'],
  found: Found | undefined,
  words: readonly string[],
): PaletteItem[] {
  const known = current.filter(({ filename }) => holdsAll(filename, words));
  const isNew = ({ id }: { id: string }) => known.every((item) => item.id !== id);
  const more = words.length === 0 ? [] : (found?.imports ?? []).filter(isNew);
  return [...known, ...more].map(({ id, filename, status }) => ({
    ...{ id: `import ${id}`, label: filename, keys: null, reason: null, to: importPath(id) },
    detail: statusLabel(status === 'error' ? 'failed' : status),
  }));
}

/** Opens the product's import, searched by its SKU, UPC or title. */
function productItem(product: NonNullable<Found['products']>['found'][number]): PaletteItem {
  const { importId, row, title, sku, upc, filename } = product;
  const sought = [sku, upc, title].find((value) => value !== null && [...value].length >= 3);
  const search = sought ? `?q=${encodeURIComponent(sought.slice(0, searchCharsMax))}` : '';
  return {
    ...{ id: `product ${importId} ${row}`, label: title ?? 'No title', keys: null, reason: null },
    detail: [sku ?? upc, filename].filter((part) => part !== null).join(' · '),
    to: `${importPath(importId)}${search}`,
  };
}

/** Names the parts that were not searched, and why; '' if all were. */
export function searchNote(text: string, found: Found | undefined): string {
  if (wordsOf(text).length === 0 || found === undefined) return '';
  const { products } = found;
  if (products === null) return 'Products are searched from three characters on.';
  const notes = [
    products.hasMore ? 'More products match: type more.' : '',
    products.isCut ? 'That took too long, so older imports were searched only in part: type more.' : '',
    products.hasOlder
      ? `Products of the newest ${formatCount(products.imports)} imports were searched, not those of older ones.`
      : '',
  ];
  return notes.filter((note) => note !== '').join(' ');
}
