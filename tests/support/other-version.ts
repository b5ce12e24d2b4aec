import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ownRoot } from './app-process.ts';

const programs = ['apps', 'packages', 'infra'];

/** Copies the programs of this version, as those of a version with another number. `remove` deletes them. */
export async function copyAsVersion(version: string): Promise<{ root: URL; remove(): Promise<void> }> {
  const from = fileURLToPath(ownRoot);
  const dir = await mkdtemp(path.join(tmpdir(), 'draftshelf-version-'));
  for (const name of programs) {
    await cp(path.join(from, name), path.join(dir, name), { recursive: true, verbatimSymlinks: true });
  }
  await symlink(path.join(from, 'node_modules'), path.join(dir, 'node_modules'));
  const manifest = JSON.parse(await readFile(path.join(from, 'package.json'), 'utf8'));
  await writeFile(path.join(dir, 'package.json'), JSON.stringify({ ...manifest, version }));
  return {
    root: pathToFileURL(`${dir}/`),
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}
