import { afterEach, beforeEach, expect, it, test, vi } from 'vitest';
import { CallError, NoReplyError } from '../../../api/call.ts';
import type { CodeReply } from '../scanner-api.ts';
import {
  acceptNames,
  addCode,
  changeLine,
  describeLine,
  fillLine,
  findSaveProblem,
  mergeStoredLines,
  readLines,
  type ScannedLine,
  saveLines,
  storeLines,
} from './batch-scan.tsx';

const scanned = (at: number) => ({
  id: `id-${at}`,
  code: { text: `code-${at}`, format: null },
  ...{ sku: `sku-${at}`, upc: null, note: null },
});
const lineOf = (at: number, set: Partial<ScannedLine> = {}): ScannedLine => {
  const [line] = addCode([], scanned(at)).lines;
  return { ...(line as ScannedLine), name: `Vase ${at}`, price: '9.90', state: 'ready', ...set };
};

const nothingKnown: CodeReply = {
  code: { kind: 'gtin', text: '036000291452', gtin: '00036000291452', problem: null },
  ...{ product: null, inStore: null, inImports: [], found: null, asked: 'missing', waiting: null },
};
const found = {
  ...{ source: 'UPCitemdb', title: 'Blue Vase', brand: 'Acme', description: 'It is blue.', category: null },
  ...{ images: ['https://pictures.example.com/1.jpg'], attribution: null },
};

it('counts the same code, and adds another one in front', () => {
  const first = addCode([], scanned(1));
  const again = addCode(first.lines, { ...scanned(1), id: 'other' });
  expect(again).toMatchObject({ isNew: false, lines: [{ id: 'id-1', count: 2 }] });
  expect(addCode(again.lines, scanned(2)).lines.map(({ sku, count }) => [sku, count])).toEqual([
    ['sku-2', 1],
    ['sku-1', 2],
  ]);
});

it('says that the number of scans is not saved', () => {
  expect(describeLine(lineOf(1))).toBe('');
  expect(describeLine(lineOf(1, { count: 3, price: '' }))).toBe(
    'Scanned 3 times; this count isn’t saved. Enter a price.',
  );
});

it('takes name, description and picture of a source, and no price', () => {
  const empty = lineOf(1, { name: '', price: '', state: 'looking' });
  const line = fillLine(empty, { ...nothingKnown, asked: 'answered', found });
  expect(line).toMatchObject({
    ...{ name: 'Blue Vase', nameFrom: 'UPCitemdb', price: '', description: 'It is blue.', state: 'ready' },
    photo: found.images[0],
  });
  expect(findSaveProblem(line)).toBe('Enter a price.');
  const priced = changeLine(line, { price: '9.90' });
  expect(findSaveProblem(priced)).toBe('Check the name from UPCitemdb, or accept all names.');
  expect(findSaveProblem(changeLine(priced, { name: 'Blue Vase' }))).toBeNull();
  expect(acceptNames([priced]).map(findSaveProblem)).toEqual([null]);
});

it('keeps what was typed while the look-up ran', () => {
  const typed = lineOf(1, { name: 'My vase', price: '5.00', state: 'looking' });
  expect(fillLine(typed, { ...nothingKnown, found })).toMatchObject({
    ...{ name: 'My vase', nameFrom: null, price: '5.00', description: 'It is blue.' },
  });
});

it('takes name and price of a row that waits, and says where it is', () => {
  const row = { id: 'i', filename: 'a.csv', row: 12, title: 'Red Vase', description: null, price: '7.50' };
  const line = fillLine(lineOf(1, { name: '', price: '' }), {
    ...nothingKnown,
    inImports: [{ ...row, images: [] }],
  });
  expect(line).toMatchObject({
    name: 'Red Vase',
    nameFrom: 'a.csv',
    price: '7.50',
    note: 'In a.csv, row 12.',
  });
});

it('says why nothing is known', () => {
  const empty = lineOf(1, { name: '' });
  expect(describeLine(fillLine(empty, nothingKnown))).toBe('Nothing is known about this code. Enter a name.');
  expect(fillLine(empty, { ...nothingKnown, asked: 'failed' }).note).toBe('Couldn’t look up this code.');
});

it('saves every line once: a refused one stays, and one whose answer is lost is sent again', async () => {
  const lines = Array.from({ length: 20 }, (_, at) => lineOf(20 - at));
  const stored = new Map<string, number>();
  const results: [string, string | null][] = [];
  let lost = 0;
  const saved = await saveLines(lines, {
    async send(id) {
      if (id === 'id-5')
        throw new CallError(400, 'The SKU is too long.', { message: 'The SKU is too long.' });
      stored.set(id, (stored.get(id) ?? 0) + 1);
      if (id === 'id-9' && lost++ === 0) throw new NoReplyError('lost');
    },
    wait: async () => {},
    report: (id, problem) => results.push([id, problem]),
  });
  expect(saved).toBe(19);
  expect(results.filter(([, problem]) => problem !== null)).toEqual([['id-5', 'The SKU is too long.']]);
  expect(results.map(([id]) => id)).toEqual(Array.from({ length: 20 }, (_, at) => `id-${at + 1}`));
  expect([...stored].filter(([, times]) => times > 1)).toEqual([['id-9', 2]]);
});

it('gives up on a server that is gone, and sends no line that lacks something', async () => {
  const results: (string | null)[] = [];
  let sent = 0;
  const lines = [lineOf(1), lineOf(2, { name: '' }), lineOf(3, { nameFrom: 'UPCitemdb' })];
  await saveLines(lines, {
    async send() {
      sent += 1;
      throw new NoReplyError('gone');
    },
    wait: async () => {},
    report: (_, problem) => results.push(problem),
  });
  expect([sent, results]).toEqual([3, ['The server didn’t answer. Save again: nothing is saved twice.']]);
});

const listKey = 'draftshelf-batch-scan';
const line = (id: string, set: Partial<ScannedLine> = {}): ScannedLine => ({
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
const ids = (lines: readonly ScannedLine[]) => lines.map(({ id }) => id);

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
  const both = mergeStoredLines([one], eventOf('other'));
  expect(ids(both)).toEqual(['other', 'one']);
  storeLines([one], [{ ...one, name: 'Vase' }]);
  const named = mergeStoredLines(both, eventOf('one'));
  expect(named.map(({ name }) => name)).toEqual(['', 'Vase']);
  storeLines([other], []);
  expect(ids(mergeStoredLines(named, eventOf('other')))).toEqual(['one']);
  expect(mergeStoredLines(named, { key: 'draftshelf-lens', newValue: null })).toBe(named);
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
