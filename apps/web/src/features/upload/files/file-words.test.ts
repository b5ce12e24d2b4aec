import { fileBytesMaxDefault } from '@draftshelf/csv/limits';
import { expect, test } from 'vitest';
import type { EarlierImport } from '../../import/report/report-api.ts';
import { buildEmptyFileFailure } from '../preview/preview-state.ts';
import type { Upload, UploadPhase } from '../run/uploads.ts';
import type { ChosenFile, FileCheck, FileReading } from './chosen-files.ts';
import {
  acceptFiles,
  classWords,
  countClasses,
  describeEarlierEffect,
  describeEarlierImport,
  describeUnusable,
  describeUploads,
  findDuplicatesAbove,
  isUploaded,
  mappingWords,
  sendingWords,
  sizeLimitNote,
  sizeLimitWords,
  summarizeUpload,
} from './file-words.ts';

const columns: FileReading['columns'] = { all: 3, mapped: 3, missing: [], setBy: null };

function read(products: number, valid: number, set: Partial<FileReading> = {}): FileReading {
  const classes = { products, exact: true, valid, warnings: products - valid, errors: 0, parents: 0 };
  return { kind: 'read', ...classes, sha256: 'aa', columns, isMemoryLost: false, ...set };
}

const failed: FileCheck = { kind: 'failed', failure: { message: 'Not a table.', isBeyondDialects: true } };

let nextId = 1;
function chosen(name: string, checked: FileCheck | null, set: Partial<ChosenFile> = {}): ChosenFile {
  const file = new File(['x'], name);
  const unchanged = {
    choice: {},
    changed: null,
    own: null,
    supplier: null,
    isRefused: false,
    uploadId: null,
  };
  return { ...unchanged, id: nextId++, file, checked, ...set };
}

const earlier: EarlierImport = {
  id: 'an id',
  filename: 'before.csv',
  createdAt: '2025-03-01T12:27:00.000Z',
  source: 'upload',
  edits: 3,
  classes: { products: 53, valid: 53, warnings: 0, errors: 0 },
};
const earlierImports = new Map([
  ['aa', null],
  ['bb', earlier],
]);

test('the classes of a known file are those with the edits that it will get', () => {
  const file = chosen('again.csv', read(53, 50));
  expect(countClasses(file, null)).toMatchObject({ valid: 50, warnings: 3 });
  expect(countClasses(file, earlier)).toMatchObject({ exact: true, valid: 53, warnings: 0 });
  const asTheFile = { valid: 50, warnings: 3 };
  expect(countClasses(file, { ...earlier, edits: 0 })).toMatchObject(asTheFile);
  expect(countClasses(file, { ...earlier, classes: null })).toMatchObject(asTheFile);
  expect(countClasses({ ...file, choice: { delimiter: ';' } }, earlier)).toMatchObject(asTheFile);
  expect(countClasses({ ...file, own: {} }, earlier)).toMatchObject(asTheFile);
  expect(countClasses(chosen('other.csv', read(52, 50)), earlier)).toMatchObject({ products: 52, valid: 50 });
  expect(countClasses(chosen('unread.csv', null), earlier)).toBeNull();
});

test('a row names the classes that have products', () => {
  expect(classWords(read(27, 27))).toBe('27 valid');
  expect(classWords({ ...read(30, 27), warnings: 1, errors: 2 })).toBe('27 valid · 1 warning · 2 errors');
  expect(classWords({ ...read(600_000, 600_000), exact: false })).toBe('about 600,000 valid');
});

test('a row says how the columns are mapped, and first what is missing', () => {
  const words = (set: Partial<FileReading['columns']>) => mappingWords({ ...columns, ...set });
  expect(words({})).toEqual({ text: '3 columns mapped', isIncomplete: false });
  expect(words({ mapped: 2 }).text).toBe('2 of 3 columns mapped');
  expect(words({ setBy: 'memory' }).text).toBe('Mapping remembered');
  expect(words({ setBy: 'operator' }).text).toBe('Mapping set by you');
  expect(words({ setBy: 'memory', missing: ['price'] })).toEqual({
    text: 'Price: no column',
    isIncomplete: true,
  });
  expect(words({ missing: ['title', 'price'] }).text).toBe('Title and Price: no column');
  expect(words({ mapped: 0, missing: ['title', 'price'] }).text).toBe('No columns recognized');
});

test('a file that cannot be read says what to do', () => {
  const words = (isBeyondDialects: boolean) =>
    describeUnusable({ message: 'Not a table.', isBeyondDialects });
  expect(words(true)).toBe('Choose another file in its place, or remove it.');
  expect(words(false)).toBe('Read it differently, choose another file, or remove it.');
  expect(describeUnusable(buildEmptyFileFailure('list.csv'))).toBe(
    'The file is empty (0 bytes). Export the list again. Choose another file in its place, or remove it.',
  );
  expect(buildEmptyFileFailure('list.csv').message).toBe(
    'CSV file must have at least a header row and one data row',
  );
  expect(buildEmptyFileFailure('list.xlsx').message).toBe(
    'The file is empty (0 bytes). Export the list again.',
  );
});

test('a known file says when it came, and how many edits apply', () => {
  const time = '2025-03-01T12:27:00.000Z';
  const now = Date.parse(time) + 60_000;
  const words = (edits: number, source: EarlierImport['source'] = 'upload') =>
    describeEarlierImport({ createdAt: time, edits, source }, now).replace(/\d+:27.*?(?=,|$)/, 'TIME');
  expect(words(3)).toBe('Uploaded TIME, 3 edits apply');
  expect(words(1)).toBe('Uploaded TIME, 1 edit applies');
  expect(words(0)).toBe('Uploaded TIME');
  expect(words(0, 'local')).toBe('Arrived TIME');
  expect(describeEarlierEffect(1)).toMatch(
    /^1 edit in that import applies here too; the rows below are shown without them\./,
  );
  expect(describeEarlierEffect(0)).toBe('Existing products are matched, not duplicated.');
});

test('a file with the bytes of another one above it is named', () => {
  const first = chosen('first.csv', read(2, 2));
  const copy = chosen('copy.csv', read(2, 2));
  const other = chosen('other.csv', read(2, 2, { sha256: 'bb' }));
  expect([...findDuplicatesAbove([first, other, copy, chosen('bad.csv', failed)])]).toEqual([
    [copy.id, 'first.csv'],
  ]);
});

const scope = (...files: ChosenFile[]) => describeUploads(summarizeUpload(files, earlierImports), []);

test('a file that only the server can read is uploaded too', () => {
  const failure = { message: 'No preview.', isBeyondDialects: true, isOfBrowser: true } as const;
  const unseen = chosen('list.xlsx', { kind: 'failed', failure });
  expect(summarizeUpload([unseen], earlierImports)).toMatchObject({ unfit: [], fit: [unseen], checking: 0 });
  expect(scope(unseen)).toBe('1 file will be uploaded without a preview.');
  expect(scope(chosen('a.csv', read(2, 2)), unseen, unseen)).toBe(
    'All 2 products will be uploaded. 2 files will be uploaded without a preview.',
  );
});

test('a sentence says what will be uploaded, and what will not', () => {
  expect(scope(chosen('a.csv', read(22, 19)))).toBe(
    '22 products: 3 need a title or price before they can be pushed.',
  );
  expect(scope(chosen('a.csv', read(2, 1)))).toBe(
    '2 products: 1 needs a title or price before it can be pushed.',
  );
  expect(scope(chosen('a.csv', read(22, 0)))).toBe(
    'Process All uploads 22 products: 22 need a title or price before they can be pushed.',
  );
  expect(scope(chosen('a.csv', read(22, 19, { parents: 1 })))).toBe(
    '22 products: 2 need a title or price before they can be pushed.',
  );
  expect(scope(chosen('a.csv', read(22, 0, { parents: 21 })))).toBe(
    'Process All uploads 22 products: 1 needs a title or price before it can be pushed.',
  );
  expect(scope(chosen('a.csv', read(22, 19, { parents: 3 })))).toBe('All 22 products will be uploaded.');
  expect(scope(chosen('a.csv', read(22, 22)))).toBe('All 22 products will be uploaded.');
  expect(scope(chosen('a.csv', read(1, 1)))).toBe('1 product will be uploaded.');
  const about = read(600_000, 599_990, { exact: false });
  expect(scope(chosen('a.csv', about), chosen('b.csv', read(3, 2, { sha256: 'bb' })))).toBe(
    'About 600,003 products of 2 files: 11 need a title or price before they can be pushed.',
  );
  const many = read(600_000, 600_000, { exact: false });
  expect(scope(chosen('a.csv', many), chosen('b.csv', read(53, 50, { sha256: 'bb' })))).toBe(
    'All about 600,053 products of 2 files will be uploaded.',
  );
  expect(scope(chosen('a.csv', read(2, 2)), chosen('notes.csv', failed))).toBe(
    'All 2 products will be uploaded. notes.csv can’t be uploaded.',
  );
  expect(scope(chosen('a.csv', failed), chosen('b.csv', failed))).toBe(
    'None of these files can be uploaded.',
  );
});

test('a file counts as checked once it is known whether it was uploaded before', () => {
  const ready = chosen('a.csv', read(2, 2));
  const unknown = chosen('b.csv', read(2, 2, { sha256: 'cc' }));
  expect(scope(ready, unknown, chosen('c.csv', null))).toBe('Checked 1 of 3 files…');
  expect(scope(chosen('a.csv', null))).toBe('Reading the file…');
  const uploaded = chosen('d.csv', null, { uploadId: 4 });
  expect(summarizeUpload([ready, uploaded], earlierImports)).toMatchObject({ files: 1, checking: 0 });
});

const upload = (id: number, phase: UploadPhase): Upload => ({
  ...{ id, filename: `${id}.csv`, fileBytes: 10, announced: false },
  ...phase,
});
const reply = { id: null, totalProducts: 3, totalRows: 3, testMode: false, sameAs: null };
const endPhase: UploadPhase = { phase: 'ended', reply, record: null };
const lost: UploadPhase = { phase: 'failed', message: 'The disk is full.', cause: null };

test('a sentence says how far the uploads are', () => {
  const uploadsWords = (uploads: Upload[]) => describeUploads(summarizeUpload([], earlierImports), uploads);
  expect(uploadsWords([upload(1, { phase: 'waiting' })])).toBe('Uploading the file…');
  expect(uploadsWords([upload(1, { phase: 'processing', reply })])).toBe('Processing the file…');
  expect(uploadsWords([upload(1, endPhase), upload(2, { phase: 'waiting' })])).toBe(
    '1 of 2 files processed.',
  );
  expect(uploadsWords([upload(1, endPhase)])).toBe('Processed: 3 products.');
  expect(uploadsWords([upload(1, endPhase), upload(2, endPhase)])).toBe(
    '2 files processed, with 6 products.',
  );
  expect(uploadsWords([upload(1, endPhase), upload(2, lost)])).toBe(
    '1 file processed, with 3 products. 1 file failed.',
  );
  expect(uploadsWords([upload(1, lost)])).toBe('1 file failed.');
});

test('a file that cannot be uploaded is named beside the uploads that it was left out of', () => {
  const left = summarizeUpload([chosen('notes.csv', failed)], earlierImports);
  expect([isUploaded(left, []), isUploaded(left, [upload(1, endPhase)])]).toEqual([false, true]);
  expect(describeUploads(left, [upload(1, endPhase)])).toBe(
    'Processed: 3 products. notes.csv can’t be uploaded.',
  );
  const next = summarizeUpload([chosen('next.csv', read(2, 2))], earlierImports);
  expect(describeUploads(next, [upload(1, endPhase)])).toBe('All 2 products will be uploaded.');
});

test('a sending row says how much is sent', () => {
  expect(sendingWords({ bytes: 512, whole: false }, 2048)).toBe('Uploading: 512 B of 2 KB (25%)');
  expect(sendingWords({ bytes: 2048, whole: true }, 2048)).toBe('2 KB uploaded. Finishing up…');
});

const limits = { room: 50, bytesMax: fileBytesMaxDefault };

/** A file that says it has `bytes` bytes. */
function fileOf(name: string, bytes = 20, type = 'text/csv'): File {
  return Object.defineProperty(new File([], name, { type }), 'size', { value: bytes });
}
const names = (files: readonly File[]) => files.map(({ name }) => name);

test('a file of 50 MB is accepted, one more byte is not', () => {
  const fits = fileOf('fits.csv', 52_428_800);
  expect(acceptFiles([fits], limits)).toEqual({ accepted: [fits], refused: [], refusal: null });
  expect(acceptFiles([fileOf('large.csv', 52_428_801)], limits)).toEqual({
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
  expect(acceptFiles([other], limits)).toEqual({ accepted: [], refused: [], refusal });
  const some = acceptFiles([other, fileOf('A.CSV', 20, ''), fileOf('export')], limits);
  expect(names(some.accepted)).toEqual(['A.CSV', 'export']);
  const message = 'Invalid File Type: Please select a CSV file';
  expect(some).toMatchObject({ refused: [{ file: other, message }], refusal: null });
  const picture = fileOf('b.png', 20, 'image/png');
  expect(acceptFiles([other, picture], limits).refusal).toEqual({
    title: 'Invalid File Type',
    text: 'a.pdf and 1 more can’t be uploaded. Please select a CSV file',
  });
});

test('a workbook that is not read is refused with what it is; the bytes of a .xls decide', () => {
  const text = 'This is a Numbers spreadsheet. Save it as .xlsx or CSV and upload that.';
  const refusal = { title: 'Invalid File Type', text };
  expect(acceptFiles([fileOf('Prices.numbers', 20, '')], limits)).toMatchObject({ accepted: [], refusal });
  const old = fileOf('prices.xls', 20, 'application/vnd.ms-excel');
  expect(acceptFiles([old], limits).accepted).toEqual([old]);
});

test('more files than can be chosen are left out', () => {
  const { accepted, refusal } = acceptFiles([fileOf('a.csv'), fileOf('b.csv')], { ...limits, room: 1 });
  expect(names(accepted)).toEqual(['a.csv']);
  expect(refusal?.title).toBe('Too many files');
});

test("the default is the specification's 50MB; another limit has a note", () => {
  expect([sizeLimitWords(fileBytesMaxDefault), sizeLimitNote(fileBytesMaxDefault)]).toEqual(['50MB', null]);
  const raised = 2 * 1024 ** 3;
  expect([sizeLimitWords(raised), sizeLimitNote(raised)]).toEqual([
    '2 GB',
    'This server accepts files up to 2 GB.',
  ]);
});
