import { gzipSync } from 'node:zlib';
import { joinBytes } from '@draftshelf/csv/joined';
import { expect, test } from 'vitest';
import { toBlobSource } from '../byte-source.ts';
import { firstText, openBytes, testLimits, textOf } from '../testing/read-all.ts';
import { workbookFile, workbookParts } from '../testing/workbook-file.ts';
import { bytesOf, compressed, type ZipPart, zipFile } from '../testing/zip-file.ts';
import { readEntry } from '../zip/entry.ts';

const list = 'SKU,Title\n1,Chair\n';
const picture = joinBytes([Uint8Array.from([0xff, 0xd8, 0xff]), new Uint8Array(100)]);
const book = await workbookFile({
  sheets: [
    { name: 'Preise', rows: [['SKU'], ['7']] },
    { name: 'Alt', rows: [['x']], state: 'hidden' },
  ],
  activeTab: 1,
});

test('the lists of an archive are found by their first bytes, in its order', async () => {
  const container = await openBytes(
    await zipFile([
      { name: 'pictures/', data: '' },
      { name: 'pictures/1.jpg', data: picture },
      { name: '__MACOSX/._list.csv', data: list },
      { name: '.DS_Store', data: list },
      { name: '~$list.xlsx', data: list },
      { name: 'README', data: 'Thank you.\nThe team.' },
      { name: 'data\\liste.xls', data: list.replaceAll(',', '\t') },
      { name: 'page.csv', data: '<html><body>Sign in, please</body></html>' },
      { name: 'photo.csv', data: picture },
      { name: 'stored.dat', data: book, isStored: true },
      { name: 'book.xlsx', data: book },
      { name: 'list-16.txt', data: Uint8Array.from(Buffer.from(`\ufeff${list}`, 'utf16le')) },
    ]),
  );
  expect(container.kind).toBe('archive');
  const sheet = { kind: 'sheet', hidden: false, active: false, rows: null };
  const file = { ...sheet, kind: 'file' };
  expect(container.tables).toEqual([
    { ...file, n: 0, name: 'data\\liste.xls' },
    { ...sheet, n: 256, name: 'stored.dat: Preise' },
    { ...sheet, n: 257, name: 'stored.dat: Alt', hidden: true, active: true },
    { ...sheet, n: 512, name: 'book.xlsx: Preise' },
    { ...sheet, n: 513, name: 'book.xlsx: Alt', hidden: true, active: true },
    { ...file, n: 768, name: 'list-16.txt' },
  ]);
  expect(await textOf(container, 0)).toBe(list.replaceAll(',', '\t'));
  expect(await textOf(container, 256)).toBe('SKU\n7\n');
  expect(await textOf(container, 513)).toBe('x\n');
});

test.each([
  ['lists', 33, 'This archive has more than 32 lists. Pack fewer of them.'],
  ['files', 1001, 'This archive has more than 1,000 files that are no pictures. Pack fewer of them.'],
])('an archive of too many %s is refused', async (_what, files, sentence) => {
  const archive = await zipFile(
    Array.from({ length: files }, (_file, at) => ({ name: `${at}.csv`, data: list, isStored: true })),
  );
  await expect(openBytes(archive)).rejects.toMatchObject({ code: 'too_much', message: sentence });
});

test('a letter beside the list is passed over; alone it is named', async () => {
  const letter = await zipFile([
    { name: '[Content_Types].xml', data: '<Types/>' },
    { name: 'word/document.xml', data: '<document/>' },
  ]);
  const files = [{ name: 'letter.docx', data: letter, isStored: true }];
  await expect(openBytes(await zipFile(files))).rejects.toThrow('This is a Word document, not a workbook.');
  const container = await openBytes(await zipFile([...files, { name: 'list.csv', data: list }]));
  expect(container.tables.map(({ n, name }) => [n, name])).toEqual([[256, 'list.csv']]);
  expect(await container.pictures()).toEqual({ pictures: [], isCut: false });
});

test.each<[string, ZipPart, string]>([
  ['cut off', { name: 'a.xlsx', data: book.slice(0, -30) }, 'it ends before its table of contents'],
  [
    'with another checksum',
    { name: 'a.xlsx', data: book, claims: { crc: 1 } },
    'does not match its checksum',
  ],
  [
    'that cannot be unpacked',
    { name: 'a', data: book, isStored: true, claims: { method: 8 } },
    'be unpacked',
  ],
  ['with a password', { name: 'a.csv', data: list, claims: { flags: 1 } }, 'This archive has a password.'],
  [
    'that is too large',
    { name: 'a.xlsx', data: joinBytes([new Uint8Array(book), new Uint8Array(10_000)]) },
    'larger than 10,000 bytes',
  ],
])('a candidate %s is passed over beside the list', async (_what, candidate, sentence) => {
  const limits = { ...testLimits, fileBytesMax: 10_000 };
  await expect(openBytes(await zipFile([candidate]), limits)).rejects.toThrow(sentence);
  const container = await openBytes(await zipFile([candidate, { name: 'list.csv', data: list }]), limits);
  expect(container.tables.map(({ name }) => name)).toEqual(['list.csv']);
});

test('pictures of an archive are named by its directory and read later', async () => {
  const archive = await zipFile([
    { name: 'list.csv', data: list },
    { name: 'a\\1.JPG', data: picture },
    { name: '__MACOSX/._1.jpg', data: picture },
    { name: '2.png', data: picture, isStored: true },
    { name: '3.svg', data: '<svg/>' },
  ]);
  const { pictures } = await (await openBytes(archive)).pictures();
  expect(pictures.map(({ entry, bytes, method }) => [entry, bytes, method])).toEqual([
    ['a/1.JPG', picture.length, 8],
    ['2.png', picture.length, 0],
  ]);
  const source = toBlobSource(new Blob([archive]));
  for (const found of pictures) {
    expect(await readEntry(source, found, 1000)).toEqual(picture);
    await expect(readEntry(source, found, 100)).rejects.toThrow('larger than it may be');
    await expect(readEntry(source, { ...found, crc: 1 }, 1000)).rejects.toMatchObject({
      code: 'workbook_damaged',
    });
  }
});

test.each([
  [
    [
      { name: 'a/', data: '' },
      { name: 'a/1.pdf', data: '%PDF-1' },
      { name: '2.PDF', data: '%PDF-1' },
    ],
    'This archive has no product list. It holds 1 folder and 2 PDF files.',
  ],
  [
    [
      { name: '1.jpg', data: picture },
      { name: '__MACOSX/._1.jpg', data: picture },
    ],
    'This archive has 1 picture and no list. Put the product list into it.',
  ],
  [[{ name: 'list.zip', data: await zipFile([{ name: 'a', data: list }]) }], 'It holds 1 archive.'],
  [[{ name: 'list.gz', data: await compressed(bytesOf(list), 'gzip') }], 'It holds 1 archive.'],
  [[], 'This archive is empty.'],
])('an archive without a list is refused with what it holds', async (files, sentence) => {
  await expect(openBytes(await zipFile(files))).rejects.toThrow(sentence);
});

test.each([
  ['xl/workbook.bin', 'This is a binary Excel workbook (.xlsb). Save it as .xlsx or CSV and upload that.'],
  ['Index/Document.iwa', 'This is a Numbers spreadsheet. Save it as .xlsx or CSV and upload that.'],
  ['word/document.xml', 'This is a Word document, not a workbook.'],
  ['META-INF/MANIFEST.MF', 'This is a program, not a workbook.'],
])('a document with %s is named', async (name, sentence) => {
  const archive = await zipFile([
    { name: '[Content_Types].xml', data: '<Types/>' },
    { name, data: 'x' },
  ]);
  await expect(openBytes(archive)).rejects.toThrow(sentence);
});

/** A compound file whose streams have these names. */
function compoundFile(names: readonly string[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(512 * 4);
  bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  const view = new DataView(bytes.buffer);
  view.setUint16(30, 9, true);
  view.setUint32(48, 1, true);
  for (const [at, name] of names.entries()) bytes.set(Buffer.from(name, 'utf16le'), 1024 + at * 128);
  return bytes;
}

test('old workbooks and those with a password are told apart', async () => {
  await expect(
    openBytes(compoundFile(['Root Entry', 'EncryptionInfo', 'EncryptedPackage'])),
  ).rejects.toMatchObject({
    code: 'workbook_protected',
    message: 'This workbook has a password. Save a copy without one and upload that.',
  });
  await expect(openBytes(compoundFile(['Root Entry', 'Workbook']))).rejects.toMatchObject({
    code: 'other_format',
    message: 'This is an old Excel workbook (.xls). Save it as .xlsx or CSV and upload that.',
  });
});

test('gzip is read with all its members', async () => {
  const [first, second] = await Promise.all([
    compressed(bytesOf(list), 'gzip'),
    compressed(bytesOf('2,Lamp\n'), 'gzip'),
  ]);
  const container = await openBytes(joinBytes([first, second]));
  expect(container).toMatchObject({ kind: 'gzip', tables: [{ n: 0, kind: 'file' }] });
  expect(await textOf(container, 0)).toBe(`${list}2,Lamp\n`);
});

test('gzip of too many false members is refused', async () => {
  // Without compression, so that they stand in the file as they are.
  const falseMembers = (count: number) =>
    joinBytes([gzipSync(Buffer.from('\x1f\x8b\x08\0'.repeat(count), 'latin1'), { level: 0 })]);
  expect(await firstText(falseMembers(64))).toHaveLength(4 * 64);
  await expect(firstText(falseMembers(65))).rejects.toThrow('This file is packed in too many parts to read.');
});

test.each([
  [
    'cut off',
    async () => (await compressed(bytesOf(list.repeat(1000)), 'gzip')).slice(0, -9),
    'cannot be unpacked',
  ],
  ['of 40 MB of zeros', () => compressed(new Uint8Array(40 * 2 ** 20), 'gzip'), 'unpacks to far more'],
  [
    'of a tar archive',
    () => {
      const tar = new Uint8Array(1024);
      tar.set(bytesOf('ustar'), 257);
      return compressed(tar, 'gzip');
    },
    'This is a TAR archive.',
  ],
])('gzip %s is refused', async (_what, make, sentence) => {
  await expect(firstText(await make())).rejects.toThrow(sentence);
});

test('files over the limits are refused', async () => {
  const limits = { ...testLimits, fileBytesMax: 1000, archiveBytesMax: 100_000 };
  const large = 'The file is larger than 1,000 bytes. Split it into smaller files, or raise CSV_BYTES_MAX.';
  await expect(openBytes(book, limits)).rejects.toMatchObject({ code: 'too_much', message: large });
  await expect(openBytes(await zipFile([{ name: 'book.xlsx', data: book }]), limits)).rejects.toThrow(large);
  const noise = Uint8Array.from({ length: 5000 }, (_byte, at) => (at * at) & 0x7f);
  const archive = await zipFile([
    { name: 'list.csv', data: list },
    { name: '1.jpg', data: noise, isStored: true },
  ]);
  expect(await firstText(archive, limits)).toBe(list);
  const rows = Array.from({ length: 300 }, (_row, at) => [`text ${at}`]);
  const wide = await zipFile(workbookParts({ sheets: [{ name: 'Viel', rows }] }));
  await expect(firstText(wide, { ...testLimits, fileBytesMax: 500 * 2 })).rejects.toThrow(
    'The file is larger than 1,000',
  );
});
