import { spawnSync } from 'node:child_process';
import { chown, lchown, readdir, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { StartError } from './start-error.ts';

/** The user and group that a root process switches to, because Postgres refuses to run as root. */
const nobody = 65_534;

const setpriv = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
/** Root's right to files, without its other rights. */
const withFiles = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
// Files keep their owner and permissions inside a user namespace.
const unshare = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`];

/** A command prefix so that Postgres runs neither as root nor as a user without a name. */
export async function userPrefix(at: { cluster: string; binary: string }): Promise<string[]> {
  if (process.getuid?.() !== 0) return hasName() || !runs([...unshare, 'true']) ? [] : unshare;

  const directory = path.dirname(at.cluster);
  const owner = await stat(at.cluster).then(
    (found) => found.uid,
    () => undefined,
  );
  if (owner !== nobody && runs([...unshare, 'true'])) return unshare;
  // The data directory is root's alone. `stat` needs what Postgres needs; Postgres checks itself whether it may be run.
  const prefix = [setpriv, [...setpriv, ...withFiles]].find(
    (one) =>
      runs([...one, 'stat', `${path.dirname(directory)}/.`]) && runs([...one, 'test', '-x', at.binary]),
  );
  if (prefix === undefined) {
    throw new StartError(
      `Postgres refuses to be run by root, and no other user can run ${at.binary} here. Move the project to a directory that all users may enter, start it as another user, or set DATABASE_URL.`,
    );
  }
  if (owner !== undefined && owner !== nobody) await giveToNobody(directory);
  return prefix;
}

function runs([command = '', ...args]: readonly string[]): boolean {
  return spawnSync(command, args).status === 0;
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
