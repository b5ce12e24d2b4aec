import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy in front of Postgres that can lose the answer to a statement that took effect. */
export type CuttingProxy = {
  /** The database's connection string, through the proxy. */
  url: string;
  /** The next `times` statements that contain `text` take effect, but their connection ends without an answer. */
  loseAnswersTo(text: string, times: number): void;
  /** Answers lost so far. */
  lost(): number;
  close(): Promise<void>;
};

/** Starts a proxy in front of the Postgres at `databaseUrl`. */
export async function startCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let wanted = { text: '', times: 0 };
  let lost = 0;
  const server: Server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let losing = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (piece) => {
      if (wanted.times > 0 && piece.includes(wanted.text)) {
        wanted.times -= 1;
        losing = true;
      }
      upstream.write(piece);
    });
    upstream.on('data', (piece) => {
      if (!losing) {
        client.write(piece);
        return;
      }
      lost += 1;
      client.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    loseAnswersTo(text, times) {
      wanted = { text, times };
    },
    lost: () => lost,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
