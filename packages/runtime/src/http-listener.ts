import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Has a server listen, and returns its port, which the system chooses for 0. Throws if the port is taken. */
export function listenOn(server: Server, port: number, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Closes a server with its connections. Nothing happens if it does not listen. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
