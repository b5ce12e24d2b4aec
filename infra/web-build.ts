import path from 'node:path';
import { readIfThere, writeDurably } from './durable-file.ts';
import { launchNode } from './launch.ts';
import { runToEnd } from './run-to-end.ts';
import { sourceHash } from './source-hash.ts';
import { systemEnv } from './system-env.ts';

/** The inputs of the build: the app, the packages it may import, and the lockfile. */
const sources = [
  'apps/web',
  'packages/contract/src',
  'packages/csv/src',
  'packages/domain/src',
  'packages/reading/src',
  'packages/workbooks/src',
  'pnpm-lock.yaml',
];

/**
 * Builds the web app unless `apps/web/dist` is up to date.
 *
 * @returns the directory of the built files
 * @throws StartError with the end of vite's output
 */
export async function buildWeb(root: string, report: (text: string) => void): Promise<string> {
  const dist = path.join(root, 'apps/web/dist');
  const stampFile = path.join(dist, '.built-from');
  const stamp = await sourceHash(root, sources);
  if ((await readIfThere(stampFile)) === stamp) return dist;
  report('Building the web app (once per change of its source) …');
  const vite = path.join(root, 'apps/web/node_modules/vite/bin/vite.js');
  await runToEnd({
    what: 'the build of the web app',
    launch: launchNode(vite, ['build', '--outDir', 'dist', '--emptyOutDir']),
    cwd: path.join(root, 'apps/web'),
    env: { ...systemEnv(process.env), NODE_ENV: 'production' },
  });
  await writeDurably(stampFile, stamp, 0o644);
  return dist;
}
