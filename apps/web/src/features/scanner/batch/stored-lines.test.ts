import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Line } from './batch-lines.ts';
import { readLines, storeLines, withStored } from './stored-lines.ts';

const listKey = 'draftshelf-batch-scan';
const line = (id: string, set: Partial<Line> = {}): Line => ({
  ...{ id, code: { text: id, format: null }, sku: id, upc: null, count: 1, name: '', price: '' },
  ...{ description: '', photo: null, nameFrom: null, note: null, state: 'ready', problem: null, ...set },
});

let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('localStorage', {
    get length() {
      return stored.size;
    },
    key: (at: number) => [...stored.keys()][at] ?? null,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());
const ids = (lines: readonly Line[]) => lines.map(({ id }) => id);

test('lines of two tabs are all there after a reload, the newest first', () => {
  const [one, other] = [line('one'), line('other')];
  storeLines([], [one]);
  // The other tab was opened before.
  storeLines([], [other]);
  const counted = { ...one, count: 2 };
  storeLines([one], [counted]);
  expect(readLines()).toEqual([other, counted]);
  storeLines([other], []);
  expect(readLines()).toEqual([counted]);
});

test('a tab shows the lines that another one adds, changes and removes', () => {
  const [one, other] = [line('one'), line('other')];
  storeLines([], [one]);
  const eventOf = (id: string) => ({
    key: `${listKey}:${id}`,
    newValue: stored.get(`${listKey}:${id}`) ?? null,
  });
  storeLines([], [other]);
  const both = withStored([one], eventOf('other'));
  expect(ids(both)).toEqual(['other', 'one']);
  storeLines([one], [{ ...one, name: 'Vase' }]);
  const named = withStored(both, eventOf('one'));
  expect(named.map(({ name }) => name)).toEqual(['', 'Vase']);
  storeLines([other], []);
  expect(ids(withStored(named, eventOf('other')))).toEqual(['one']);
  expect(withStored(named, { key: 'draftshelf-lens', newValue: null })).toBe(named);
});

test('a line that a sign-out has removed is not stored again by its look-up', () => {
  const one = line('one', { state: 'looking' });
  storeLines([], [one]);
  stored.clear();
  storeLines([one], [{ ...one, state: 'ready', name: 'Vase' }]);
  expect([...stored]).toEqual([]);
});

test('a line of another version stays stored while others are added', () => {
  const strange = JSON.stringify({ at: 1, line: { ...line('new'), state: 'weighed' } });
  stored.set(`${listKey}:new`, strange);
  stored.set(`${listKey}:broken`, '{');
  storeLines([], [line('one')]);
  expect(ids(readLines())).toEqual(['one']);
  expect(stored.get(`${listKey}:new`)).toBe(strange);
  expect(stored.get(`${listKey}:broken`)).toBe('{');
});

test('the list of an earlier version is read line by line', () => {
  const strange = { id: 'strange' };
  stored.set(listKey, JSON.stringify([line('newer'), strange, line('older')]));
  expect(ids(readLines())).toEqual(['newer', 'older']);
  expect(ids(readLines())).toEqual(['newer', 'older']);
  expect(stored.get(listKey)).toBe(JSON.stringify([strange]));
  stored.set(listKey, '[{');
  expect(ids(readLines())).toEqual(['newer', 'older']);
  expect(stored.get(listKey)).toBe('[{');
});
