import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createShopifyClient, type ShopifyClient } from '@draftshelf/shopify/client';
import { toCreateInput } from '@draftshelf/shopify/product/create-input';
import { ensureIdDefinition } from '@draftshelf/shopify/product-definitions';
import { findOurProduct, setProduct } from '@draftshelf/shopify/products';
import { stagePhotos } from '@draftshelf/shopify/staged-uploads';
import { testDraft } from '@draftshelf/shopify/testing/drafts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownPort } from '../support/own-port.ts';
import { photoOf, pngHead } from './pictures.ts';
import { apiVersion } from './start-store.ts';

const main = new URL('../../apps/simulators/store/src/main.ts', import.meta.url).pathname;
const accessToken = 'shpat_test';

let dataDir: string;
let port: number;
let child: ChildProcess;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'store-'));
  port = await ownPort();
});
afterEach(async () => {
  child.kill('SIGKILL');
  await rm(dataDir, { recursive: true });
});

/** Starts the store in its own process and waits until it reports that it is ready. */
async function start(): Promise<ShopifyClient> {
  child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: dataDir,
      ACCESS_TOKEN: accessToken,
      PLAN: 'enterprise',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return createShopifyClient(
    { url: `http://127.0.0.1:${port}`, apiVersion, credentials: { accessToken } },
    { budget: { reserve: async (points) => ({ points }), report: async () => {} } },
  );
}

async function kill(): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test.runIf(process.env.TEST_LONG === '1')(
  'acknowledged changes survive kill -9 in the middle of work',
  async () => {
    const client = await start();
    await ensureIdDefinition(client);
    const acknowledged = new Map<string, string>();
    const enough = Promise.withResolvers<void>();
    const push = async (lane: number) => {
      for (let n = 0; ; n += 1) {
        const externalId = `${lane}-${n}`;
        const draft = testDraft({ title: `Lamp ${externalId}` });
        const { id } = await setProduct(
          client,
          toCreateInput(draft, { externalId, locationId: null, collectionIds: [] }),
        );
        acknowledged.set(externalId, id);
        if (acknowledged.size === 300) enough.resolve();
      }
    };
    const lanes = [0, 1, 2, 3, 4, 5, 6, 7].map((lane) => push(lane).catch(() => 'cut off'));
    await enough.promise;
    await kill();
    expect(await Promise.all(lanes)).toEqual(Array(8).fill('cut off'));
    console.log(`killed after ${acknowledged.size} acknowledged products`);

    const again = await start();
    for (const [externalId, id] of acknowledged) {
      expect((await findOurProduct(again, externalId))?.id).toBe(id);
    }
    const { id } = await setProduct(
      again,
      toCreateInput(testDraft(), { externalId: 'new', locationId: null, collectionIds: [] }),
    );
    expect([...acknowledged.values()]).not.toContain(id);
  },
);

test('after a stop and a start the pages are the same', async () => {
  const client = await start();
  await ensureIdDefinition(client);
  const photos = new Map([['photo', photoOf(pngHead(8, 8))]]);
  const [src = ''] = (await stagePhotos(client, photos)).values();
  const draft = testDraft({ title: 'Lamp <b>&', images: [{ src }] });
  const { id } = await setProduct(
    client,
    toCreateInput(draft, { externalId: 'a', locationId: null, collectionIds: [] }),
  );
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
  await start();
  const page = async (path: string) => await fetch(`http://127.0.0.1:${port}${path}`);
  const number = id.slice(id.lastIndexOf('/') + 1);
  const product = await page(`/admin/products/${number}`);
  expect(product.status).toBe(200);
  expect(await product.text()).toContain('Lamp &lt;b&gt;&amp;');
  expect(await (await page('/admin')).text()).toContain(`/admin/products/${number}`);
  expect((await page('/admin/products/1')).status).toBe(404);
  const [, token] = /staged-uploads\/(\w+)\//.exec(src) ?? [];
  expect(Buffer.from(await (await page(`/files/${token}`)).arrayBuffer())).toEqual(pngHead(8, 8));
});
