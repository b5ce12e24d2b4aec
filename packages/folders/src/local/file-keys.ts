import { isUtf8 } from 'node:buffer';
import type { BigIntStats } from 'node:fs';

const hexPrefix = 'hex:';

/** Returns a file's name, or `hex:` and its bytes if it is not UTF-8. */
export function keyOfName(name: Buffer): string {
  const text = isUtf8(name) ? name.toString() : undefined;
  return text === undefined || text.startsWith(hexPrefix) ? hexPrefix + name.toString('hex') : text;
}

export function nameOfKey(key: string): Buffer {
  return key.startsWith(hexPrefix) ? Buffer.from(key.slice(hexPrefix.length), 'hex') : Buffer.from(key);
}

/** Composes letters, and replaces bytes that are not UTF-8. */
export function shownName(name: Buffer): string {
  return name.toString().normalize('NFC');
}

export function pathIn(folder: string, name: Buffer | string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), typeof name === 'string' ? Buffer.from(name) : name]);
}

/** Not the inode, which some network drives make up, nor the ctime, which every chmod changes. */
export const versionOf = ({ size, mtimeNs }: BigIntStats): string => `${size}:${mtimeNs}`;
