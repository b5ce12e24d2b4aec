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
  const served = await serveMetrics({ scrape } as Metrics, { port: 0, host: '127.0.0.1', logger });
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
