import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** A lock on a file that processes of other containers see too. It ends with this process, however that ends. */
export type KernelLock = { release(): void };

/**
 * Takes the lock of a file if nobody holds it. Node has no call for it, so a child holds it until its input closes.
 * `unknown`: the system has no flock, such as macOS.
 */
export async function tryKernelLock(file: string): Promise<KernelLock | 'held' | 'unknown'> {
  const child = spawn('flock', ['--nonblock', '--no-fork', '--conflict-exit-code', '99', file, 'cat'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const code = await firstSign(child);
  if (code === 'locked') {
    child.unref();
    for (const end of [child.stdin, child.stdout]) (end as unknown as Socket | null)?.unref();
    return { release: () => void child.stdin?.end() };
  }
  return code === 99 ? 'held' : 'unknown';
}

/** `locked`, or how the child has ended. */
function firstSign(child: ChildProcess): Promise<'locked' | number | null> {
  return new Promise((resolve) => {
    child.on('error', () => resolve(null));
    child.on('close', resolve);
    child.stdout?.once('data', () => resolve('locked'));
    child.stdin?.on('error', () => {});
    child.stdin?.write('.');
  });
}
