import { encodings } from '@draftshelf/csv/encoding/encodings';
import { expect, test } from 'vitest';
import { choiceWords, choose, type DialectKey, dialectOptions, dialectWords } from './dialect-words.ts';

const detected = { encoding: 'utf-8', delimiter: ',', quote: '"', headerRecord: 0 };
const labels = (key: DialectKey, current?: string | number) =>
  dialectOptions(key, [current], []).map(({ label }) => label);

test('a dialect in words', () => {
  expect(dialectWords(detected)).toBe('UTF-8 · comma-separated · header in row 1');
  expect(dialectWords({ encoding: 'windows-1252', delimiter: '\t', quote: "'", headerRecord: 3 })).toBe(
    'Windows-1252 (Western) · tab-separated · single quotes · header in row 4',
  );
  expect(dialectWords({ encoding: 'ebcdic', delimiter: '§', quote: '', headerRecord: -1 })).toBe(
    'ebcdic · § · no quotes · no header',
  );
});

test('every encoding is offered once, the usual ones first', () => {
  const offered = dialectOptions('encoding', ['utf-8'], []).map(({ value }) => value);
  expect(offered.toSorted()).toEqual(encodings.toSorted());
  expect(labels('encoding').slice(0, 3)).toEqual(['UTF-8', 'Windows-1252 (Western)', 'UTF-16 LE']);
});

test('separators and quotes have a name, and the character if it is visible', () => {
  expect(labels('delimiter').slice(0, 4)).toEqual(['Comma ,', 'Semicolon ;', 'Tab', 'Pipe |']);
  expect(labels('quote')).toEqual(['Double quotes "', "Single quotes '", 'Backticks `', 'No quotes']);
});

test('the first records of the file are offered as the header row', () => {
  expect(dialectOptions('headerRecord', [1], ['Price list', 'Title, Price'])).toEqual([
    { value: '0', label: 'Row 1', more: 'Price list' },
    { value: '1', label: 'Row 2', more: 'Title, Price' },
    { value: '-1', label: 'No header' },
  ]);
  expect(labels('headerRecord', 0)).toHaveLength(21);
});

test('the options include the current value, even if it is unknown', () => {
  expect(dialectOptions('encoding', ['ebcdic', 'big5', 'ebcdic'], []).at(-1)).toEqual({
    value: 'ebcdic',
    label: 'ebcdic',
  });
  expect(labels('encoding', 'ebcdic')).toHaveLength(encodings.length + 1);
  expect(labels('headerRecord', 40).at(-1)).toBe('Row 41');
});

test('only a value that differs from the basis is an override', () => {
  const one = choose({}, detected, 'delimiter', ';');
  expect(one).toEqual({ delimiter: ';' });
  const two = choose(one, detected, 'headerRecord', '-1');
  expect(two).toEqual({ delimiter: ';', headerRecord: -1 });
  expect(choose(two, detected, 'delimiter', ',')).toEqual({ headerRecord: -1 });
  expect(choose(two, detected, 'quote', '')).toEqual({ delimiter: ';', headerRecord: -1, quote: '' });
  expect(choose({ encoding: 'big5' }, { ...detected, encoding: 'ebcdic' }, 'encoding', 'ebcdic')).toEqual({});
  expect(choose({}, {}, 'headerRecord', '0')).toEqual({ headerRecord: 0 });
});

test('the overridden parts in words', () => {
  expect(choiceWords({})).toBe('');
  expect(choiceWords({ headerRecord: -1, quote: '' })).toBe('quotes and header row');
  expect(choiceWords({ headerRecord: -1, encoding: 'big5', delimiter: ';' })).toBe(
    'encoding, separator, and header row',
  );
});
