import { isUtf8 } from 'node:buffer';
import type { BigIntStats } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { FileGone, FileUnreadable, FolderUnreadable } from '../file-source.ts';

export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export const isNotFound = (error: unknown): boolean => errnoOf(error) === 'ENOENT';

/** Throws the system's error if the folder cannot be listed. */
export async function requireReadable(folder: string): Promise<void> {
  const entries = await opendir(folder);
  try {
    await entries.read();
  } finally {
    await entries.close();
  }
}

/** Converts an error of the system to FolderUnreadable. Returns other errors unchanged. */
export function toFolderError(folder: string, error: unknown): unknown {
  const code = errnoOf(error);
  if (code === undefined) return error;
  const options = { detail: (error as Error).message };
  if (code === 'ENOENT') {
    const sentence = `The folder ${folder} doesn’t exist. Is the drive connected?`;
    return new FolderUnreadable('not found', sentence, options);
  }
  if (code === 'ENOTDIR') return new FolderUnreadable('not found', `${folder} is not a folder.`, options);
  if (code === 'EACCES' || code === 'EPERM') {
    const sentence = `Draftshelf may not read the folder ${folder}. Allow it to the user that runs Draftshelf.`;
    return new FolderUnreadable('no permission', sentence, options);
  }
  const sentence = `The folder ${folder} could not be read (${code}). Is the drive connected?`;
  return new FolderUnreadable('network', sentence, options);
}

/** Converts an error about a file. If the folder cannot be read either, returns the folder's trouble instead. */
export async function toFileError(folder: string, name: string, error: unknown): Promise<unknown> {
  const code = errnoOf(error);
  if (code === undefined) return error;
  try {
    await requireReadable(folder);
  } catch (failure) {
    return toFolderError(folder, failure);
  }
  // If a link or folder has replaced the file, the file is gone.
  if (['ENOENT', 'ELOOP', 'EMLINK', 'EISDIR', 'ENXIO'].includes(code)) return new FileGone(name);
  if (code === 'EACCES' || code === 'EPERM') {
    const sentence = 'Draftshelf may not read this file. Allow it to the user that runs Draftshelf.';
    return new FileUnreadable(sentence, { cause: error });
  }
  return new FileUnreadable(`The file could not be read (${code}).`, { cause: error });
}

const hexPrefix = 'hex:';

/** Returns a file's key: its name, or `hex:` and the bytes of a name that is not UTF-8. */
export function keyOfName(name: Buffer): string {
  const text = isUtf8(name) ? name.toString() : undefined;
  return text === undefined || text.startsWith(hexPrefix) ? hexPrefix + name.toString('hex') : text;
}

export function nameOfKey(key: string): Buffer {
  return key.startsWith(hexPrefix) ? Buffer.from(key.slice(hexPrefix.length), 'hex') : Buffer.from(key);
}

/** Returns a name for display, with composed letters, and with replacements for bytes that are not UTF-8. */
export function toShownName(name: Buffer): string {
  return name.toString().normalize('NFC');
}

export function joinPath(folder: string, name: Buffer | string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), typeof name === 'string' ? Buffer.from(name) : name]);
}

/** Returns size and modification time, without inode and ctime: some drives invent inodes, and chmod changes ctime. */
export const toFileVersion = ({ size, mtimeNs }: BigIntStats): string => `${size}:${mtimeNs}`;
