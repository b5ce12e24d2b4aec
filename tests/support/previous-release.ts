import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ownRoot } from './app-process.ts';
import release from './previous-release.json' with { type: 'json' };

const run = promisify(execFile);
const cwd = fileURLToPath(ownRoot);

/** The release before this version; its commit is not there in a shallow clone, or without git. */
export const previousRelease = { ...release, isThere: hasCommit(release.commit) };

function hasCommit(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Checks the previous release out into a temporary directory and installs it. `remove` deletes it. */
export async function checkOutPreviousRelease(): Promise<{ root: URL; remove(): Promise<void> }> {
  const dir = join(await mkdtemp(join(tmpdir(), 'draftshelf-release-')), 'draftshelf');
  const remove = async () => {
    await run('git', ['worktree', 'remove', '--force', dir], { cwd });
    await rm(join(dir, '..'), { recursive: true, force: true });
  };
  await run('git', ['worktree', 'add', '--detach', dir, release.commit], { cwd });
  try {
    const install = `import('./scripts/bootstrap.mjs').then((module) => module.bootstrap())`;
    await run(process.execPath, ['-e', install], { cwd: dir, maxBuffer: 2 ** 26 });
  } catch (error) {
    await remove();
    throw error;
  }
  return { root: new URL(`${pathToFileURL(dir).href}/`), remove };
}
