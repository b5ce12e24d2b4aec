import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { createGuard, isOwnOrigin } from './guard.ts';
import type { Sessions } from './session.ts';

test.each([
  [undefined, 'shop.example', 'https', true],
  ['https://shop.example', 'shop.example', 'https', true],
  ['http://127.0.0.1:3000', '127.0.0.1:3000', 'http', true],
  ['https://public.example', 'inner:3000', 'http', true],
  ['http://shop.example', 'shop.example', 'https', false],
  ['https://shop.example', 'shop.example', 'http', false],
  ['http://public.example', 'inner:3000', 'http', false],
  ['http://127.0.0.1:3001', '127.0.0.1:3000', 'http', false],
  ['https://shop.example.evil', 'shop.example', 'https', false],
  ['null', 'shop.example', 'https', false],
  ['', 'shop.example', 'https', false],
  ['file://', 'shop.example', 'https', false],
  ['https://shop.example', undefined, 'https', false],
])('origin %s, host %s, asked over %s', (origin, host, scheme, own) => {
  expect(isOwnOrigin({ origin, host }, { publicOrigin: 'https://public.example', scheme })).toBe(own);
});

test.each([
  [{ origin: 'http://192.168.1.5:3000', host: 'inner:3000' }, 'http://192.168.1.5:3000'],
  [{ host: '127.0.0.1:3000' }, 'http://127.0.0.1:3000'],
  [{ host: 'localhost:8080' }, 'http://localhost:8080'],
  [{ host: 'inner:3000' }, 'https://public.example'],
  [{ host: 'public.example' }, 'https://public.example'],
  [{}, 'https://public.example'],
])('a client with %j reaches the api at %s', (headers, origin) => {
  const guard = createGuard({} as Sessions, 'https://public.example', { countRefused: () => {} });
  expect(guard.originOf({ headers, protocol: 'http' } as FastifyRequest)).toBe(origin);
});
