import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { readIfThere, writeDurably } from './durable-file.ts';
import { appNodeArgs, appNodeEnv } from './launch.ts';
import { sourceHash } from './source-hash.ts';

const apps = ['api', 'parse-worker', 'enrich-worker', 'push-worker', 'store-simulator'];
const sources = [...apps.map((app) => `apps/${app}/src`), 'packages', 'pnpm-lock.yaml'];

/**
 * Has the programs compiled unless they are as their sources are now: one that finds itself compiled never loads the
 * 17 MB with which Node strips types. Without its configuration each ends as soon as it is loaded, which is all that is
 * wanted of it here; what else may be wrong with it, its real start will tell.
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
