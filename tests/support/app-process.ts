import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type AppName, appMains, appProgram } from '@draftshelf/infra/app-mains';
import { giveWay } from '@draftshelf/infra/give-way';
import { appNodeArgs, appNodeEnv } from '@draftshelf/infra/launch';

/** One of the product's processes. */
export type AppProcess = {
  name: string;
  pid: number;
  /** Its output so far, for the message of a failed test. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  isRunning(): boolean;
  /** Resolves with the exit code (or signal) when the process has ended. */
  ended: Promise<string>;
  /** Stops it in order and waits, if it runs; throws if it had to be killed. */
  stop(): Promise<void>;
};

const readyMsMax = 120_000;
const stopMsMax = 45_000;

/** The root of this repository, where the programs of this version are. */
export const ownRoot = new URL('../../', import.meta.url);

type Start = {
  /** Of the version that the app belongs to. */
  root?: URL | undefined;
  /** Whether the app is in a session of its own and a worker gives way to the others, as the supervisor does it. */
  asSupervised?: boolean;
};

/**
 * Starts an app with exactly this environment (and PATH) and waits until it reports that it is ready. Other versions
 * are not bundled.
 */
export function startApp(
  name: AppName,
  env: Record<string, string>,
  { root = ownRoot, ...start }: Start = {},
): Promise<AppProcess> {
  return startMain(name, new URL(root === ownRoot ? appProgram(name) : appMains[name], root), env, start);
}

/** Starts any main.ts of the repository that reports when it is ready. */
export async function startMain(
  name: string,
  main: URL,
  env: Record<string, string>,
  { asSupervised = false }: Pick<Start, 'asSupervised'> = {},
): Promise<AppProcess> {
  // Options of Node that a test sets come last, so that they win.
  const nodeArgs = [...appNodeArgs, ...(env.NODE_OPTIONS?.split(' ') ?? [])];
  const child = spawn(process.execPath, [...nodeArgs, fileURLToPath(main)], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...appNodeEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: asSupervised,
  });
  if (asSupervised && name.endsWith('-worker')) giveWay(child.pid);
  const output = collect(child);
  const ended = once(child, 'exit').then(([code, signal]) => String(signal ?? code));
  await Promise.race([
    once(child, 'message', { signal: AbortSignal.timeout(readyMsMax) }),
    ended.then((how) => {
      throw new Error(`${name} ended (${how}) before it was ready:\n${output()}`);
    }),
  ]).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    name,
    pid: child.pid ?? 0,
    output,
    ended,
    kill: (signal) => void child.kill(signal),
    isRunning,
    async stop() {
      if (!isRunning()) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMsMax);
      const how = await ended;
      clearTimeout(timer);
      if (how === 'SIGKILL') throw new Error(`${name} did not stop within ${stopMsMax} ms:\n${output()}`);
    },
  };
}

function collect(child: ChildProcess): () => string {
  let text = '';
  const add = (piece: Buffer) => {
    text = (text + piece.toString()).slice(-200_000);
  };
  child.stdout?.on('data', add);
  child.stderr?.on('data', add);
  return () => text;
}
