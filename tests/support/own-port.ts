import { randomInt } from 'node:crypto';
import { isPortFree } from '@draftshelf/infra/free-port';

/** Below the ports that systems give to whoever asks for any (from 32768 on Linux, from 49152 elsewhere). */
const portMin = 12_000;
/** Each of the processes that run test files has ports of its own. */
const portsPerWorker = 500;
const workersMax = 40;

let next = randomInt(portsPerWorker);

/**
 * A free port of the loopback address for a program that is about to be started. Unlike one that was just given by the
 * system, it goes to none of the servers of other test files meanwhile.
 */
export async function ownPort(): Promise<number> {
  const worker = Number(process.env.VITEST_POOL_ID ?? 0) % workersMax;
  for (let tried = 0; tried < portsPerWorker; tried += 1) {
    next = (next + 1) % portsPerWorker;
    const port = portMin + worker * portsPerWorker + next;
    if (await isPortFree('127.0.0.1', port)) return port;
  }
  throw new Error('All ports of this worker are taken');
}
