import { fileBytesMaxDefault } from '@draftshelf/csv/limits';
import { expect, test } from 'vitest';
import { acceptedFiles, limitNote, limitWords } from './file-refusal.ts';

const limits = { room: 50, bytesMax: fileBytesMaxDefault };

/** A file that says it has `bytes` bytes. */
function fileOf(name: string, bytes = 20, type = 'text/csv'): File {
  return Object.defineProperty(new File([], name, { type }), 'size', { value: bytes });
}
const names = (files: readonly File[]) => files.map(({ name }) => name);

test('a file of 50 MB is accepted, one more byte is not', () => {
  const fits = fileOf('fits.csv', 52_428_800);
  expect(acceptedFiles([fits], limits)).toEqual({ accepted: [fits], refused: [], refusal: null });
  expect(acceptedFiles([fileOf('large.csv', 52_428_801)], limits)).toEqual({
    accepted: [],
    refused: [],
    refusal: {
      title: 'File too large',
      text: 'large.csv is larger than the 50MB limit. Split it into smaller files.',
    },
  });
});

test('another type is refused, and named if other files are accepted', () => {
  const refusal = { title: 'Invalid File Type', text: 'Please select a CSV file' };
  const other = fileOf('a.pdf', 20, 'application/pdf');
  expect(acceptedFiles([other], limits)).toEqual({ accepted: [], refused: [], refusal });
  const some = acceptedFiles([other, fileOf('A.CSV', 20, ''), fileOf('export')], limits);
  expect(names(some.accepted)).toEqual(['A.CSV', 'export']);
  const message = 'Invalid File Type: Please select a CSV file';
  expect(some).toMatchObject({ refused: [{ file: other, message }], refusal: null });
  const picture = fileOf('b.png', 20, 'image/png');
  expect(acceptedFiles([other, picture], limits).refusal).toEqual({
    title: 'Invalid File Type',
    text: 'a.pdf and 1 more can’t be uploaded. Please select a CSV file',
  });
});

test('a workbook that is not read is refused with what it is; the bytes of a .xls decide', () => {
  const text = 'This is a Numbers spreadsheet. Save it as .xlsx or CSV and upload that.';
  const refusal = { title: 'Invalid File Type', text };
  expect(acceptedFiles([fileOf('Prices.numbers', 20, '')], limits)).toMatchObject({ accepted: [], refusal });
  const old = fileOf('prices.xls', 20, 'application/vnd.ms-excel');
  expect(acceptedFiles([old], limits).accepted).toEqual([old]);
});

test('more files than can be chosen are left out', () => {
  const { accepted, refusal } = acceptedFiles([fileOf('a.csv'), fileOf('b.csv')], { ...limits, room: 1 });
  expect(names(accepted)).toEqual(['a.csv']);
  expect(refusal?.title).toBe('Too many files');
});

test("the default is the specification's 50MB; another limit has a note", () => {
  expect([limitWords(fileBytesMaxDefault), limitNote(fileBytesMaxDefault)]).toEqual(['50MB', null]);
  const raised = 2 * 1024 ** 3;
  expect([limitWords(raised), limitNote(raised)]).toEqual(['2 GB', 'This server accepts files up to 2 GB.']);
});
