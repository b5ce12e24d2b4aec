import { createShopifyClient } from '@draftshelf/shopify/client';
import { expect, test } from 'vitest';
import { createStoreConnection } from './store-connection.ts';

test('a test that could not be made is forgotten, an answer is kept', async () => {
  let databaseIsAway = true;
  let asked = 0;
  const client = createShopifyClient(
    { url: 'http://127.0.0.1:9', apiVersion: '2026-10', credentials: { accessToken: 'none' } },
    {
      budget: {
        async reserve(points) {
          asked += 1;
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
  const answer = { ok: false, message: 'The store could not be reached.' };
  expect(await connection.lastTest()).toEqual(answer);
  expect(await connection.lastTest()).toEqual(answer);
  expect(asked).toBe(2);
});
