import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { Db } from '@draftshelf/core/connection/database';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import { testDraft } from '@draftshelf/shopify/testing/drafts';
import { expect, test } from 'vitest';
import type { PublishContext } from './publish-context.ts';
import { publishProduct } from './publish-product.ts';

const photo = { contentType: 'image/png', bytes: 4, read: () => Readable.from([Buffer.alloc(4)]) };
const image = { src: '/api/photos/7d9f6f0e-6c1b-4c55-9a5e-2f1f6a1d0a11' };

test('an upload of photos holds no turn, and ends when sending is stopped', async () => {
  const events: string[] = [];
  const stopping = new AbortController();
  // Takes the bytes and never answers.
  const staging = createServer((request) => {
    events.push('upload');
    request.resume();
    request.on('end', () => stopping.abort(new Error('stopped')));
    request.on('close', () => events.push('closed'));
  });
  await once(staging.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(staging.address() as AddressInfo).port}`;
  const target = { url, resourceUrl: url, parameters: [] };
  const client = {
    store: { url, apiVersion: '2026-10' },
    now: Date.now,
    request: async () => ({ stagedUploadsCreate: { stagedTargets: [target], userErrors: [] } }),
  } as unknown as ShopifyClient;
  const turn = {
    reserve: async () => undefined,
    unused: async () => {},
    answered: () => {},
    end: () => events.push('turn ends'),
  };
  const context: PublishContext = {
    db: {} as Db,
    session: {
      client,
      shop: 'mine.myshopify.com',
      locationId: null,
      collections: [],
      canRename: true,
      currency: 'CAD',
    },
    sender: { leaseMs: 100_000 },
    matchedAt: null,
    enter: async () => {
      events.push('turn begins');
      return turn;
    },
    read: async () => null,
    readStamp: async () => null,
    openPhoto: async () => photo,
    signal: stopping.signal,
    record: async () => {},
  };
  const product = { ...testDraft(), images: [image] };
  const none = { match: null, found: null, choices: new Map(), sendNonOverlapping: false };
  const toPublish = { ourId: 'id-1', source: null, idInStore: undefined, ...none };
  try {
    const publishing = publishProduct(context, { ...toPublish, built: { ok: true, product } });
    await expect(publishing).rejects.toThrow('stopped');
    expect(events.slice(0, 3)).toEqual(['turn begins', 'turn ends', 'upload']);
  } finally {
    staging.closeAllConnections();
    staging.close();
  }
});
