import { expect, test } from 'vitest';
import {
  columnChipWords,
  describeCertainty,
  describeReadTable,
  fieldChipWords,
  listsWords,
  mappingOriginWords,
  missingColumnWords,
  otherTableEditsWords,
  profileWords,
  setWords,
  tableNoticeWords,
  unmappedWords,
} from './mapping-words.ts';

test('how sure a field is', () => {
  const detected = (confidence: number) => describeCertainty({ isChanged: false, setBy: null, confidence });
  expect([1, 0.9, 0.89, 0.6, 0.59].map(detected)).toEqual([
    'Certain',
    'Certain',
    'Likely',
    'Likely',
    'Guess',
  ]);
  expect(describeCertainty({ isChanged: false, setBy: 'memory', confidence: 1 })).toBe('Remembered');
  expect(describeCertainty({ isChanged: false, setBy: 'operator', confidence: 1 })).toBe('Set by you');
  expect(describeCertainty({ isChanged: true, setBy: 'memory', confidence: 1 })).toBe('Set by you');
});

test('sentences about columns', () => {
  expect(unmappedWords(1)).toBe('1 unmapped column is kept with each row.');
  expect(unmappedWords(24)).toBe('24 unmapped columns are kept with each row.');
  expect(setWords({ Dealer: 'price', Colour: null, X: 'newer' })).toBe(
    'Dealer → Price, Colour → no field, X → newer',
  );
  expect(mappingOriginWords({ byOperator: 2, byMemory: 1, from: 'may.csv' })).toBe(
    '2 columns set by you. 1 column remembered from may.csv.',
  );
  expect(mappingOriginWords({ byOperator: 0, byMemory: 0, from: null })).toBe('');
});

test('the chip of a column names its fields', () => {
  expect(columnChipWords('RRP', ['price'])).toEqual({ text: 'Price', name: 'Field of RRP: Price' });
  expect(columnChipWords('Item #', ['sku', 'itemNumber']).text).toBe('SKU, Item number');
  expect(columnChipWords('Colour', [])).toEqual({ text: 'Not used', name: 'Field of Colour: not used' });
});

test('the chip of a field names its column, or asks for one where it is required', () => {
  expect(fieldChipWords('price', 'RRP')).toEqual({ text: 'RRP', name: 'Column for Price: RRP' });
  expect(fieldChipWords('upc', null)).toEqual({ text: 'No column', name: 'Column for UPC: no column' });
  expect(fieldChipWords('title', null)).toEqual({
    text: 'Choose a column',
    name: 'Title: choose a column',
  });
  expect(missingColumnWords('price')).toBe('Price — choose a column');
});

const profile = { rows: 200, filled: 1, numeric: 0, distinct: 0.31, amounts: null };

test.each([
  { given: profile, words: '100 % filled, 31 % different values in the first 200 rows' },
  {
    given: { ...profile, filled: 0.98, numeric: 1 },
    words: '98 % filled, 100 % numbers, 31 % different values in the first 200 rows',
  },
  { given: { ...profile, filled: 0, distinct: 0 }, words: 'Empty in the first 200 rows' },
  { given: { ...profile, rows: 0, filled: 0 }, words: 'No rows' },
])('$words', ({ given, words }) => {
  expect(profileWords(given)).toBe(words);
});

test('several lists are said, as sheets of a workbook or as files of an archive', () => {
  const lists = (kind: 'sheet' | 'file') =>
    ['A', 'B'].map((name, at) => ({ name, kind, rows: at === 0 ? 812 : null, isList: true }));
  expect(listsWords(lists('sheet'))).toBe(
    '2 sheets look like product lists: A (812 rows), B. One import reads one sheet.',
  );
  expect(listsWords(lists('file'))).toBe(
    '2 files look like product lists: A (812 rows), B. One import reads one list.',
  );
  expect(describeReadTable(lists('file'), { name: 'A', kind: 'file' })).toBe('List ‘A’ · 1 other list');
  expect(describeReadTable([], { name: '', kind: 'file' })).toBeNull();
});

test('edits of other tables are said with the names of those', () => {
  const table = (name: string, edits: number) => ({ name, kind: 'sheet' as const, edits });
  expect(
    otherTableEditsWords([table('New', 3), table('Preise', 14), table('Old', 1), table('Notes', 0)], 'New'),
  ).toEqual([
    '14 edits belong to the sheet ‘Preise’. They come back when that sheet is re-read.',
    '1 edit belongs to the sheet ‘Old’. It comes back when that sheet is re-read.',
  ]);
});

test('what reading a table has shown is said', () => {
  const none = { hiddenRows: 0, hiddenColumns: 0, errorCells: 0, formulasWithoutValue: 0 };
  expect(tableNoticeWords(none)).toEqual([]);
  expect(tableNoticeWords({ ...none, hiddenRows: 2, formulasWithoutValue: 1, endedAtRepeats: true })).toEqual(
    [
      '2 hidden rows were read too.',
      '1 formula was never calculated.',
      'The same row is repeated more than 1,000 times. Reading stopped there.',
    ],
  );
});
