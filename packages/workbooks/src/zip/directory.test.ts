import { joinBytes } from '@draftshelf/csv/joined';
import { expect, test } from 'vitest';
import { toBlobSource } from '../byte-source.ts';
import { endRecord, zipFile } from '../testing/zip-file.ts';
import { readDirectory, type ZipEntry } from './directory.ts';
import { readEntryBytes } from './entry.ts';

const files = [
  { name: 'a.txt', data: 'first' },
  { name: 'folder/Größe.txt', data: 'second', isStored: true },
];
const sourceOf = (bytes: Uint8Array<ArrayBuffer>) => toBlobSource(new Blob([bytes]));

async function unpack(bytes: Uint8Array<ArrayBuffer>): Promise<[string, string][]> {
  const source = sourceOf(bytes);
  const read = async (entry: ZipEntry): Promise<[string, string]> => {
    const chunks = await Array.fromAsync(readEntryBytes(source, entry, { left: 2 ** 30 }));
    return [entry.name, new TextDecoder().decode(joinBytes(chunks))];
  };
  return Promise.all((await readDirectory(source)).map(read));
}

const unpacked = [
  ['a.txt', 'first'],
  ['folder/Größe.txt', 'second'],
];
const falseEnd = joinBytes([new Uint8Array(40), endRecord(1, 46, 0, new Uint8Array(0))]);

test.each([
  ['plain', {}],
  ['with a comment that holds a false end record', { comment: falseEnd }],
  ['with data in front', { before: new Uint8Array(1000).fill(0x50) }],
  ['as ZIP64', { isZip64: true }],
  ['as ZIP64 with data in front', { isZip64: true, before: new Uint8Array(99) }],
])('an archive %s is read', async (_what, options) => {
  expect(await unpack(await zipFile(files, options))).toEqual(unpacked);
});

test('the name of the directory counts, not that of the local header', async () => {
  const archive = await zipFile([{ name: 'a.txt', data: 'first', localName: 'other-name.txt' }]);
  expect(await unpack(archive)).toEqual([['a.txt', 'first']]);
});

test('a name that is not UTF-8 is read as code page 437', async () => {
  const archive = await zipFile([{ name: 'Gr__e', data: 'x' }]);
  const at = archive.findLastIndex((byte, index) => byte === 0x5f && archive[index - 1] === 0x5f);
  archive.set([0x94, 0xe1], at - 1);
  expect((await readDirectory(sourceOf(archive))).map(({ name }) => name)).toEqual(['Größe']);
});

test('of many end records in a comment, only some are tried', async () => {
  const withFalse = (count: number) => zipFile(files, { comment: joinBytes(Array(count).fill(falseEnd)) });
  expect(await unpack(await withFalse(15))).toEqual(unpacked);
  await expect(unpack(await withFalse(16))).rejects.toThrow('it ends before its table of contents');
});

test('a name has no NUL', async () => {
  const archive = await zipFile([{ name: 'a\0b', data: 'x' }]);
  expect((await readDirectory(sourceOf(archive))).map(({ name }) => name)).toEqual(['ab']);
});

const cut = 'The file is damaged: it ends before its table of contents.';

test.each([
  ['cut off', async () => (await zipFile(files)).slice(0, -30), cut],
  ['empty', async () => new Uint8Array(0), cut],
  [
    'with an offset beyond its end',
    async () => joinBytes([endRecord(1, 46, 99_999, new Uint8Array(0))]),
    cut,
  ],
  [
    'with overlapping entries',
    () =>
      zipFile([
        files[0] as never,
        { ...(files[1] as never as object), name: 'b', data: 'x', claims: { offset: 0 } },
      ]),
    'parts of it overlap',
  ],
  [
    'with another checksum',
    () => zipFile([{ name: 'a', data: 'x', claims: { crc: 1 } }]),
    '‘a’ does not match its checksum',
  ],
  ['with a longer file', () => zipFile([{ name: 'a', data: 'xxx', claims: { bytes: 2 } }]), '‘a’ is longer'],
  [
    'with a shorter file',
    () => zipFile([{ name: 'a', data: 'x', claims: { bytes: 2 } }]),
    '‘a’ does not match',
  ],
  [
    'with bytes that are no deflate',
    () => zipFile([{ name: 'a', data: 'not deflated', isStored: true, claims: { method: 8 } }]),
    'a part of it cannot be unpacked',
  ],
  ['with a password', () => zipFile([{ name: 'a', data: 'x', claims: { flags: 1 } }]), 'has a password'],
  [
    'with a method of its own',
    () => zipFile([{ name: 'a', data: 'x', isStored: true, claims: { method: 14 } }]),
    'is packed in a way that is not supported',
  ],
])('an archive %s is refused with a sentence', async (_what, make, sentence) => {
  const error = await unpack(await make()).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'ContainerError', message: expect.stringContaining(sentence) });
});

test('errors of the storage are not taken for damage', async () => {
  const archive = await zipFile([{ name: 'a', data: 'x'.repeat(5000) }]);
  const source = sourceOf(archive);
  const [entry] = await readDirectory(source);
  const failing = {
    bytes: source.bytes,
    stream: async function* (from: number, to: number) {
      if (to - from !== 30) throw new Error('storage is gone');
      yield* source.stream(from, to);
    },
  };
  const reading = Array.fromAsync(readEntryBytes(failing, entry as ZipEntry, { left: 2 ** 30 }));
  await expect(reading).rejects.toThrow('storage is gone');
});

test('a part that unpacks to far more than it holds is stopped', async () => {
  const archive = await zipFile([{ name: 'a', data: new Uint8Array(40 * 2 ** 20) }]);
  await expect(unpack(archive)).rejects.toThrow('The file unpacks to far more than it should hold.');
});
