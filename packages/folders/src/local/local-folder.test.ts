import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileChanged, FileGone, FileUnreadable, FolderUnreadable, type FoundFile } from '../file-source.ts';
import { createLocalFolder } from './local-folder.ts';
import { deepFolder } from './testing/deep-folder.ts';

const { signal } = new AbortController();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'draftshelf-folder-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const source = () => createLocalFolder({ folder, settleMs: 10_000 });
const place = () => source().resolve(null, signal);
const listed = async () => (await source().look(await place(), null, signal)).files;
const names = async () => (await listed()).map(({ name }) => name).toSorted();

async function only(): Promise<FoundFile> {
  const [file, ...others] = await listed();
  if (!file || others.length > 0) throw new Error('There is not exactly one file');
  return file;
}

test('lists regular files only, and nothing of other programs', async () => {
  await writeFile(join(folder, 'b.csv'), 'Title\nVase\n');
  await writeFile(join(folder, 'notes.pdf'), '');
  await writeFile(join(folder, '.hidden.csv'), '');
  await writeFile(join(folder, '~$b.csv'), '');
  await mkdir(join(folder, 'folder.csv'));
  await writeFile(join(folder, 'folder.csv', 'inner.csv'), '');
  await symlink(join(folder, 'b.csv'), join(folder, 'link.csv'));
  await symlink('/etc/passwd', join(folder, 'outside.csv'));
  expect(await names()).toEqual(['b.csv', 'notes.pdf']);
  expect(await place()).toMatchObject({ key: `local:${folder}`, path: folder, canWrite: true });
});

test('a name that is not UTF-8 is listed, read and told apart', async () => {
  const latin = Buffer.concat([Buffer.from(`${folder}/pr`), Buffer.from([0xe9]), Buffer.from('.csv')]);
  await writeFile(latin, 'Title\nVase\n');
  await writeFile(join(folder, 'hex:41.csv'), 'Title\nCup\n');
  await writeFile(join(folder, 'e\u0301.csv'), '');
  expect(await names()).toEqual(['hex:41.csv', 'pr\uFFFD.csv', 'é.csv'].toSorted());
  for (const file of await listed()) {
    expect(await source().recheck(await place(), file, signal)).toEqual(file);
    const bytes = await buffer(await source().read(await place(), file, signal));
    expect(bytes.length).toBe(file.bytes);
  }
});

test('another size or time of change is another version; a version is read, or not at all', async () => {
  const path = join(folder, 'a.csv');
  await writeFile(path, 'Title\nVase\n');
  const first = await only();
  expect((await buffer(await source().read(await place(), first, signal))).toString()).toBe('Title\nVase\n');
  await utimes(path, 1, 2);
  const second = await only();
  expect(second.version).not.toBe(first.version);
  expect(second.modifiedAt).toEqual(new Date(2000));
  await expect(source().read(await place(), first, signal)).rejects.toBeInstanceOf(FileChanged);
  await rm(path);
  await expect(source().read(await place(), second, signal)).rejects.toBeInstanceOf(FileGone);
  expect(await source().recheck(await place(), second, signal)).toBe(null);
  await symlink('/etc/passwd', path);
  await expect(source().read(await place(), second, signal)).rejects.toBeInstanceOf(FileGone);
  expect(await source().recheck(await place(), second, signal)).toBe(null);
});

test('a folder that is missing is not an empty one, and its files are not gone', async () => {
  await writeFile(join(folder, 'a.csv'), 'Title\nVase\n');
  const file = await only();
  const known = await place();
  await rename(folder, `${folder}-away`);
  const missing = {
    kind: 'not found',
    message: `The folder ${folder} doesn’t exist. Is the drive connected?`,
  };
  await expect(source().resolve(null, signal)).rejects.toMatchObject(missing);
  for (const call of [
    () => source().look(known, null, signal),
    () => source().recheck(known, file, signal),
    () => source().read(known, file, signal),
  ]) {
    const error = await call().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(FolderUnreadable);
    expect(error).toMatchObject(missing);
  }
  await writeFile(folder, '');
  await expect(source().resolve(null, signal)).rejects.toMatchObject({
    kind: 'not found',
    message: `${folder} is not a folder.`,
  });
  await rm(folder);
  await rename(`${folder}-away`, folder);
  expect(await source().recheck(known, file, signal)).toEqual(file);
});

test('a file that cannot be looked at does not hide the others, and is not gone', async () => {
  const root = folder;
  folder = await deepFolder(root, 4_000);
  try {
    // Its path is longer than the system allows, but not its name.
    const long = `${'x'.repeat(200)}.csv`;
    execFileSync('touch', ['a.csv', long], { cwd: folder });
    const look = async () => source().look(await place(), null, signal);
    const found = await look();
    expect(found.files.map(({ name }) => name)).toEqual(['a.csv']);
    expect(found.unseen).toEqual([long]);
    const [file] = found.files as [FoundFile];
    const unseen = { ...file, key: long, name: long };
    await expect(source().recheck(await place(), unseen, signal)).rejects.toBeInstanceOf(FileUnreadable);
    await expect(source().read(await place(), unseen, signal)).rejects.toBeInstanceOf(FileUnreadable);

    // A folder of which nothing can be looked at is trouble.
    await rm(join(folder, 'a.csv'));
    await expect(look()).rejects.toMatchObject({ kind: 'network' });
  } finally {
    execFileSync('rm', ['-rf', folder]);
    folder = root;
  }
});
