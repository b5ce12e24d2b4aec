import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const skipped = new Set(['node_modules', 'dist']);

/** One hash over names and contents of files and folders, in a fixed order. Throws if a path is neither. */
export async function sourceHash(root: string, names: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const name of names) await addToHash(hash, root, name);
  return hash.digest('hex');
}

async function addToHash(hash: ReturnType<typeof createHash>, root: string, name: string): Promise<void> {
  const at = path.join(root, name);
  const entries = await readdir(at, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) {
    const content = await readFile(at);
    hash.update(`${name}\0${content.length}\0`).update(content);
    return;
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!skipped.has(entry.name)) await addToHash(hash, root, path.join(name, entry.name));
  }
}
