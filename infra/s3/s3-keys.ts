import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../durable-file.ts';
import { S3Error } from './s3-error.ts';

// A key is stored as a path below a directory: each segment is one name, the last one with '.json'. Dots in a segment
// are escaped, so a directory and a record never share a name, and '..' cannot leave the directory.

/** Longest encoded segment of a key; file systems allow names of 255 bytes. */
const segmentBytesMax = 240;
const keyBytesMax = 1024;
const recordSuffix = '.json';

/**
 * The file with the record of a key.
 *
 * @throws S3Error if the key is empty or too long
 */
export function recordFile(directory: string, key: string): string {
  const segments = key.split('/').map(encodeSegment);
  if (
    key === '' ||
    Buffer.byteLength(key) > keyBytesMax ||
    segments.some((name) => name.length > segmentBytesMax)
  ) {
    throw new S3Error(
      400,
      'KeyTooLongError',
      `A key has 1 to ${keyBytesMax} bytes, a segment ${segmentBytesMax}.`,
    );
  }
  return `${path.join(directory, ...segments)}${recordSuffix}`;
}

/** All keys that begin with the prefix, sorted. */
export async function keysUnder(directory: string, prefix: string): Promise<string[]> {
  const parents = prefix.split('/').slice(0, -1);
  const start = path.join(directory, ...parents.map(encodeSegment));
  const keys: string[] = [];
  await collect(start, parents.map((name) => `${name}/`).join(''), keys);
  return keys.filter((key) => key.startsWith(prefix)).sort();
}

async function collect(directory: string, prefix: string, keys: string[]): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const entry of entries) {
    if (entry.isDirectory()) {
      await collect(path.join(directory, entry.name), `${prefix}${decodeSegment(entry.name)}/`, keys);
    } else if (entry.name.endsWith(recordSuffix)) {
      keys.push(`${prefix}${decodeSegment(entry.name.slice(0, -recordSuffix.length))}`);
    }
  }
}

/** The encoding never produces a lone '%', so it represents the empty segment of 'a//b'. */
function encodeSegment(segment: string): string {
  return segment === '' ? '%' : encodeURIComponent(segment).replaceAll('.', '%2E').replaceAll('*', '%2A');
}

function decodeSegment(name: string): string {
  return name === '%' ? '' : decodeURIComponent(name);
}
