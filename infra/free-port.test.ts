import { expect, test } from 'vitest';
import { freePort } from './free-port.ts';

test('a free port is below those that the system gives to connections', async () => {
  expect(await freePort()).toBeLessThan(32_768);
});

test('each call returns another port, also before its program listens', async () => {
  const ports = await Promise.all(Array.from({ length: 500 }, freePort));
  expect(new Set(ports).size).toBe(500);
});
