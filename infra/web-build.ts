import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { readIfThere, writeDurably } from './durable-file.ts';
import { launchNode } from './launch.ts';
import { runToEnd } from './run-to-end.ts';

/** What the built files are made of: the app, the packages it may import, and the versions of everything else. */
const sources = [
  'apps/web',
  'packages/contract/src',
  'packages/csv/src',
  'packages/domain/src',
  'pnpm-lock.yaml',
];
const skipped = new Set(['node_modules', 'dist']);

/**
 * Builds the web app unless the files in `apps/web/dist` come from the sources as they are now.
 *
 * @returns the directory of the built files
 * @throws StartError with vite's last words
 */
export async function buildWeb(root: string, report: (text: string) => void): Promise<string> {
  const dist = path.join(root, 'apps/web/dist');
  const stampFile = path.join(dist, '.built-from');
  const stamp = await hashOf(root, sources);
  if ((await readIfThere(stampFile)) === stamp) return dist;
  report('Building the web app (once per change of its source) …');
  const vite = path.join(root, 'apps/web/node_modules/vite/bin/vite.js');
  await runToEnd({
    what: 'the build of the web app',
    launch: launchNode(vite, ['build', '--outDir', 'dist', '--emptyOutDir']),
    cwd: path.join(root, 'apps/web'),
    env: { ...process.env, NODE_ENV: 'production' },
  });
  await writeDurably(stampFile, stamp, 0o644);
  return dist;
}

/** One hash over names and contents, in a fixed order. */
async function hashOf(root: string, names: readonly string[]): Promise<string> {
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
