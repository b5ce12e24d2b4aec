import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { dirname } from 'node:path';

const binaries = '/usr/lib/postgresql/15/bin';

/** Interim: Debian's Postgres until infra/embedded-postgres.ts is there. */
export async function startInterimPostgres(options: { dir: string }) {
  const { dir } = options;
  mkdirSync(dir, { recursive: true });
  const uid = Number(execFileSync('id', ['-u', 'postgres']).toString());
  const gid = Number(execFileSync('id', ['-g', 'postgres']).toString());
  chownSync(dir, uid, gid);
  chmodSync(dirname(dir), 0o755);
  execFileSync(
    `${binaries}/initdb`,
    ['-D', `${dir}/data`, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-sync'],
    { uid, gid, cwd: '/' },
  );
  const port = await freePort();
  const child = spawn(
    `${binaries}/postgres`,
    [
      '-D',
      `${dir}/data`,
      '-p',
      String(port),
      '-h',
      '127.0.0.1',
      '-k',
      '',
      '-c',
      'fsync=off',
      '-c',
      'max_connections=200',
    ],
    { uid, gid, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ready = Promise.withResolvers<void>();
  child.stderr.on('data', (text: Buffer) => {
    if (text.includes('ready to accept connections')) ready.resolve();
  });
  child.on('exit', () => ready.reject(new Error('postgres ended')));
  await ready.promise;
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    stop: async () => {
      const ended = Promise.withResolvers<void>();
      child.removeAllListeners('exit');
      child.on('exit', () => ended.resolve());
      child.kill('SIGINT');
      await ended.promise;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const { port } = server.address() as AddressInfo;
  const closed = Promise.withResolvers<void>();
  server.close(() => closed.resolve());
  await closed.promise;
  return port;
}
