import { randomInt } from 'node:crypto';
import { isPortFree } from '@draftshelf/infra/free-port';

/** Below the ephemeral ports, and below those of `freePort`. */
const portMin = 12_000;
/** Each process that runs test files has its own range of ports. */
const portsPerWorker = 500;
const workersMax = 20;

let next = randomInt(portsPerWorker);

/**
 * A free loopback port for a program that is about to be started. Unlike a port chosen by the system, no server of
 * another test file can take it meanwhile.
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
