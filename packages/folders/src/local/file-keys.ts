import { isUtf8 } from 'node:buffer';
import type { BigIntStats } from 'node:fs';

const hexPrefix = 'hex:';

/** The key of a file in a local folder: its name, or its bytes in hexadecimal digits if it is not UTF-8. */
export function keyOfName(name: Buffer): string {
  const text = isUtf8(name) ? name.toString() : undefined;
  return text === undefined || text.startsWith(hexPrefix) ? hexPrefix + name.toString('hex') : text;
}

/** The bytes of the name that `keyOfName` made a key of. */
export function nameOfKey(key: string): Buffer {
  return key.startsWith(hexPrefix) ? Buffer.from(key.slice(hexPrefix.length), 'hex') : Buffer.from(key);
}

/** A name as screens show it: composed letters, and replacement characters for what is not UTF-8. */
export function shownName(name: Buffer): string {
  return name.toString().normalize('NFC');
}

export function pathIn(folder: string, name: Buffer | string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), typeof name === 'string' ? Buffer.from(name) : name]);
}

/**
 * The version of a file: size and time of change. Not the inode, which some network drives make up, and not the ctime,
 * which every chmod changes.
 */
export const versionOf = ({ size, mtimeNs }: BigIntStats): string => `${size}:${mtimeNs}`;
