import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { until } from './fixture.ts';
import { ownPort } from './own-port.ts';

export type QueueBackend = 'postgres' | 'redis';

/** The long form runs every scenario on every backend. */
export const isLong = process.env.TEST_LONG === '1';

/** The Redis server of this machine, or undefined where it has none. */
const redisServer = ['redis-server', 'valkey-server'].find(
  (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
);

/** The queue backends that can be tested here; prints it if Redis is not one of them. */
export function queueBackends(): QueueBackend[] {
  if (redisServer) return ['postgres', 'redis'];
  console.warn('NOT TESTED: the Redis backend (neither redis-server nor valkey-server is on the PATH)');
  return ['postgres'];
}

/**
 * The backends for scenarios that depend on the backend only through BullMQ: one in `npm test`, all in
 * `npm run test:long`.
 */
export function scenarioBackends(): QueueBackend[] {
  if (isLong) return queueBackends();
  console.log('Not on Redis; npm run test:long runs both backends');
  return ['postgres'];
}

export type RunningRedis = {
  url: string;
  flush(): Promise<number>;
  /** Ends it with a signal and waits; `start` restarts it with the same file and port. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Freezes or continues it. */
  kill(signal: 'SIGSTOP' | 'SIGCONT'): void;
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a separate Redis with the recommended settings: append-only file, no eviction. */
export async function startRedis(): Promise<RunningRedis> {
  if (!redisServer) throw new Error('This machine has no Redis server');
  const dir = await mkdtemp(join(tmpdir(), 'draftshelf-redis-'));
  const port = await ownPort();
  const at = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir];
  const kept = ['--appendonly', 'yes', '--maxmemory-policy', 'noeviction'];
  let child: ChildProcess;
  let ended: Promise<unknown>;
  const start = async (server: string) => {
    child = spawn(server, [...at, ...kept], { stdio: 'ignore' });
    ended = once(child, 'exit');
    await until('Redis answers', async () => (await client.ping().catch(() => '')) === 'PONG');
  };
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 50 });
  client.on('error', () => {}); // it needs a moment to start
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  await start(redisServer);
  return {
    url: `redis://127.0.0.1:${port}`,
    async flush() {
      const keys = await client.dbsize();
      await client.flushall();
      return keys;
    },
    end,
    kill: (signal) => void child.kill(signal),
    start: () => start(redisServer),
    async stop() {
      client.disconnect();
      await end('SIGTERM');
      await rm(dir, { recursive: true, force: true });
    },
  };
}
