import { expect, test } from 'vitest';
import { waitingWords } from './table-words.ts';

test('edits of other tables are said with the names of those', () => {
  const table = (name: string, edits: number) => ({ name, kind: 'sheet' as const, edits });
  expect(
    waitingWords([table('New', 3), table('Preise', 14), table('Old', 1), table('Notes', 0)], 'New'),
  ).toEqual([
    '14 edits belong to the sheet ‘Preise’. They come back when it is read again.',
    '1 edit belongs to the sheet ‘Old’. It comes back when it is read again.',
  ]);
});
