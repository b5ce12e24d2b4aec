import { expect, test } from 'vitest';
import { buildPaletteGroups, buildSearchNote, type PaletteGroup } from './palette.tsx';

const screens = [
  { path: '/', label: 'Dashboard', key: 'd' },
  { path: '/queue', label: 'Processing Queue', key: 'q' },
];
const actions = [
  { label: 'Push', key: 'P', reason: null, act: () => {} },
  { label: 'Dry Run', key: null, reason: 'The server is gone.', act: () => {} },
];
const current = Array.from({ length: 7 }, (_, at) => ({
  ...{ id: `c${at}`, filename: `current ${at}.csv`, status: at === 6 ? 'error' : 'queued' },
}));
const product = {
  importId: 'i1',
  filename: 'lamps.csv',
  row: 7,
  title: 'Lamp',
  sku: 'L-100',
  upc: '036000291452',
};
const products = { found: [product], hasMore: false, imports: 2, hasOlder: false, isCut: false };
const createdAt = '2026-03-01T12:00:00.000Z';
const found = {
  imports: [
    { id: 'c0', filename: 'current 0.csv', status: 'queued', createdAt },
    { id: 'i1', filename: 'lamps and currents.csv', status: 'completed', createdAt },
  ],
  products,
};

const known = { actions, screens, current, found: undefined };
const labelsOf = (groups: readonly PaletteGroup[]) =>
  Object.fromEntries(groups.map(({ name, items }) => [name, items.map(({ label }) => label)]));

test('before anything is typed there are the actions, the screens and five current imports', () => {
  const groups = buildPaletteGroups('  ', { ...known, found });
  expect(labelsOf(groups)).toEqual({
    'This page': ['Push', 'Dry Run'],
    Screens: ['Dashboard', 'Processing Queue'],
    Imports: current.slice(0, 5).map(({ filename }) => filename),
  });
  const items = groups.flatMap((group) => group.items);
  expect(items[0]).toMatchObject({ keys: '⇧P', reason: null });
  expect(items[1]).toMatchObject({ keys: null, reason: 'The server is gone.' });
  expect(items[3]).toMatchObject({ keys: 'g q', to: '/queue' });
});

test('a label has to hold all words, in any order and case', () => {
  expect(labelsOf(buildPaletteGroups('queue PROC', known))).toEqual({ Screens: ['Processing Queue'] });
  expect(labelsOf(buildPaletteGroups('conn', known))).toEqual({ Screens: ['Settings: Connections'] });
  expect(labelsOf(buildPaletteGroups('run', known))).toEqual({ 'This page': ['Dry Run'] });
  expect(buildPaletteGroups('nothing', known)).toEqual([]);
});

test('imports that are known come first and once, then those of the server, then products', () => {
  const groups = buildPaletteGroups('current', { ...known, found });
  expect(groups.map(({ name }) => name)).toEqual(['Imports', 'Products']);
  expect(labelsOf(groups).Imports).toEqual([
    ...current.map(({ filename }) => filename),
    'lamps and currents.csv',
  ]);
  expect(groups[0]?.items[6]).toMatchObject({ detail: 'Failed', to: '/queue/c6' });
});

test('a product opens the rows with its SKU, or else with its UPC or title', () => {
  const opened = (set: Partial<typeof product> | { sku: null; upc?: null; title?: null }) => {
    const one = { ...product, ...set };
    const groups = buildPaletteGroups('x', {
      ...known,
      found: { imports: [], products: { ...products, found: [one] } },
    });
    return groups[0]?.items[0];
  };
  expect(opened({})).toMatchObject({ label: 'Lamp', detail: 'L-100 · lamps.csv', to: '/queue/i1?q=L-100' });
  expect(opened({ sku: null })).toMatchObject({
    detail: '036000291452 · lamps.csv',
    to: '/queue/i1?q=036000291452',
  });
  expect(opened({ sku: 'A1' })).toMatchObject({ to: '/queue/i1?q=036000291452' });
  expect(opened({ sku: null, upc: null })).toMatchObject({ detail: 'lamps.csv', to: '/queue/i1?q=Lamp' });
  expect(opened({ sku: null, upc: null, title: null })).toMatchObject({ label: 'No title', to: '/queue/i1' });
});

test('what is not searched is named', () => {
  const note = (set: object) => buildSearchNote('lamp', { imports: [], products: { ...products, ...set } });
  expect(note({})).toBe('');
  expect(buildSearchNote('', found)).toBe('');
  expect(buildSearchNote('lamp', undefined)).toBe('');
  expect(buildSearchNote('la', { imports: [], products: null })).toMatch(/at least 3 characters/);
  expect(note({ hasMore: true })).toMatch(/^More products match/);
  expect(note({ isCut: true })).toMatch(/older imports were searched only in part/);
  expect(note({ imports: 200, hasOlder: true })).toMatch(/newest 200 imports were searched/);
});
