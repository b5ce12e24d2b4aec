import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Logger } from './logger.ts';
import { type Metrics, serveMetrics } from './metrics.ts';

test('scrapes that come together are one', async () => {
  const scraped = Promise.withResolvers<string>();
  let scrapes = 0;
  const scrape = () => {
    scrapes += 1;
    return scraped.promise;
  };
  const port = Promise.withResolvers<number>();
  const logger = { info: (fields: { port: number }) => port.resolve(fields.port) } as unknown as Logger;
  const served = await serveMetrics({ scrape, observeProcess() {} } as Partial<Metrics> as Metrics, {
    ...{ port: 0, host: '127.0.0.1', checks: [], logger },
  });
  onTestFinished(() => served.close());
  const socket = net.connect(await port.promise, '127.0.0.1');
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
  // They arrive in one piece, and are begun before the first is answered.
  socket.write(get('/healthz') + get('/metrics').repeat(30));
  let text = '';
  for await (const piece of socket) {
    text += piece;
    if (text.includes('ok')) scraped.resolve('all of it');
    if (text.split('all of it').length > 30) break;
  }
  expect(scrapes).toBe(1);
});

test('a process is alive while what it needs does not answer, and ready when it does', async () => {
  const port = Promise.withResolvers<number>();
  const logger = { info: (fields: { port: number }) => port.resolve(fields.port) } as unknown as Logger;
  let ask = (): Promise<unknown> => new Promise(() => {});
  const served = await serveMetrics({ observeProcess() {} } as Partial<Metrics> as Metrics, {
    ...{ port: 0, host: '127.0.0.1', logger },
    checks: [{ asked: 'The database', ask: () => ask() }],
  });
  onTestFinished(() => served.close());
  const address = `http://127.0.0.1:${await port.promise}`;
  const statusOf = async (path: string) => (await fetch(address + path)).status;
  // It hangs, as when its server is frozen.
  const asked = statusOf('/readyz');
  expect(await statusOf('/healthz')).toBe(200);
  expect(await asked).toBe(503);
  ask = () => Promise.reject(new Error('refused'));
  expect(await Promise.all(['/readyz', '/healthz'].map(statusOf))).toEqual([503, 200]);
  ask = () => Promise.resolve();
  expect(await statusOf('/readyz')).toBe(200);
});
