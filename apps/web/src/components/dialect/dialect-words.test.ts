import { encodings } from '@draftshelf/csv/encoding/encodings';
import { expect, test } from 'vitest';
import { choiceWords, choose, type DialectKey, dialectOptions, dialectWords } from './dialect-words.ts';

const judged = { encoding: 'utf-8', delimiter: ',', quote: '"', headerRecord: 0 };
const labels = (key: DialectKey, held?: string | number) =>
  dialectOptions(key, [held], []).map(({ label }) => label);

test('a dialect in words', () => {
  expect(dialectWords(judged)).toBe('UTF-8 · comma-separated · header in row 1');
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

test('separators and quotes are told by name, and by sign where it can be seen', () => {
  expect(labels('delimiter').slice(0, 4)).toEqual(['Comma ,', 'Semicolon ;', 'Tab', 'Pipe |']);
  expect(labels('quote')).toEqual(['Double quotes "', "Single quotes '", 'Backticks `', 'No quotes']);
});

test('the records that the file begins with are offered as its header', () => {
  expect(dialectOptions('headerRecord', [1], ['Price list', 'Title, Price'])).toEqual([
    { value: '0', label: 'Row 1', more: 'Price list' },
    { value: '1', label: 'Row 2', more: 'Title, Price' },
    { value: '-1', label: 'No header' },
  ]);
  expect(labels('headerRecord', 0)).toHaveLength(21);
});

test('what holds now is among the options, also where this page does not know it', () => {
  expect(dialectOptions('encoding', ['ebcdic', 'big5', 'ebcdic'], []).at(-1)).toEqual({
    value: 'ebcdic',
    label: 'ebcdic',
  });
  expect(labels('encoding', 'ebcdic')).toHaveLength(encodings.length + 1);
  expect(labels('headerRecord', 40).at(-1)).toBe('Row 41');
});

test('only what differs from what holds anyway is a choice', () => {
  const one = choose({}, judged, 'delimiter', ';');
  expect(one).toEqual({ delimiter: ';' });
  const two = choose(one, judged, 'headerRecord', '-1');
  expect(two).toEqual({ delimiter: ';', headerRecord: -1 });
  expect(choose(two, judged, 'delimiter', ',')).toEqual({ headerRecord: -1 });
  expect(choose(two, judged, 'quote', '')).toEqual({ delimiter: ';', headerRecord: -1, quote: '' });
  expect(choose({ encoding: 'big5' }, { ...judged, encoding: 'ebcdic' }, 'encoding', 'ebcdic')).toEqual({});
  expect(choose({}, {}, 'headerRecord', '0')).toEqual({ headerRecord: 0 });
});

test('what was chosen, in a sentence', () => {
  expect(choiceWords({})).toBe('');
  expect(choiceWords({ headerRecord: -1, quote: '' })).toBe('quotes and header row');
  expect(choiceWords({ headerRecord: -1, encoding: 'big5', delimiter: ';' })).toBe(
    'encoding, separator, and header row',
  );
});
