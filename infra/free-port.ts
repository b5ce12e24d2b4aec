import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports (from 32768 on Linux, from 49152 elsewhere): the system gives one of those to any
 * connection, also between this choice and the start of the program that listens.
 */
const portMin = 22_000;
const ports = 10_000;

/** Ports that this process has chosen: their programs may not listen yet. */
const chosen = new Set<number>();

/** A port of the loopback address on which a program can listen. Each call returns another one. */
export async function freePort(): Promise<number> {
  const first = randomInt(ports);
  for (let tried = 0; tried < ports; tried += 1) {
    const port = portMin + ((first + tried) % ports);
    if (chosen.has(port)) continue;
    chosen.add(port);
    if (await isPortFree('127.0.0.1', port)) return port;
  }
  throw new Error(`No port from ${portMin} to ${portMin + ports - 1} is free.`);
}

/** Whether a server could listen there now. Throws if it cannot for another reason than a taken port. */
export async function isPortFree(host: string, port: number): Promise<boolean> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') resolve(false);
    else reject(error);
  });
  server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  return promise;
}
