import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How to start a program so that it cannot outlive this process, even if this process is killed with -9. */
export type Launch = {
  command: string;
  args: readonly string[];
  /** It gets an IPC channel: it says over it that it is ready, and ends when it closes. */
  channel: boolean;
};

/**
 * How Node runs the api and the workers. V8 lets the garbage of a busy process grow to 64 MB before it looks at it; with
 * 4 MB (two halves of 2) it looks more often, which costs a busy worker a tenth more processor and an idle one nothing.
 * Of what it keeps longer it lets four times as much become garbage as is in use, where it may have gigabytes; where it
 * may have 512 MB, which is more than any of them needs, 1.4 times as much.
 */
export const appNodeArgs: readonly string[] = ['--max-semi-space-size=2', '--max-old-space-size=512'];

/**
 * And in which environment. What was compiled once is loaded: a process starts in two thirds of the time, and need not
 * hold the 17 MB of the program that strips types. One pool of glibc instead of one per thread, and buffers of 64 KiB,
 * as sockets and COPY use them, go back to the system at once: together 20 MB less.
 */
export const appNodeEnv = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../.cache/node', import.meta.url)),
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '65536',
};

/**
 * A program of this project. It ends by itself when its channel closes (packages/runtime/shutdown.ts); where the
 * system can, it is killed too, in case it cannot listen any more.
 */
export function launchNode(
  script: string,
  scriptArgs: readonly string[] = [],
  nodeArgs: readonly string[] = [],
): Launch {
  const args = [...nodeArgs, script, ...scriptArgs];
  if (!canBindToParent()) return { command: process.execPath, args, channel: true };
  return {
    command: 'setpriv',
    args: ['--pdeathsig', 'KILL', '--', process.execPath, ...args],
    channel: true,
  };
}

/**
 * A foreign program, which gets `signal` when this process ends; `prefix` is a command that becomes it (unshare).
 * The request for the signal must come after whatever changes the user: the kernel forgets it there.
 * Where the system has no such signal, die-with-parent-main.ts stands between.
 */
export function launchBinary(
  prefix: readonly string[],
  command: string,
  args: readonly string[],
  signal: 'SIGINT' | 'SIGTERM',
): Launch {
  if (canBindToParent()) {
    const bound = ['setpriv', '--pdeathsig', signal.slice('SIG'.length), '--', command, ...args];
    const [first = 'setpriv', ...rest] = [...prefix, ...bound];
    return { command: first, args: rest, channel: false };
  }
  const keeper = fileURLToPath(import.meta.resolve('./die-with-parent-main.ts'));
  return { command: process.execPath, args: [keeper, signal, ...prefix, command, ...args], channel: true };
}

/** util-linux's setpriv can; macOS has none, and busybox's cannot. */
function canBindToParent(): boolean {
  return process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0;
}
