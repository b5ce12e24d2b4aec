import { spawnSync } from 'node:child_process';
import { chown, lchown, readdir, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { StartError } from './start-error.ts';

/** The user and group that a root process switches to, because Postgres refuses to run as root. */
const nobody = 65_534;

/** A command prefix so that Postgres runs neither as root nor as a user without a name. */
export async function userPrefix(cluster: string): Promise<string[]> {
  // Files keep their owner and permissions inside a user namespace.
  const unshare = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`];
  const mayUnshare = () => spawnSync('unshare', [...unshare.slice(1), 'true']).status === 0;
  if (process.getuid?.() !== 0) return hasName() || !mayUnshare() ? [] : unshare;

  const owner = await stat(cluster).then(
    (found) => found.uid,
    () => undefined,
  );
  if (owner !== nobody && mayUnshare()) return unshare;
  const setpriv = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
  if (spawnSync('setpriv', [...setpriv.slice(1), 'true']).status !== 0) {
    throw new StartError(
      'Postgres refuses to be run by root, and neither unshare nor setpriv is available. Run as another user.',
    );
  }
  if (owner !== undefined && owner !== nobody) await giveToNobody(path.dirname(cluster));
  return setpriv;
}

/** Containers may run as users without an entry in /etc/passwd; initdb refuses those. */
function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/** Makes a directory and all that it contains nobody's. */
export async function giveToNobody(directory: string): Promise<void> {
  await chown(directory, nobody, nobody);
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    await lchown(path.join(entry.parentPath, entry.name), nobody, nobody);
  }
}
