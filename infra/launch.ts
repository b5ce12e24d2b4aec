import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How to start a program so that it cannot outlive this process, even if this process is killed with -9. */
export type Launch = {
  command: string;
  args: readonly string[];
  /** It gets an IPC channel, reports over it that it is ready, and exits when the channel closes. */
  channel: boolean;
};

/**
 * V8's settings for the api and the workers. By default the young generation of a busy process grows to 64 MB before
 * it is collected. With two semi-spaces of 16 MB a busy worker takes 22 MB more than with 2 MB, and a twentieth less
 * processor time. The old generation grows to four times the used memory where the limit is gigabytes, and to 1.4
 * times with a limit of 512 MB, which is more than any of these programs needs. The api collects once when it has been
 * loaded.
 */
export const appNodeArgs: readonly string[] = [
  '--max-semi-space-size=16',
  '--max-old-space-size=512',
  '--expose-gc',
];

/**
 * Their environment. With the compile cache a process starts in two thirds of the time and with 5 MB less. One malloc
 * arena instead of one per thread, and returning buffers of 64 KiB (as sockets and COPY use them) to the system at
 * once, together save 20 MB.
 */
export const appNodeEnv = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../.cache/node', import.meta.url)),
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '65536',
};

/**
 * A program of this project. It exits when its channel closes (packages/runtime/src/shutdown.ts). Where the system
 * supports it, it is also killed, in case it no longer reacts.
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
 * A foreign program, which gets `signal` when this process ends; `prefix` is a command that execs it (unshare).
 * The signal must be requested after the user is changed, because that clears the request in the kernel.
 * Where the system has no such signal, die-with-parent-main.ts runs the program.
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

/** util-linux's setpriv supports it; macOS has none, and busybox's does not. */
function canBindToParent(): boolean {
  return process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0;
}
