import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { readIfThere, writeDurably } from './durable-file.ts';
import { appNodeArgs, appNodeEnv } from './launch.ts';
import { sourceHash } from './source-hash.ts';

const apps = ['api', 'parse-worker', 'enrich-worker', 'push-worker', 'store-simulator', 'source-simulator'];
const sources = [...apps.map((app) => `apps/${app}/src`), 'packages', 'pnpm-lock.yaml'];

/**
 * Fills Node's compile cache unless it is up to date. A program loaded from the cache saves the 17 MB with which Node
 * strips types. Without its configuration each program exits as soon as it is loaded; other errors appear when it is
 * really started.
 */
export async function compileApps(root: string): Promise<void> {
  const stampFile = path.join(appNodeEnv.NODE_COMPILE_CACHE, '.compiled-from');
  const stamp = `${process.version} ${await sourceHash(root, sources)}`;
  if ((await readIfThere(stampFile)) === stamp) return;
  for (const app of apps) {
    const child = spawn(process.execPath, [...appNodeArgs, path.join(root, 'apps', app, 'src/main.ts')], {
      env: { PATH: process.env.PATH, ...appNodeEnv },
      stdio: 'ignore',
    });
    await once(child, 'exit');
  }
  await writeDurably(stampFile, stamp, 0o644);
}
