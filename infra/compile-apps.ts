import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { appMains } from './app-mains.ts';
import { readIfThere, writeDurably } from './durable-file.ts';
import { appNodeArgs, appNodeEnv } from './launch.ts';
import { sourceHash } from './source-hash.ts';

const mains = Object.values(appMains);
const sources = [...mains.map((main) => path.dirname(main)), 'packages', 'pnpm-lock.yaml'];

/**
 * Fills Node's compile cache unless it is up to date. A program loaded from the cache saves the 17 MB with which Node
 * strips types. Without its configuration each program exits as soon as it is loaded; other errors appear when it is
 * really started.
 */
export async function compileApps(root: string): Promise<void> {
  const stampFile = path.join(appNodeEnv.NODE_COMPILE_CACHE, '.compiled-from');
  const stamp = `${process.version} ${await sourceHash(root, sources)}`;
  if ((await readIfThere(stampFile)) === stamp) return;
  for (const main of mains) {
    const child = spawn(process.execPath, [...appNodeArgs, path.join(root, main)], {
      env: { PATH: process.env.PATH, ...appNodeEnv },
      stdio: 'ignore',
    });
    await once(child, 'exit');
  }
  await writeDurably(stampFile, stamp, 0o644);
}
