import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A reverse proxy that hands each request to the next of its servers. */
export type RoundRobin = {
  url: string;
  /** The origins of the servers; set before the first request. */
  servers: string[];
  /** Requests that each server has answered. */
  answered: Map<string, number>;
  close(): Promise<void>;
};

/**
 * Starts a proxy without sticky sessions. Like common proxies it asks the next server if one cannot be reached or has
 * closed a kept connection, and, for requests that may be repeated, if one ends without an answer.
 */
export async function startRoundRobin(): Promise<RoundRobin> {
  const servers: string[] = [];
  const answered = new Map<string, number>();
  // Connections are kept, as those of a proxy are: some are cut when a server is killed.
  const agent = new http.Agent({ keepAlive: true });
  let next = 0;

  type Passed = { request: http.IncomingMessage; body: Buffer; reply: http.ServerResponse };

  function pass({ request, body, reply }: Passed, triesLeft: number): void {
    const server = servers[next++ % servers.length] ?? '';
    const { method, url = '/' } = request;
    const headers = { ...request.headers, 'x-forwarded-for': request.socket.remoteAddress ?? '' };
    const sent = http.request(new URL(url, server), { method, agent, headers });
    sent.on('response', (answer) => {
      answered.set(server, (answered.get(server) ?? 0) + 1);
      reply.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(reply);
      answer.on('error', () => reply.destroy());
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isUnsent = error.code === 'ECONNREFUSED' || sent.reusedSocket;
      const isRepeatable = isUnsent || method === 'GET' || method === 'HEAD';
      if (reply.headersSent || reply.destroyed) reply.destroy();
      else if (triesLeft > 0 && isRepeatable) pass({ request, body, reply }, triesLeft - 1);
      else reply.writeHead(502).end();
    });
    reply.on('close', () => sent.destroy());
    sent.end(body);
  }

  const proxy = http.createServer(async (request, reply) => {
    pass({ request, body: await buffer(request), reply }, servers.length);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    servers,
    answered,
    async close() {
      const closed = new Promise<void>((resolve) => proxy.close(() => resolve()));
      proxy.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}
