import { expect, test } from 'vitest';
import { describeStore, findStoreName, type ShownConnection } from './connections.ts';

const connected = (isDemo: boolean): ShownConnection[] => [
  {
    ...{ id: 'shopify', service: 'shopify', status: 'connected' },
    details: {
      shopDomain: isDemo ? '127.0.0.1:43163' : 'lumora.myshopify.com',
      credentials: {
        ...{ source: 'saved', kind: 'token', storeUrl: null, savedAt: null, lockedBecause: null, isDemo },
      },
    },
  },
];

test.each([
  [connected(false), 'lumora.myshopify.com', 'lumora.myshopify.com'],
  [connected(true), 'Demo store', 'the demo store'],
  [[], null, 'your store'],
  [undefined, null, 'your store'],
])('the store has one name on all screens', (connections, name, inSentence) => {
  expect([findStoreName(connections), describeStore(connections)]).toEqual([name, inSentence]);
});
