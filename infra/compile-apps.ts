import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';
import { type AppName, appMains, appProgram } from './app-mains.ts';
import { readIfThere, writeDurably } from './durable-file.ts';
import { appNodeArgs, appNodeEnv } from './launch.ts';
import { sourceHash } from './source-hash.ts';

const names = Object.keys(appMains) as AppName[];
const sources = [
  ...Object.values(appMains).map((main) => path.dirname(main)),
  ...['packages', 'pnpm-lock.yaml', 'infra/compile-apps.ts'],
];

/**
 * Bundles each app into one program and fills Node's compile cache with it, unless that is up to date. A process keeps
 * the source text of each module that it has loaded: without types and comments, and in one file, the api takes 20 MB
 * less and starts in half of the processor time.
 */
export async function compileApps(root: string): Promise<void> {
  const dir = path.join(root, '.cache/apps');
  const stampFile = path.join(dir, '.compiled-from');
  // A bundle names its place and is made as this file says.
  const stamp = `${process.version} ${root} ${await sourceHash(root, sources)}`;
  if ((await readIfThere(stampFile)) === stamp) return;
  const bundled = `${dir}-${process.pid}`;
  for (const name of names) {
    await bundle(path.join(root, appMains[name]), path.join(bundled, name));
  }
  await rm(dir, { recursive: true, force: true });
  await rename(bundled, dir);
  await Promise.all(names.map((name) => fillCompileCache(path.join(root, appProgram(name)))));
  await writeDurably(stampFile, stamp, 0o644);
}

/** Libraries of many small modules. The others stay where they are, with the files that they look for beside them. */
const bundledLibraries = /\/node_modules\/(?:kysely|zod)\//;

const inPlace: Plugin = {
  name: 'in place',
  async resolveId(source, importer, options) {
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    if (!found?.id.includes('/node_modules/') || bundledLibraries.test(found.id)) return found;
    return { id: pathToFileURL(found.id).href, external: true };
  },
  // Our own modules look for files beside them too.
  transform: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
};

async function bundle(main: string, dir: string): Promise<void> {
  const { rolldown } = await import('rolldown');
  const built = await rolldown({ input: main, platform: 'node', plugins: [inPlace] });
  // Text of one byte per character takes half of the memory. Lines and names stay, for the stacks of errors.
  const asRead = { charset: 'ascii', comments: false, keepNames: true } as const;
  const files = { entryFileNames: 'main.mjs', chunkFileNames: '[name]-[hash].mjs' };
  await built.write({ dir, format: 'esm', ...asRead, ...files });
  await built.close();
}

/** Without its configuration a program exits as soon as it is loaded; other errors appear when it is really started. */
async function fillCompileCache(program: string): Promise<void> {
  const child = spawn(process.execPath, [...appNodeArgs, program], {
    env: { PATH: process.env.PATH, ...appNodeEnv },
    stdio: 'ignore',
  });
  await once(child, 'exit');
}
