import { expect, test } from 'vitest';
import { listsWords, noticeWords, tableLine, waitingWords } from './table-words.ts';

test('several lists are said, as sheets of a workbook or as files of an archive', () => {
  const lists = (kind: 'sheet' | 'file') =>
    ['A', 'B'].map((name, at) => ({ name, kind, rows: at === 0 ? 812 : null, isList: true }));
  expect(listsWords(lists('sheet'))).toBe(
    '2 sheets look like product lists: A (812 rows), B. One import reads one sheet.',
  );
  expect(listsWords(lists('file'))).toBe(
    '2 files look like product lists: A (812 rows), B. One import reads one list.',
  );
  expect(tableLine(lists('file'), { name: 'A', kind: 'file' })).toBe('List ‘A’ · 1 other list');
  expect(tableLine([], { name: '', kind: 'file' })).toBeNull();
});

test('edits of other tables are said with the names of those', () => {
  const table = (name: string, edits: number) => ({ name, kind: 'sheet' as const, edits });
  expect(
    waitingWords([table('New', 3), table('Preise', 14), table('Old', 1), table('Notes', 0)], 'New'),
  ).toEqual([
    '14 edits belong to the sheet ‘Preise’. They come back when it is read again.',
    '1 edit belongs to the sheet ‘Old’. It comes back when it is read again.',
  ]);
});

test('what reading a table has shown is said', () => {
  const none = { hiddenRows: 0, hiddenColumns: 0, errorCells: 0, formulasWithoutValue: 0 };
  expect(noticeWords(none)).toEqual([]);
  expect(noticeWords({ ...none, hiddenRows: 2, formulasWithoutValue: 1, endedAtRepeats: true })).toEqual([
    '2 hidden rows were read too.',
    '1 formula was never calculated.',
    'The same row came more than 1,000 times, one after the other. Reading ended there.',
  ]);
});
