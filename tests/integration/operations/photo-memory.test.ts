import { randomUUID } from 'node:crypto';
import { photoBytesMax } from '@draftshelf/domain/scanner/pictures/photo-limits';
import { jpegOf, jpegParts } from '@draftshelf/domain/testing/sample-pictures';
import { describe, expect } from 'vitest';
import { accessToken, startStore } from '../../store/start-store.ts';
import { browserOf } from '../../support/api-client.ts';
import { type ApiProcess, startApiProcess } from '../../support/api-process.ts';
import { putPhoto } from '../../support/put-photo.ts';
import { scanned, scannerSteps } from '../../support/scanner-steps.ts';
import { test as base } from '../../support/test.ts';

const mega = 1024 * 1024;
/** The limit: five photos of 10 MB grow the api by less than this over idle. */
const growthBytesMax = 64 * mega;
const inMega = (bytes: number) => Math.round(bytes / mega);
const rounds = 3;
const photosPerProduct = 5;

/** A JPEG of 10 MB. `seed`: of its coded data. */
function largePhoto(seed: number): Uint8Array<ArrayBuffer> {
  const head = jpegOf(jpegParts());
  const photo = new Uint8Array(photoBytesMax);
  let state = seed;
  for (let at = 0; at < photo.length; at += 1) {
    state = (state * 48_271) % 2_147_483_647;
    photo[at] = state % 255;
  }
  photo.set(head.subarray(0, -2));
  photo.set(head.subarray(-2), photo.length - 2);
  return photo;
}

const test = base.extend('process', async ({ fixture }, { onCleanup }) => {
  const process = await startApiProcess(fixture, { NODE_OPTIONS: '--max-old-space-size=128' });
  onCleanup(() => process.stop());
  return process;
});

/** The most by which the api grows while `work` runs, over its size before. */
async function growthOf(process: ApiProcess, work: () => Promise<void>): Promise<number> {
  const idle = await process.residentBytes();
  await process.forgetPeak();
  await work();
  return (await process.peakBytes()) - idle;
}

type Client = ReturnType<typeof browserOf>;

async function put(client: Client, seed: number): Promise<string> {
  const { body } = await client.call('POST', '/api/objects/upload');
  const { uploadURL } = body as { uploadURL: string };
  expect((await putPhoto(uploadURL, largePhoto(seed))).status).toBe(200);
  return uploadURL;
}

const ways: Record<string, (client: Client, seed: number) => Promise<string>> = {
  PUT: put,
  'data URL': async (_client, seed) =>
    `data:image/jpeg;base64,${Buffer.from(largePhoto(seed)).toString('base64')}`,
};

/** Saves a product with photos that no other round has. */
async function saveOne(client: Client, round: number, send: (typeof ways)[string]): Promise<string> {
  const photos: string[] = [];
  for (let n = 0; n < photosPerProduct; n += 1) {
    photos.push(await send(client, 1 + round * photosPerProduct + n));
  }
  const id = randomUUID();
  const reply = await scannerSteps(() => client).save({ id, ...scanned(`Vase ${round}`, { photos }) });
  expect(reply).toMatchObject({ status: 201, body: { photos: { length: photosPerProduct } } });
  return id;
}

describe.skipIf(globalThis.process.platform !== 'linux')('five photos of 10 MB', () => {
  test.for(Object.entries(ways))(
    'sent by %s do not grow the api with the photos',
    async ([way, send], { process }) => {
      const client = browserOf(process.url);
      await client.login();
      const atStart = await process.residentBytes();
      await saveOne(client, 0, send);
      console.log(`${way}: ${inMega(atStart)} MB at start, ${inMega(await process.residentBytes())} MB idle`);
      for (let round = 1; round <= rounds; round += 1) {
        const growth = await growthOf(process, async () => void (await saveOne(client, round, send)));
        console.log(`${way}, round ${round}: +${inMega(growth)} MB`);
        expect(growth).toBeLessThan(growthBytesMax);
      }
    },
  );

  test('uploaded to the store do not grow the api with the photos', async ({ fixture }) => {
    const store = await startStore({ plan: 'enterprise' });
    const process = await startApiProcess(fixture, {
      NODE_OPTIONS: '--max-old-space-size=128',
      SHOPIFY_STORE_URL: store.url,
      SHOPIFY_ACCESS_TOKEN: accessToken,
    });
    try {
      const client = browserOf(process.url);
      await client.login();
      const sync = async (id: string) =>
        expect(await scannerSteps(() => client).sync(id)).toMatchObject({ status: 200 });
      await sync(await saveOne(client, 0, put));
      for (let round = 1; round <= rounds; round += 1) {
        const id = await saveOne(client, round, put);
        const growth = await growthOf(process, () => sync(id));
        console.log(`sync, round ${round}: +${inMega(growth)} MB`);
        expect(growth).toBeLessThan(growthBytesMax);
      }
      const media = (await store.products()).flatMap((product) => product.media);
      expect(media.map(({ failure }) => failure)).toEqual(
        Array.from({ length: (rounds + 1) * photosPerProduct }, () => undefined),
      );
    } finally {
      await process.stop();
      await store.stop();
    }
  });
});
