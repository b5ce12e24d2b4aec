import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { createShopifyClient } from '@draftshelf/shopify/client';
import type { OpenStore } from '@draftshelf/shopify/stores';
import { afterEach, expect, test, vi } from 'vitest';
import { createStoreConnection } from './store-connection.ts';

afterEach(() => vi.restoreAllMocks());

const unused = {} as OpenDatabase;

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
  const url = client.store.url;
  const store: OpenStore = { client, source: 'server', kind: 'token', url, savedAt: null };
  const connection = createStoreConnection(
    { current: async () => store, ofShop: async () => store, problem: async () => null },
    // A store that does not answer is not noted.
    { database: unused, changes: unused },
  );
  await expect(connection.lastTest()).rejects.toThrow('Connection terminated');
  databaseIsAway = false;
  const answer = { ok: false, state: 'network', message: 'Couldn’t reach the store.' };
  expect(await connection.lastTest()).toMatchObject(answer);
  expect(await connection.lastTest()).toMatchObject(answer);
  expect(reserved).toBe(2);
  // A store that was away is soon asked again.
  const later = performance.now() + 6_000;
  vi.spyOn(performance, 'now').mockReturnValue(later);
  expect(await connection.lastTest()).toMatchObject(answer);
  expect(reserved).toBe(3);
});
