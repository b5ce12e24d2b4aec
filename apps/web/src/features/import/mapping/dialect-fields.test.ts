import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import { encodings } from '@draftshelf/csv/encoding/encodings';
import { describe, expect, test } from 'vitest';
import {
  choiceWords,
  type DialectKey,
  dialectPartLabel,
  dialectWords,
  listDialectKeys,
  listDialectOptions,
  overrideDialect,
} from './dialect-fields.tsx';

const detected = { encoding: 'utf-8', delimiter: ',', quote: '"', headerRecord: 0 };
const labels = (key: DialectKey, current?: string | number) =>
  listDialectOptions(key, [current], {}).map(({ label }) => label);

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
  const offered = listDialectOptions('encoding', ['utf-8'], {}).map(({ value }) => value);
  expect(offered.toSorted()).toEqual(encodings.toSorted());
  expect(labels('encoding').slice(0, 3)).toEqual(['UTF-8', 'Windows-1252 (Western)', 'UTF-16 LE']);
});

test('separators and quotes have a name, and the character if it is visible', () => {
  expect(labels('delimiter').slice(0, 4)).toEqual(['Comma ,', 'Semicolon ;', 'Tab', 'Pipe |']);
  expect(labels('quote')).toEqual(['Double quotes "', "Single quotes '", 'Backticks `', 'No quotes']);
});

test('the first records of the file are offered as the header row', () => {
  expect(listDialectOptions('headerRecord', [1], { firstRecords: ['Price list', 'Title, Price'] })).toEqual([
    { value: '0', label: 'Row 1', more: 'Price list' },
    { value: '1', label: 'Row 2', more: 'Title, Price' },
    { value: '-1', label: 'No header' },
  ]);
  expect(labels('headerRecord', 0)).toHaveLength(21);
});

test('rows of a sheet are named by their numbers, blank ones counted', () => {
  const sheetRows = [1, 4, 6];
  const table = { name: 'Prices', kind: 'sheet' } as const;
  expect(dialectWords({ ...detected, headerRecord: 1, sheetRows, table })).toBe(
    'Sheet ‘Prices’ · header in row 4',
  );
  const options = listDialectOptions('headerRecord', [1, 40], {
    firstRecords: ['Price list', 'Title'],
    sheetRows,
  });
  expect(options.map(({ label }) => label)).toEqual(['Row 1', 'Row 4', 'No header', 'Row 41']);
});

test('the options include the current value, even if it is unknown', () => {
  expect(listDialectOptions('encoding', ['ebcdic', 'big5', 'ebcdic'], {}).at(-1)).toEqual({
    value: 'ebcdic',
    label: 'ebcdic',
  });
  expect(labels('encoding', 'ebcdic')).toHaveLength(encodings.length + 1);
  expect(labels('headerRecord', 40).at(-1)).toBe('Row 41');
});

test('only a value that differs from the basis is an override', () => {
  const one = overrideDialect({}, detected, 'delimiter', ';');
  expect(one).toEqual({ delimiter: ';' });
  const two = overrideDialect(one, detected, 'headerRecord', '-1');
  expect(two).toEqual({ delimiter: ';', headerRecord: -1 });
  expect(overrideDialect(two, detected, 'delimiter', ',')).toEqual({ headerRecord: -1 });
  expect(overrideDialect(two, detected, 'quote', '')).toEqual({
    delimiter: ';',
    headerRecord: -1,
    quote: '',
  });
  expect(
    overrideDialect({ encoding: 'big5' }, { ...detected, encoding: 'ebcdic' }, 'encoding', 'ebcdic'),
  ).toEqual({});
  expect(overrideDialect({}, {}, 'headerRecord', '0')).toEqual({ headerRecord: 0 });
});

test('the overridden parts in words', () => {
  const words = (choice: DialectChoice) => choiceWords(choice, detected);
  expect(words({})).toBe('');
  expect(words({ headerRecord: -1, quote: '' })).toBe('You changed: quotes and header row.');
  expect(words({ headerRecord: -1, encoding: 'big5', delimiter: ';' })).toBe(
    'You changed: encoding, separator, and header row.',
  );
});

describe('a file with tables', () => {
  const sheet = { ...detected, table: { name: 'Prices', kind: 'sheet' as const } };
  const list = { ...detected, table: { name: 'a/list.csv', kind: 'file' as const } };

  test('only a sheet and its header row are chosen; a list in an archive has all parts', () => {
    expect(listDialectKeys(sheet)).toEqual(['table', 'headerRecord']);
    expect(listDialectKeys(list)).toEqual(['table', 'encoding', 'delimiter', 'quote', 'headerRecord']);
    expect(listDialectKeys(detected)).toEqual(['encoding', 'delimiter', 'quote', 'headerRecord']);
    expect([dialectPartLabel('table', sheet), dialectPartLabel('table', list)]).toEqual(['Sheet', 'List']);
  });

  test('a choice of the table is said by its kind', () => {
    expect(choiceWords({ table: 'Old' }, sheet)).toBe('You chose this sheet.');
    expect(choiceWords({ table: 'b.csv', delimiter: ';' }, list)).toBe(
      'You chose this list. You changed: separator.',
    );
  });

  test('the file in a .gz has no name', () => {
    const packed = { ...detected, table: { name: '', kind: 'file' as const } };
    expect(dialectWords(packed)).toBe(dialectWords(detected));
    expect(listDialectKeys(packed)).toEqual(listDialectKeys(detected));
  });

  test('in words', () => {
    expect(dialectWords(sheet)).toBe('Sheet ‘Prices’ · header in row 1');
    expect(dialectWords(list)).toBe('‘a/list.csv’ · UTF-8 · comma-separated · header in row 1');
  });

  test('its tables are offered with what is known of them', () => {
    const table = { kind: 'sheet' as const, hidden: false, rows: 812, isList: true };
    const tables = [
      { ...table, name: 'Prices' },
      { ...table, name: 'Notes', isList: false },
      { ...table, name: 'Old', hidden: true, rows: 1, isList: null },
      { ...table, name: 'New', rows: null },
    ];
    expect(listDialectOptions('table', ['Prices'], { tables }).map(({ label }) => label)).toEqual([
      'Prices — 812 rows',
      'Notes — no products',
      'Old (hidden) — 1 row',
      'New',
    ]);
  });

  test('another table removes what was set for the former one', () => {
    expect(overrideDialect({ headerRecord: 3 }, sheet, 'table', 'Old')).toEqual({ table: 'Old' });
    expect(overrideDialect({ table: 'Old', headerRecord: 3 }, sheet, 'table', 'Prices')).toEqual({});
    expect(overrideDialect({ table: 'Old' }, sheet, 'headerRecord', '3')).toEqual({
      table: 'Old',
      headerRecord: 3,
    });
  });
});
