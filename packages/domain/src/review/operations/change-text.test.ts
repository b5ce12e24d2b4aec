import { expect, test } from 'vitest';
import { changeText, type TextOperation } from './change-text.ts';

const changed = (operation: object, text: string) =>
  changeText({ field: 'title', ...operation } as TextOperation, text);

test.each([
  [{ find: 'Nike', with: 'X' }, 'nike NIKE Nike', 'X X X'],
  [{ find: 'Nike', with: 'X', matchCase: true }, 'nike NIKE Nike', 'nike NIKE X'],
  [{ find: 'n/a', with: '', whole: true }, 'N/A', ''],
  [{ find: 'n/a', with: '', whole: true }, 'n/a here', 'n/a here'],
  [{ find: '(1.5)$', with: '$&' }, 'a (1.5)$ b', 'a $& b'],
  [{ find: '.', with: '-' }, 'a.b', 'a-b'],
  [{ find: 'É', with: 'e' }, 'café', 'cafe'],
  [{ find: 'a', with: 'aa' }, 'aa', 'aaaa'],
  [{ find: '👟', with: 'shoe' }, '👟👟', 'shoeshoe'],
  [{ find: 'x', with: 'y' }, '', ''],
])('replaces %o in %j', (replace, text, after) => {
  expect(changed({ kind: 'replace', whole: false, matchCase: false, ...replace }, text)).toBe(after);
});

test('adds texts at the start and at the end, but not to nothing', () => {
  expect(changed({ kind: 'prefix', text: 'A ' }, 'b')).toBe('A b');
  expect(changed({ kind: 'suffix', text: ' C' }, 'b')).toBe('b C');
  expect(changed({ kind: 'prefix', text: 'A ' }, '')).toBe('');
});

test('removes spaces and keeps line breaks', () => {
  expect(changed({ kind: 'trim' }, '  a\u00a0 b\t\tc ')).toBe('a b c');
  expect(changed({ kind: 'trim' }, 'a  \r\n  b\n\nc')).toBe('a\r\nb\n\nc');
});

test.each([
  ["MEN'S SHOES", "Men's Shoes"],
  ['women’s t-shirt', 'Women’s T-Shirt'],
  ['sony WH-1000XM4 3XL', 'Sony Wh-1000XM4 3XL'],
  ['élan ÉCLAIR', 'Élan Éclair'],
  ['e\u0301lan', 'E\u0301lan'],
  ['istanbul IRON', 'Istanbul Iron'],
  ['don’t (stop)', 'Don’t (Stop)'],
  ['ΟΔΟΣ', 'Οδος'],
  ['日本 red', '日本 Red'],
  ['𐐨𐐨', '𐐀𐐨'],
])('writes %j in title case', (text, after) => {
  expect(changed({ kind: 'case', to: 'title' }, text)).toBe(after);
  expect(changed({ kind: 'case', to: 'title' }, after)).toBe(after);
});

test('writes upper and lower case without regard to the locale', () => {
  expect(changed({ kind: 'case', to: 'upper' }, 'straße i')).toBe('STRASSE I');
  expect(changed({ kind: 'case', to: 'lower' }, 'I ÉTÉ')).toBe('i été');
});

test.each([
  ['a red shoe', 10, 'a red shoe'],
  ['a red shoe', 9, 'a red'],
  ['a red shoe', 5, 'a red'],
  ['a red shoe', 6, 'a red'],
  ['redshoes', 3, 'red'],
  ['a 👟👟', 4, 'a'],
  ['👟👟', 3, '👟'],
  ['👟', 1, ''],
])('cuts %j to %i characters', (text, chars, after) => {
  expect(changed({ kind: 'cut', chars }, text)).toBe(after);
});

test('replaces whole values by others', () => {
  const values = [
    { from: 'nike ', to: 'Nike' },
    { from: 'NIKE', to: 'Nike' },
    { from: 'n/a', to: '' },
  ];
  expect(['nike ', 'NIKE', 'n/a', 'Nikes'].map((text) => changed({ kind: 'map', values }, text))).toEqual([
    ...['Nike', 'Nike', '', 'Nikes'],
  ]);
});

test('adds and removes tags without regard to case, in order and without duplicates', () => {
  const add = (text: string, ...tags: string[]) => changed({ kind: 'add-tags', tags }, text);
  const remove = (text: string, ...tags: string[]) => changed({ kind: 'remove-tags', tags }, text);
  expect(add('b; a', 'Sale', 'A', 'sale')).toBe('b, a, Sale');
  expect(add('', 'x, y')).toBe('x, y');
  expect(add('b;a', 'A')).toBe('b;a');
  expect(remove('Sale, b;sale', 'SALE')).toBe('b');
  expect(remove('a', 'A')).toBe('');
  expect(remove('a;b', 'c')).toBe('a;b');
  expect(remove('', 'c')).toBe('');
});

test('changes tags one by one', () => {
  const tags = (operation: object, text: string) => changed({ field: 'tags', ...operation }, text);
  const replace = { kind: 'replace', find: 'red', with: 'RED', whole: true, matchCase: true };
  expect(tags(replace, 'red|dark red')).toBe('RED, dark red');
  expect(tags({ kind: 'case', to: 'title' }, 'summer sale;Summer Sale;x')).toBe('Summer Sale, X');
  expect(tags({ kind: 'cut', chars: 3 }, 'abcdef, b')).toBe('abc, b');
  expect(tags({ kind: 'trim' }, 'a ;b')).toBe('a ;b');
  expect(tags({ kind: 'map', values: [{ from: 'b', to: '' }] }, 'a, b')).toBe('a');
});

test('stops before a text gets too long', () => {
  const more = { kind: 'replace', find: 'a', with: 'x'.repeat(5_000), whole: false, matchCase: true };
  const text = 'a'.repeat(100_000);
  expect(changed(more, text)).toBeNull();
  const tags = Array.from({ length: 10_000 }, (_, at) => `a${at}`).join();
  expect(changed({ ...more, field: 'tags' }, tags)).toBeNull();
  expect(changed({ kind: 'prefix', field: 'tags', text: 'x'.repeat(5_000) }, tags)).toBeNull();
});

test('cuts texts with long white space in no time', () => {
  const text = `a${' '.repeat(4_990)}b${'c'.repeat(100)}`;
  expect(changed({ kind: 'cut', chars: 5_000 }, text)).toBe('a');
});
