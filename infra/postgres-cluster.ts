import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createScramVerifier } from '@draftshelf/core/connection/scram-verifier';
import { isMissing, readIfThere, writeDurably } from './durable-file.ts';
import { giveToNobody } from './postgres-user.ts';
import { StartError } from './start-error.ts';

/** The superuser and the database of the embedded Postgres. */
export const databaseUser = 'draftshelf';

/** The paths of the programs. */
export type PostgresBinaries = { postgres: string; initdb: string };

type Cluster = {
  /** The directory of the cluster and of its password. */
  dir: string;
  cluster: string;
  /** The command prefix of userPrefix. */
  prefix: readonly string[];
  binaries: PostgresBinaries;
  report: (text: string) => void;
};

/**
 * Creates the cluster and the database at the first start, and returns the password. The cluster is made as
 * `cluster.unfinished`; only that is ever deleted. It gets its name last, after its password is stored.
 *
 * @throws StartError if a program of Postgres fails, or if the cluster is missing
 */
export async function prepareCluster(at: Cluster): Promise<string> {
  const passwordFile = path.join(at.dir, 'password');
  const unfinished = path.join(at.dir, 'cluster.unfinished');
  const kept = (await readIfThere(passwordFile))?.trim();
  if (await exists(at.cluster)) return kept || resetPassword(at, passwordFile);

  if (kept) {
    if (!(await exists(unfinished))) {
      throw new StartError(
        `The database ${at.cluster} is missing, but its password is there. Put it back, or remove ${passwordFile} to begin with an empty database.`,
      );
    }
    await rename(unfinished, at.cluster);
    return kept;
  }
  await rm(unfinished, { recursive: true, force: true });
  const password = await createCluster(at, unfinished);
  await writeDurably(passwordFile, password);
  await rename(unfinished, at.cluster);
  return password;
}

async function createCluster(at: Cluster, unfinished: string): Promise<string> {
  const password = newPassword();
  const givenPassword = path.join(at.dir, 'password.unfinished');
  await writeFile(givenPassword, password, { mode: 0o600 });
  if (at.prefix[0] === 'setpriv') await giveToNobody(at.dir);
  const args = ['--username', databaseUser, '--pwfile', givenPassword, '--auth', 'scram-sha-256'];
  const locale = ['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'];
  const options = [...args, '--encoding', 'UTF8', ...locale, '--no-instructions'];
  await run(at.prefix, at.binaries.initdb, [...options, '-D', unfinished], '');
  await runSql(at, unfinished, `create database ${databaseUser};`);
  await rm(givenPassword);
  return password;
}

/** A user who can read the cluster's files may set its password, so a lost one costs no data. */
async function resetPassword(at: Cluster, passwordFile: string): Promise<string> {
  const password = newPassword();
  // Postgres repeats a statement that fails in its output, which is shown.
  await runSql(at, at.cluster, `alter role ${databaseUser} password '${createScramVerifier(password)}';`);
  await writeDurably(passwordFile, password);
  at.report(`The password of the database was missing: ${at.cluster} has got a new password.`);
  return password;
}

const newPassword = () => randomBytes(24).toString('base64url');

/** Single-user mode needs neither a server nor a client nor a password. */
function runSql({ prefix, binaries }: Cluster, cluster: string, statement: string): Promise<void> {
  const args = ['--single', '-c', 'exit_on_error=on', '-D', cluster, 'postgres'];
  return run(prefix, binaries.postgres, args, `${statement}\n`);
}

async function run(
  prefix: readonly string[],
  binary: string,
  args: readonly string[],
  input: string,
): Promise<void> {
  const [command = binary, ...rest] = [...prefix, binary, ...args];
  const child = spawn(command, rest, { env: postgresEnv(), stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = Promise.withResolvers<number | null>();
  child.on('error', ended.reject);
  child.on('exit', ended.resolve);
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code, output, errors] = await Promise.all([ended.promise, text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new StartError(`${path.basename(binary)} failed:\n${output}${errors}`);
}

/** The operator's environment (PGDATA, PGPORT, a locale) must not change what runs here. */
export function postgresEnv(): Record<string, string | undefined> {
  return { PATH: process.env.PATH, LC_ALL: 'C' };
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
}
