import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const skipped = /\/(?:dist|\.vite|infra\/node)$/;

const waitMsMax = 90_000;

/** A running `npm run dev`. */
export type DevProcess = {
  origin: string;
  /** Its environment, which npm run seed needs too. */
  env: { PORT: string; DATA_DIR: string; ACCESS_KEY: string };
  output(): string;
  /** Waits until `text` has been printed `times` times. */
  says(text: string, times?: number): Promise<void>;
  stop(): Promise<void>;
};

/** A copy of the sources that may be edited, with the installed packages of this repository. */
export async function copySources(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'draftshelf-dev-'));
  await mkdir(join(root, 'infra'));
  for (const name of ['apps', 'packages', 'infra', 'package.json', 'pnpm-workspace.yaml', 'tsconfig.json']) {
    const filter = (from: string) => !skipped.test(from);
    await cp(join(repository, name), join(root, name), { recursive: true, verbatimSymlinks: true, filter });
  }
  await symlink(join(repository, 'node_modules'), join(root, 'node_modules'));
  return root;
}

/** Starts dev mode on the sources below `root` with data of its own, and waits until it is ready. */
export async function startDev(
  root: string,
  { port, accessKey }: { port: number; accessKey: string },
): Promise<DevProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'draftshelf-dev-data-'));
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV$)/i.test(name));
  const env = { PORT: String(port), DATA_DIR: dataDir, ACCESS_KEY: accessKey };
  const child = spawn(process.execPath, [join(root, 'infra/start-main.ts'), '--dev'], {
    env: { ...Object.fromEntries(kept), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let output = '';
  const printed = new EventEmitter();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece) => {
      output += piece;
      printed.emit('more');
    });
  }
  const dev: DevProcess = {
    origin: `http://localhost:${port}`,
    env,
    output: () => output,
    async says(text, times = 1) {
      const signal = AbortSignal.timeout(waitMsMax);
      while (output.split(text).length <= times) {
        await once(printed, 'more', { signal }).catch(() => {
          throw new Error(`Not printed ${times} times: ${text}\n${output}`);
        });
      }
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  await dev.says(`ready ${dev.origin}`);
  return dev;
}
