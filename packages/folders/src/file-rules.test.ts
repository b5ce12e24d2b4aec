import { expect, test } from 'vitest';
import { decideOnFile, isIgnoredName, toArchiveName, toFolderSentence } from './file-rules.ts';

const limits = { csvBytesMax: 1_048_576, archiveBytesMax: 2_097_152 };
const ruleFor = (name: string, bytes = 100) => decideOnFile({ name, bytes }, limits);

test.each([
  ...['.hidden', '.draftshelf', '~$prices.csv', 'prices.csv.tmp', 'a.part', 'a.PARTIAL', 'a.filepart'],
  ...['a.csv.crdownload', 'a.download', 'Thumbs.db', 'thumbs.db', 'desktop.ini'],
])('%s is passed over', (name) => {
  expect(isIgnoredName(name)).toBe(true);
});

test.each(['prices.csv', 'PRICES.CSV', 'a.tsv', 'a.Txt', 'part.csv', 'tmp', 'my.download.csv', 'résumé.csv'])(
  '%s is not passed over',
  (name) => {
    expect(isIgnoredName(name)).toBe(false);
  },
);

test('files are taken, refused or ignored by name and size', () => {
  expect(ruleFor('prices.csv')).toEqual({ is: 'taken' });
  expect(ruleFor('PRICES.TSV')).toEqual({ is: 'taken' });
  expect(ruleFor('prices.txt', limits.csvBytesMax)).toEqual({ is: 'taken' });
  expect(ruleFor('prices.csv', limits.csvBytesMax + 1)).toEqual({
    is: 'refused',
    because: 'The file is larger than the 1 MB limit. Split it into smaller files, or raise CSV_BYTES_MAX.',
  });
  expect(ruleFor('photos.zip', limits.archiveBytesMax)).toEqual({ is: 'taken' });
  expect(ruleFor('photos.zip', limits.archiveBytesMax + 1)).toEqual({
    is: 'refused',
    because:
      'The file is larger than the 2 MB limit. Split it into smaller files, or raise ARCHIVE_BYTES_MAX.',
  });
  for (const name of ['prices.xlsx', 'Prices.XLSM', 'prices.xls', 'prices.zip', 'prices.csv.gz']) {
    expect(ruleFor(name)).toEqual({ is: 'taken' });
  }
  expect(ruleFor('Prices.XLSB')).toEqual({
    is: 'refused',
    because: 'This is a binary Excel workbook (.xlsb). Save it as .xlsx or CSV and put that into the folder.',
  });
  expect(ruleFor('prices.numbers')).toEqual({
    is: 'refused',
    because: 'This is a Numbers spreadsheet. Save it as .xlsx or CSV and put that into the folder.',
  });
  expect(ruleFor('prices.7z')).toEqual({ is: 'refused', because: 'Unpack the file, or pack it as ZIP.' });
  for (const name of ['notes.pdf', 'csv', 'prices.csv.bak', 'no extension']) {
    expect(ruleFor(name)).toEqual({ is: 'ignored', because: 'Not a CSV file.' });
  }
});

test('sentences of uploads are put into the words of folders', () => {
  const upload = 'This is an old Excel workbook (.xls). Save it as .xlsx or CSV and upload that.';
  expect(toFolderSentence(upload)).toBe(
    'This is an old Excel workbook (.xls). Save it as .xlsx or CSV and put that into the folder.',
  );
  expect(toFolderSentence('Unpack it and upload the CSV file in it.')).toBe(
    'Unpack it and put the CSV file in it into the folder.',
  );
  expect(toFolderSentence('The file has no header row with data below it.')).toBe(
    'The file has no header row with data below it.',
  );
});

test('a name in the archive says when the file was first seen', () => {
  const seen = new Date('2026-11-21T03:14:05.900Z');
  expect(toArchiveName('price list.csv', seen)).toBe('price list (2026-11-21 031405).csv');
  expect(toArchiveName('a.b.csv', seen)).toBe('a.b (2026-11-21 031405).csv');
  expect(toArchiveName('prices', seen)).toBe('prices (2026-11-21 031405)');
});
