import { createShopifyClient } from '@draftshelf/shopify/client';
import { expect, test } from 'vitest';
import { createStoreConnection } from './store-connection.ts';

test('a test that could not run is not cached, a result is', async () => {
  let databaseIsAway = true;
  let reserved = 0;
  const client = createShopifyClient(
    { url: 'http://127.0.0.1:9', apiVersion: '2026-10', credentials: { accessToken: 'none' } },
    {
      budget: {
        async reserve(points) {
          reserved += 1;
          if (databaseIsAway) throw new Error('Connection terminated');
          return { points };
        },
        async report() {},
      },
    },
  );
  const connection = createStoreConnection(client);
  await expect(connection.lastTest()).rejects.toThrow('Connection terminated');
  databaseIsAway = false;
  const answer = { ok: false, message: 'Couldn’t reach the store.' };
  expect(await connection.lastTest()).toEqual(answer);
  expect(await connection.lastTest()).toEqual(answer);
  expect(reserved).toBe(2);
});
