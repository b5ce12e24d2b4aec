import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

const nameLengthMax = 200;

/** Makes a folder below `root` whose path has `length` characters, for tests of paths that are too long. */
export async function deepFolder(root: string, length: number): Promise<string> {
  let path = root;
  while (path.length < length) {
    const left = length - path.length - 1;
    // At least two characters are left for the last name.
    const name = 'd'.repeat(left <= nameLengthMax ? left : Math.min(nameLengthMax, left - 2));
    path = join(path, name);
  }
  await mkdir(path, { recursive: true });
  return path;
}
