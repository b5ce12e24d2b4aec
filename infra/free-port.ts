import { type AddressInfo, createServer } from 'node:net';

/** A port of the loopback address that was free a moment ago. */
export async function freePort(): Promise<number> {
  const port = await listenOnce('127.0.0.1', 0);
  if (port === undefined) throw new Error('The system has no free port left.');
  return port;
}

/** Whether a server could listen there now. Throws if it cannot for another reason than a taken port. */
export async function isPortFree(host: string, port: number): Promise<boolean> {
  return (await listenOnce(host, port)) !== undefined;
}

async function listenOnce(host: string, port: number): Promise<number | undefined> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') resolve(undefined);
    else reject(error);
  });
  server.listen({ host, port, exclusive: true }, () => {
    const { port: taken } = server.address() as AddressInfo;
    server.close(() => resolve(taken));
  });
  return promise;
}
