import { createHash, randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { link, lstat, mkdir, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import type { KnownFile, Settled } from '../file-source.ts';
import { nameOfKey, pathIn, versionOf } from './file-keys.ts';
import { codeOf, folderError, isMissing } from './folder-errors.ts';

/*
 * A file is first renamed into a folder of our own, under a name that only this call uses, and then looked at: whatever
 * a supplier has written in the last moment came along, and goes back. Only the version that was read is moved on or
 * deleted. A call that was interrupted, or that sleeps, leaves a file there that the next call for it completes.
 */

const archiveFolder = 'Archive';
/** Holds files while they are moved or deleted. */
export const asideFolder = '.draftshelf';

const laterMs = 300_000;
const namesMax = 1_000;
const movedNamesMax = 5;

/** Moves that version of a file into the folder Archive, as `name` or a free name like it. */
export async function archiveFile(folder: string, file: KnownFile, name: string): Promise<Settled> {
  const keyOf = (nth: number) => `${archiveFolder}/${numbered(name, nth)}`;
  const settled = await settleFile(folder, file, async (aside) => {
    await makeFolder(folder, archiveFolder);
    const nth = await moveTo(aside, (nth) => pathIn(folder, keyOf(nth)));
    return { is: 'done', newKey: keyOf(nth) };
  });
  if (settled.is !== 'gone' && settled.is !== 'changed') return settled;
  // An interrupted call may have moved it.
  for (let nth = 1; nth <= movedNamesMax; nth += 1) {
    const stats = await statsOf(pathIn(folder, keyOf(nth)));
    if (stats && versionOf(stats) === file.version) return { is: 'done', newKey: keyOf(nth) };
  }
  return settled;
}

/** Deletes that version of a file. */
export function deleteFile(folder: string, file: KnownFile): Promise<Settled> {
  return settleFile(folder, file, async (aside) => {
    await unlink(aside);
    return { is: 'done' };
  });
}

async function settleFile(
  folder: string,
  file: KnownFile,
  end: (aside: Buffer) => Promise<Settled>,
): Promise<Settled> {
  try {
    return await settleAside(folder, file, end);
  } catch (error) {
    const settled = settledBy(error);
    if (!settled) throw folderError(folder, error);
    return settled;
  } finally {
    // Only if it is empty.
    await rmdir(pathIn(folder, asideFolder)).catch(() => {});
  }
}

async function settleAside(
  folder: string,
  file: KnownFile,
  end: (aside: Buffer) => Promise<Settled>,
): Promise<Settled> {
  // A file is not gone because its folder is.
  await lstat(folder);
  const name = nameOfKey(file.key);
  const own = ownName(file);
  const left = await leftAside(folder, own);
  const aside = left ?? (await putAside(folder, { file, name, own }));
  if (!Buffer.isBuffer(aside)) return aside;
  const stats = await statsOf(aside);
  // Another process has completed it meanwhile.
  if (!stats) return { is: 'gone' };
  if (versionOf(stats) !== file.version) {
    await putBack(folder, { aside, name });
    return { is: 'changed' };
  }
  try {
    return await end(aside);
  } catch (error) {
    if (isMissing(error)) return { is: 'gone' };
    await putBack(folder, { aside, name });
    throw error;
  }
}

/** How the names begin that this version of a file has while it is put aside. */
export const ownName = ({ key, version }: KnownFile): string =>
  createHash('sha256').update(`${key}\n${version}`).digest('hex').slice(0, 32);

/** The file that an interrupted call has put aside. */
async function leftAside(folder: string, own: string): Promise<Buffer | undefined> {
  const names = await readdir(pathIn(folder, asideFolder)).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const left = names.find((name) => name.startsWith(`${own}-`));
  return left === undefined ? undefined : pathIn(folder, `${asideFolder}/${left}`);
}

async function putAside(
  folder: string,
  { file, name, own }: { file: KnownFile; name: Buffer; own: string },
): Promise<Buffer | Settled> {
  const stats = await statsOf(pathIn(folder, name));
  if (!stats) return { is: 'gone' };
  if (!stats.isFile() || versionOf(stats) !== file.version) return { is: 'changed' };
  const aside = pathIn(folder, `${asideFolder}/${own}-${randomBytes(6).toString('hex')}`);
  for (let tries = 1; ; tries += 1) {
    await makeFolder(folder, asideFolder);
    try {
      await rename(pathIn(folder, name), aside);
      return aside;
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (!(await statsOf(pathIn(folder, name)))) return { is: 'gone' };
      // Another call has removed the empty folder meanwhile.
      if (tries === triesMax) throw error;
    }
  }
}

const triesMax = 10;

/** Puts a file back under its name, or a free name like it if a supplier has used it meanwhile. */
async function putBack(folder: string, { aside, name }: { aside: Buffer; name: Buffer }): Promise<void> {
  await moveTo(aside, (nth) => pathIn(folder, numberedBytes(name, nth))).catch((error) => {
    if (!isMissing(error)) throw error;
  });
}

/** Moves a file to the first of these paths that is free; nothing is replaced. Returns its number. */
async function moveTo(from: Buffer, pathOf: (nth: number) => Buffer): Promise<number> {
  for (let nth = 1; nth <= namesMax; nth += 1) {
    if (await moveToFree(from, pathOf(nth))) return nth;
  }
  throw new Error(`${namesMax} files of this name are there`);
}

/** Codes of drives without hard links. */
const noLinkCodes = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

async function moveToFree(from: Buffer, to: Buffer): Promise<boolean> {
  try {
    await link(from, to);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') {
      // An interrupted call has linked it already.
      if (!(await isSameFile(from, to))) return false;
    } else if (noLinkCodes.includes(code ?? '')) {
      if (await statsOf(to)) return false;
      await rename(from, to);
      return true;
    } else throw error;
  }
  await unlink(from).catch((error) => {
    if (!isMissing(error)) throw error;
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
    if (isMissing(error)) return null;
    throw error;
  }
}

async function makeFolder(folder: string, name: string): Promise<void> {
  const path = pathIn(folder, name);
  await mkdir(path).catch((error) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  if (!(await statsOf(path))?.isDirectory()) throw new NotAFolder(name);
}

class NotAFolder extends Error {
  constructor(name: string) {
    super(`${name} is not a folder, so the file stayed.`);
    this.name = 'NotAFolder';
  }
}

/** Result of an error that says why a file stays; undefined: the folder itself cannot be used. */
function settledBy(error: unknown): Settled | undefined {
  if (error instanceof NotAFolder) return { is: 'kept', sentence: error.message };
  switch (codeOf(error)) {
    case 'EROFS':
    case 'EACCES':
      return { is: 'kept', sentence: 'The folder is read-only, so the file stayed.' };
    case 'ENAMETOOLONG':
      return { is: 'kept', sentence: 'Its name is too long for Archive, so the file stayed.' };
    case 'EXDEV':
      return { is: 'kept', sentence: 'Archive is on another drive, so the file stayed.' };
    case 'ENOSPC':
    case 'EDQUOT':
      return { is: 'later', sentence: 'The drive is full, so the file stayed.', waitMs: laterMs };
    case 'EBUSY':
    case 'EPERM':
    case 'ETXTBSY':
      return { is: 'later', sentence: 'The file is open elsewhere, so it stayed.', waitMs: laterMs };
    default:
      return undefined;
  }
}

const numbered = (name: string, nth: number): string => numberedBytes(Buffer.from(name), nth).toString();

/** The name itself, then with ` (2)`, ` (3)` … before its extension. */
function numberedBytes(name: Buffer, nth: number): Buffer {
  if (nth === 1) return name;
  const dot = name.lastIndexOf('.');
  const at = dot > 0 ? dot : name.length;
  return Buffer.concat([name.subarray(0, at), Buffer.from(` (${nth})`), name.subarray(at)]);
}
