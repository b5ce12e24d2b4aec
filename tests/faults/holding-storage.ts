import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ownPort } from '../support/own-port.ts';
import type { Hold } from './holds.ts';

/** A request of object storage: its method, and its key without the bucket. */
export type StorageStep = { method: 'GET' | 'PUT'; key: RegExp; when: 'before' | 'after' };

/** A proxy in front of object storage that keeps a request waiting, before it takes effect or when it has. */
export type HoldingStorage = {
  endpoint: string;
  /** Holds the next such request. */
  hold(step: StorageStep): Hold;
  close(): Promise<void>;
};

type Waiting = StorageStep & { isMet: boolean; released: Promise<void> };

/** Starts a proxy in front of the storage at `endpoint`. */
export async function startHoldingStorage(endpoint: string): Promise<HoldingStorage> {
  const target = new URL(endpoint);
  const port = await ownPort();
  const waiting = new Set<Waiting>();
  const forward = async (incoming: IncomingMessage, reply: ServerResponse) => {
    const { method = '', url = '', headers } = incoming;
    const body = await buffer(incoming);
    const key = decodeURIComponent(url.split('?', 1)[0] ?? '').replace(/^\/[^/]*\//, '');
    const held = [...waiting].find((step) => !step.isMet && step.method === method && step.key.test(key));
    const wait = async (when: StorageStep['when']) => {
      if (held?.when !== when) return;
      held.isMet = true;
      await held.released;
    };
    await wait('before');
    // Whoever was killed has not sent it.
    if (reply.destroyed) return;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const { hostname: host, port } = target;
      request({ host, port, method, path: url, headers }, resolve).on('error', reject).end(body);
    });
    const content = await buffer(answer);
    await wait('after');
    reply.writeHead(answer.statusCode ?? 502, answer.headers).end(content);
  };
  const server = createServer((incoming, reply) => {
    forward(incoming, reply).catch(() => reply.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${port}`,
    hold(step) {
      const { promise: released, resolve } = Promise.withResolvers<void>();
      const held: Waiting = { ...step, isMet: false, released };
      waiting.add(held);
      return {
        isWaiting: async () => held.isMet,
        async release() {
          waiting.delete(held);
          resolve();
        },
      };
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
