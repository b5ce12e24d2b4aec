import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { link, lstat, mkdir, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { insertBeforeExtension } from '../file-rules.ts';
import { type DisposalResult, hashFileVersion, type KnownFile } from '../file-source.ts';
import { errnoOf, isNotFound, joinPath, nameOfKey, toFileVersion, toFolderError } from './local-file.ts';

// A file is first renamed into our own folder, under a name that only this call uses. If the supplier has written
// another version before that, the file is put back, so that only the version that was read is moved or deleted. The
// next call for the file completes an interrupted call. Without another call, `restoreFiles` puts the file back.

const archiveFolder = 'Archive';
export const asideFolder = '.draftshelf';

const laterMs = 300_000;
const namesMax = 1_000;
const movedNamesMax = 5;
const restoredMax = 1_000;

/** Moves this version of a file into Archive, as `name` or, if that is taken, a numbered name. */
export function archiveFile(folder: string, file: KnownFile, name: string): Promise<DisposalResult> {
  const keyOf = (nth: number) => `${archiveFolder}/${numbered(name, nth)}`;
  return disposeOf(folder, async () => {
    const disposal = await disposeAside(folder, file, async (aside) => {
      const move = () => moveTo(aside, (nth) => joinPath(folder, keyOf(nth)));
      const nth = await moveInto(folder, { name: archiveFolder, from: aside, move });
      return { is: 'done', newKey: keyOf(nth) };
    });
    if (disposal.is !== 'gone' && disposal.is !== 'changed') return disposal;
    // An interrupted call may have moved the file already.
    for (let nth = 1; nth <= movedNamesMax; nth += 1) {
      const stats = await statsOf(joinPath(folder, keyOf(nth)));
      if (stats && toFileVersion(stats) === file.version) return { is: 'done', newKey: keyOf(nth) };
    }
    return disposal;
  });
}

export function deleteFile(folder: string, file: KnownFile): Promise<DisposalResult> {
  return disposeOf(folder, () =>
    disposeAside(folder, file, async (aside) => {
      await unlink(aside);
      return { is: 'done' };
    }),
  );
}

async function disposeOf(folder: string, dispose: () => Promise<DisposalResult>): Promise<DisposalResult> {
  try {
    const disposal = await dispose();
    // Throws if the folder itself is missing, because the file then does not count as gone.
    if (disposal.is === 'gone') await lstat(folder);
    return disposal;
  } catch (error) {
    const disposal = disposalAfter(error);
    if (!disposal) throw toFolderError(folder, error);
    return disposal;
  } finally {
    await removeIfEmpty(folder);
  }
}

/** Puts back the moved-aside files that `find` returns by their marks. Tries all files, then throws the last error. */
export async function restoreFiles(folder: string, find: (marks: string[]) => Promise<KnownFile[]>) {
  const names = (await namesAside(folder)).slice(0, restoredMax);
  if (names.length === 0) return removeIfEmpty(folder);
  let failure: unknown;
  for (const file of await find(names.map((name) => name.split('-')[0] ?? ''))) {
    for (const aside of names.filter((name) => name.startsWith(`${hashFileVersion(file)}-`))) {
      const path = joinPath(folder, `${asideFolder}/${aside}`);
      await putBack(folder, { aside: path, name: nameOfKey(file.key) }).catch((error) => {
        failure = error;
      });
    }
  }
  await removeIfEmpty(folder);
  if (failure !== undefined) throw failure;
}

const removeIfEmpty = (folder: string) => rmdir(joinPath(folder, asideFolder)).catch(() => {});

async function disposeAside(
  folder: string,
  file: KnownFile,
  end: (aside: Buffer) => Promise<DisposalResult>,
): Promise<DisposalResult> {
  const name = nameOfKey(file.key);
  const left = (await namesAside(folder)).find((one) => one.startsWith(`${hashFileVersion(file)}-`));
  const aside =
    left === undefined ? await putAside(folder, { file, name }) : joinPath(folder, `${asideFolder}/${left}`);
  if (!Buffer.isBuffer(aside)) return aside;
  const stats = await statsOf(aside);
  // Another process has already moved or deleted the file.
  if (!stats) return { is: 'gone' };
  if (toFileVersion(stats) !== file.version) {
    await putBack(folder, { aside, name });
    return { is: 'changed' };
  }
  try {
    return await end(aside);
  } catch (error) {
    if (isNotFound(error) && !(await statsOf(aside))) return { is: 'gone' };
    await putBack(folder, { aside, name });
    throw error;
  }
}

async function namesAside(folder: string): Promise<string[]> {
  return readdir(joinPath(folder, asideFolder)).catch((error) => {
    // A supplier's file has the name of our folder, so no files have been moved aside.
    if (isNotFound(error) || errnoOf(error) === 'ENOTDIR') return [];
    throw error;
  });
}

async function putAside(
  folder: string,
  { file, name }: { file: KnownFile; name: Buffer },
): Promise<Buffer | DisposalResult> {
  const from = joinPath(folder, name);
  const stats = await statsOf(from);
  if (!stats) return { is: 'gone' };
  if (!stats.isFile() || toFileVersion(stats) !== file.version) return { is: 'changed' };
  const aside = joinPath(folder, `${asideFolder}/${hashFileVersion(file)}-${randomBytes(6).toString('hex')}`);
  try {
    await moveInto(folder, { name: asideFolder, from, move: () => rename(from, aside) });
    return aside;
  } catch (error) {
    if (isNotFound(error) && !(await statsOf(from))) return { is: 'gone' };
    throw error;
  }
}

/** Maximum number of times that other calls may remove our empty folder before a file is moved into it. */
const removedMax = 10;

/** Moves a file into a folder of ours. Creates the folder again if another call or process removes the empty folder. */
async function moveInto<T>(
  folder: string,
  { name, from, move }: { name: string; from: Buffer; move: () => Promise<T> },
): Promise<T> {
  for (let removed = 1; ; removed += 1) {
    await makeFolder(folder, name);
    try {
      return await move();
    } catch (error) {
      if (!isNotFound(error) || removed === removedMax || !(await statsOf(from))) throw error;
    }
  }
}

/** Puts a file back, under a free name if a supplier has written another file with its name. */
async function putBack(folder: string, { aside, name }: { aside: Buffer; name: Buffer }): Promise<void> {
  await moveTo(aside, (nth) => joinPath(folder, numberedBytes(name, nth))).catch((error) => {
    if (!isNotFound(error)) throw error;
  });
}

// Moves a file to the first free path, without replacing a file. Returns the number of that path.
async function moveTo(from: Buffer, pathOf: (nth: number) => Buffer): Promise<number> {
  for (let nth = 1; nth <= namesMax; nth += 1) {
    if (await moveToFree(from, pathOf(nth))) return nth;
  }
  throw new Error(`${namesMax} files of this name are there`);
}

const noLinkCodes = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

async function moveToFree(from: Buffer, to: Buffer): Promise<boolean> {
  try {
    await link(from, to);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EEXIST') {
      // An interrupted call has already linked the file.
      if (!(await isSameFile(from, to))) return false;
    } else if (noLinkCodes.includes(code ?? '')) {
      if (await statsOf(to)) return false;
      await rename(from, to);
      return true;
    } else throw error;
  }
  await unlink(from).catch((error) => {
    if (!isNotFound(error)) throw error;
  });
  return true;
}

async function isSameFile(one: Buffer, other: Buffer): Promise<boolean> {
  const [a, b] = await Promise.all([statsOf(one), statsOf(other)]);
  return a !== null && b !== null && a.ino === b.ino && a.dev === b.dev;
}

async function statsOf(path: Buffer): Promise<BigIntStats | null> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

async function makeFolder(folder: string, name: string): Promise<void> {
  const path = joinPath(folder, name);
  await mkdir(path).catch((error) => {
    if (errnoOf(error) !== 'EEXIST') throw error;
  });
  const stats = await statsOf(path);
  // A missing folder is no error: another call has removed the folder since.
  if (stats && !stats.isDirectory()) throw new NotAFolder(`${name} is not a folder, so the file stayed.`);
}

class NotAFolder extends Error {}

/** Returns the file's result after an error, or undefined if the error means that the folder cannot be used. */
function disposalAfter(error: unknown): DisposalResult | undefined {
  if (error instanceof NotAFolder) return { is: 'kept', sentence: error.message };
  const code = errnoOf(error) ?? '';
  if (keptBy[code]) return { is: 'kept', sentence: keptBy[code] };
  return laterBy[code] ? { is: 'later', sentence: laterBy[code], waitMs: laterMs } : undefined;
}

const keptBy: Readonly<Record<string, string>> = {
  EROFS: 'The folder is read-only, so the file stayed.',
  EACCES: 'The folder is read-only, so the file stayed.',
  ENAMETOOLONG: 'Its path would be too long, so the file stayed.',
  EXDEV: 'Archive is on another drive, so the file stayed.',
};
const laterBy: Readonly<Record<string, string>> = {
  ENOSPC: 'The drive is full, so the file stayed.',
  EDQUOT: 'The drive is full, so the file stayed.',
  EBUSY: 'The file is open elsewhere, so it stayed.',
  EPERM: 'The file is open elsewhere, so it stayed.',
  ETXTBSY: 'The file is open elsewhere, so it stayed.',
};

const numbered = (name: string, nth: number): string =>
  nth === 1 ? name : insertBeforeExtension(name, ` (${nth})`);

/** Inserts a number into a name. Latin-1 keeps the bytes of a name that is not UTF-8. */
const numberedBytes = (name: Buffer, nth: number): Buffer =>
  Buffer.from(numbered(name.toString('latin1'), nth), 'latin1');
