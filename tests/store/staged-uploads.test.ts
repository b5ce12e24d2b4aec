import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import { toCreateInput } from '@draftshelf/shopify/product/create-input';
import { ensureIdDefinition } from '@draftshelf/shopify/product-definitions';
import { readLiveProducts, setProduct } from '@draftshelf/shopify/products';
import { stagePhotos } from '@draftshelf/shopify/staged-uploads';
import { StoreRefused, StoreUnavailable } from '@draftshelf/shopify/store-errors';
import { testDraft, testVariant } from '@draftshelf/shopify/testing/drafts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { photoOf, pngHead } from './pictures.ts';
import { accessToken, startStore, type TestStore, testClient } from './start-store.ts';

let store: TestStore;
let client: ShopifyClient;
beforeAll(async () => {
  store = await startStore();
  client = testClient(store);
  await ensureIdDefinition(client);
});
afterAll(() => store.stop());
beforeEach(async () => {
  const headers = { 'x-shopify-access-token': accessToken };
  await fetch(`${store.url}/__faults`, { method: 'DELETE', headers });
});

/** One target of stagedUploadsCreate. */
async function targetOf(mimeType = 'image/png') {
  const input = [
    { filename: 'a vase.png', mimeType, resource: 'IMAGE' as const, httpMethod: 'PUT' as const },
  ];
  const { stagedTargets, userErrors } = (await client.request('stagedUploadsCreate', { input }))
    .stagedUploadsCreate;
  const [target] = stagedTargets ?? [];
  if (!target) throw new Error(userErrors[0]?.message);
  const parameters = Object.fromEntries(target.parameters.map(({ name, value }) => [name, value]));
  return { ...target, parameters };
}

const put = async (url: string, bytes: Buffer, headers: Record<string, string>) =>
  (await fetch(url, { method: 'PUT', body: new Uint8Array(bytes), headers })).status;

/** A product with these images, read after the store has processed them. */
async function productWith(sources: readonly string[]) {
  const draft = testDraft({ images: sources.map((src) => ({ src })) });
  const input = toCreateInput(draft, { externalId: randomUUID(), locationId: null, collectionIds: [] });
  const { id } = await setProduct(client, input);
  store.clock.pass(60_000);
  const live = (await readLiveProducts(client, [id])).get(id);
  if (!live) throw new Error('The product is gone');
  return live;
}

/** Stages photos and returns their addresses, in order. */
async function staged(photos: readonly ReturnType<typeof photoOf>[], of = client): Promise<string[]> {
  const named = new Map(photos.map((photo, index) => [`photo-${index}`, photo]));
  return [...(await stagePhotos(of, named)).values()];
}

/** Files that were uploaded since the call with this number. */
const filesFrom = async (from: number) => (await store.staged()).slice(from);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('a staged photo', () => {
  test('becomes an image that the store shows, from the same bytes', async () => {
    const from = (await store.staged()).length;
    const [vase, lamp] = [pngHead(800, 600), pngHead(30, 40)];
    const live = await productWith(await staged([photoOf(vase), photoOf(lamp)]));
    expect(live.media.map(({ state, errors }) => [state, errors])).toEqual([
      ['READY', []],
      ['READY', []],
    ]);
    expect(await filesFrom(from)).toMatchObject([
      { sha256: sha256(vase), bytes: vase.length, used: 1, mimeType: 'image/png', filename: 'photo-0.png' },
      { sha256: sha256(lamp), bytes: lamp.length, used: 1 },
    ]);
    const shown = await fetch(live.media[0]?.url ?? '');
    expect(shown.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(vase);
    const page = await fetch(`${store.url}/admin/products/${live.id.slice(live.id.lastIndexOf('/') + 1)}`);
    expect(await page.text()).toContain(`<img src="${new URL(live.media[0]?.url ?? '').pathname}"`);
  });

  test.each([
    ['nothing was uploaded', null, 'IMAGE_DOWNLOAD_FAILURE'],
    ['the bytes are no picture', Buffer.from('<html>a page</html>'), 'UNSUPPORTED_IMAGE_FILE_TYPE'],
    ['it has more than 25 megapixels', pngHead(20_000, 20_000), 'INVALID_IMAGE_RESOLUTION'],
  ])('fails if %s', async (_reason, bytes, code) => {
    const { url, resourceUrl, parameters } = await targetOf();
    if (bytes) expect(await put(url, bytes, parameters)).toBe(200);
    expect((await productWith([resourceUrl])).media).toMatchObject([{ state: 'FAILED', errors: [code] }]);
  });

  test('is refused without its parameters, twice, after its time, and with a wrong type', async () => {
    const bytes = pngHead(1, 1);
    const first = await targetOf();
    expect(await put(first.url, bytes, {})).toBe(403);
    expect(await put(first.url, bytes, { ...first.parameters, acl: 'public' })).toBe(403);
    expect(await put(first.resourceUrl, bytes, first.parameters)).toBe(403);
    expect(await put(first.url, bytes, first.parameters)).toBe(200);
    expect(await put(first.url, bytes, first.parameters)).toBe(403);
    const late = await targetOf();
    store.clock.pass(3_600_001);
    expect(await put(late.url, bytes, late.parameters)).toBe(403);
    expect(await put((await targetOf()).url, Buffer.alloc(20 * 1024 * 1024 + 1), first.parameters)).toBe(413);
    await expect(targetOf('application/zip')).rejects.toThrow('application/zip is not a recognized format');
  });
});

/** A server of its own that takes uploads at /staged, and a client whose store names that address. */
async function stagingServer(answer: RequestListener) {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const target = { url: `${url}/staged`, resourceUrl: url, parameters: [] };
  const of = {
    store: { url, apiVersion: '2026-10' },
    now: Date.now,
    request: async () => ({ stagedUploadsCreate: { stagedTargets: [target], userErrors: [] } }),
  } as unknown as ShopifyClient;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { client: of, close };
}

describe('an upload by our client', () => {
  test.each(['drop-before', 'drop-after'])('%s: is sent again to another address', async (kind) => {
    const from = (await store.staged()).length;
    await store.fault({ kind, operation: 'stagedUpload', times: 2 });
    const bytes = pngHead(5, 5);
    expect((await productWith(await staged([photoOf(bytes)]))).media).toMatchObject([{ state: 'READY' }]);
    expect((await filesFrom(from)).map(({ used }) => used)).toEqual([0, 0, 1]);
  });

  test('repeats only the photos that failed', async () => {
    const from = (await store.staged()).length;
    await store.fault({ kind: 'status', status: 503, operation: 'stagedUpload', every: 2 });
    expect(
      await staged([photoOf(pngHead(1, 1)), photoOf(pngHead(2, 2)), photoOf(pngHead(3, 3))]),
    ).toHaveLength(3);
    expect((await filesFrom(from)).map(({ bytes }) => bytes !== null)).toEqual([true, false, true, true]);
  });

  test('three failed tries are a store that is not available', async () => {
    await store.fault({ kind: 'status', status: 503, operation: 'stagedUpload', times: 3 });
    await expect(staged([photoOf(pngHead(1, 1))])).rejects.toMatchObject({
      name: 'StoreUnavailable',
      reason: 'server',
    });
    await store.fault({ kind: 'drop-before', operation: 'stagedUpload', times: 3 });
    await expect(staged([photoOf(pngHead(1, 1))])).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test('a refusal is not repeated', async () => {
    await store.fault({ kind: 'status', status: 400, operation: 'stagedUpload' });
    await expect(staged([photoOf(pngHead(1, 1))])).rejects.toMatchObject({
      name: 'StoreRefused',
      scope: 'request',
      hadNoEffect: true,
    });
  });

  test('an address that redirects is refused, and the other one is not asked', async () => {
    const paths: (string | undefined)[] = [];
    const server = await stagingServer((request, response) => {
      paths.push(request.url);
      request.resume();
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    try {
      const photos = new Map([['photo-1', photoOf(pngHead(1, 1))]]);
      await expect(stagePhotos(server.client, photos)).rejects.toMatchObject({
        name: 'StoreRefused',
        message: 'The store refused a photo (307).',
      });
      expect(paths).toEqual(['/staged']);
    } finally {
      server.close();
    }
  });

  test('a store that does not answer for a minute is not available', async () => {
    const limits: number[] = [];
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      limits.push(ms);
      return AbortSignal.abort(new DOMException('It took too long.', 'TimeoutError'));
    });
    const server = await stagingServer(() => {});
    try {
      const photos = new Map([['photo-1', photoOf(pngHead(1, 1))]]);
      await expect(stagePhotos(server.client, photos)).rejects.toMatchObject({
        name: 'StoreUnavailable',
        reason: 'network',
      });
      expect(limits).toEqual([60_000, 60_000, 60_000]);
    } finally {
      timeout.mockRestore();
      server.close();
    }
  });

  test('a photo that cannot be read is the reader’s error', async () => {
    const gone = new Error('object storage is away');
    const unread = () =>
      new Readable({
        read() {
          this.destroy(gone);
        },
      });
    await expect(staged([{ contentType: 'image/png', bytes: 10, read: unread }])).rejects.toBe(gone);
  });

  test('goes to public https addresses, or to the store itself', async () => {
    const answering = (url: string, storeUrl: string): ShopifyClient => ({
      ...client,
      store: { url: storeUrl, apiVersion: '2026-10' },
      request: async () =>
        ({
          stagedUploadsCreate: {
            stagedTargets: [{ url, resourceUrl: url, parameters: [] }],
            userErrors: [],
          },
        }) as never,
    });
    const asked: (string | undefined)[] = [];
    const inner = await stagingServer((request, response) => {
      asked.push(request.url);
      request.resume();
      response.end();
    });
    const { url, port } = { url: inner.client.store.url, port: new URL(inner.client.store.url).port };
    const photo = [photoOf(pngHead(1, 1))];
    try {
      for (const [address, storeUrl] of [
        ['http://storage.example/x', store.url],
        [url, 'https://a.myshopify.com'],
        // Another service of the store's own machine, or of the server's.
        [url, store.url],
        [`https://127.0.0.1:${port}/x`, 'https://a.myshopify.com'],
        [`https://localhost:${port}/x`, store.url],
        ['https://169.254.169.254/latest', 'https://a.myshopify.com'],
      ] as const) {
        await expect(staged(photo, answering(address, storeUrl)), address).rejects.toThrow(StoreRefused);
      }
      expect(asked).toEqual([]);
      expect(await staged(photo, inner.client)).toEqual([url]);
      expect(asked).toEqual(['/staged']);
    } finally {
      inner.close();
    }
  });
});

test('a variant has its weight, and keeps it in an update without one', async () => {
  const externalId = randomUUID();
  const options = { externalId, locationId: null, collectionIds: [] };
  const draft = testDraft({ variants: [testVariant({ weight: 2.5, weight_unit: 'lb' })] });
  const { id } = await setProduct(client, toCreateInput(draft, options));
  const stored = async () =>
    (await store.products()).find((one) => id.endsWith(`/${one.id}`))?.variants[0]?.weight;
  expect(await stored()).toEqual({ value: 2.5, unit: 'POUNDS' });
  await setProduct(client, toCreateInput(testDraft(), options));
  expect(await stored()).toEqual({ value: 2.5, unit: 'POUNDS' });
  const page = await fetch(`${store.url}/admin/products/${id.slice(id.lastIndexOf('/') + 1)}`);
  expect(await page.text()).toContain('2.5 pounds');
});
