import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { closeServer, listenOn } from './http-listener.ts';

test('a server listens on a free port, a port that is taken is an error, and it closes with its connections', async () => {
  // It never answers, so a connection stays open.
  const server = createServer(() => {});
  const port = await listenOn(server, 0);
  await expect(listenOn(createServer(), port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const waiting = fetch(`http://127.0.0.1:${port}`).catch((error) => error);
  await new Promise((resolve) => server.once('request', resolve));
  await closeServer(server);
  expect(await waiting).toBeInstanceOf(Error);
  await closeServer(server);
  expect(server.listening).toBe(false);
});
