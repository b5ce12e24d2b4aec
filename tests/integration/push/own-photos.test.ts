import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { photoAddress, photoKey } from '@draftshelf/domain/base/photo-address';
import { putStream } from '@draftshelf/object-storage/put-stream';
import { afterEach, expect } from 'vitest';
import { pngHead } from '../../store/pictures.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { memoryOf } from '../../support/process-memory.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import type { StoredProduct } from '../../support/stack.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(pushers);
const { reach, push, retry, edit, importOf, calls, productsNamed, outcomes } = pushSteps(() => stack);

afterEach(() => stack.store.clearFaults());

const weighedCsv = (...titles: string[]) =>
  csvOf([
    ['Title', 'Price', 'SKU', 'Weight', 'Weight unit'],
    ...titles.map((title) => [title, '10', `P-${title}`, '2.5', 'lbs']),
  ]);

let photos = 0;
/** Stores a photo as the api does, of a width that no other photo has. Returns its address. */
async function storedPhoto(id: string = randomUUID(), moreBytes = 0): Promise<string> {
  photos += 1;
  const bytes = Readable.from([pngHead(photos, 10), Buffer.alloc(moreBytes)]);
  await putStream(stack.storage, photoKey(id), bytes, { contentType: 'image/png' });
  return photoAddress(id);
}

type Shown = StoredProduct & {
  variants: { weight?: { value: number; unit: string } }[];
};
const stored = async (start: string) => (await productsNamed(start)) as Shown[];
const uploads = async () => (await stack.store.stats()).requests.stagedUpload ?? 0;

/** How many images of products the photos have become, by photo. */
const usesFrom = async (from: number) => (await stack.store.staged()).slice(from).map(({ used }) => used);

it('uploads photos when they are sent, each once, and keeps our addresses in the draft', async () => {
  const { id } = await importOf(weighedCsv('Pictured'), '11'.repeat(32));
  const from = (await stack.store.staged()).length;
  const [first, second, third] = [await storedPhoto(), await storedPhoto(), await storedPhoto()];
  const more = `${second}\nhttps://images.example/web.jpg`;
  await edit(id, 1, { image: first, moreImages: more, dimensions: '10×5×3 in' });
  await push(id);
  await reach(id, 'completed');
  const [created] = await stored('Pictured');
  expect(created?.media.map(({ originalSource, alt, failure }) => [originalSource, alt, failure])).toEqual([
    [expect.stringContaining('/staged-uploads/'), 'Pictured', undefined],
    [expect.stringContaining('/staged-uploads/'), 'Pictured', undefined],
    ['https://images.example/web.jpg', null, undefined],
  ]);
  expect(created?.variants).toMatchObject([{ weight: { value: 2.5, unit: 'POUNDS' } }]);
  expect(created?.metafields).toContainEqual(
    expect.objectContaining({ namespace: 'scd', key: 'dimensions', value: '10×5×3 in' }),
  );
  expect(await usesFrom(from)).toEqual([1, 1]);
  const { rows } = await stack.database.pool.query(
    `select sent from listings where sent->>'title' = 'Pictured'`,
  );
  expect(rows[0].sent.images).toMatchObject([{ src: first }, { src: second }, {}]);

  const [uploaded, sent] = [await uploads(), await calls()];
  await push(id);
  expect(await reach(id, 'completed')).toMatchObject({ unchanged: 1 });
  expect([await uploads(), await calls()]).toEqual([uploaded, sent]);

  await edit(id, 1, { moreImages: `${more}\n${third}` });
  await push(id);
  expect(await reach(id, 'completed')).toMatchObject({ updated: 1 });
  expect(await uploads()).toBe(uploaded + 1);
  expect(await usesFrom(from)).toEqual([1, 1, 1]);
  expect((await stored('Pictured'))[0]?.media).toHaveLength(4);
});

it('a listing of the version before, which sent no weight, is unchanged', async () => {
  const { id } = await importOf(weighedCsv('Former'), '22'.repeat(32));
  await push(id);
  await reach(id, 'completed');
  await stack.database.pool.query(
    `update listings set sent_hash = 'of the version before',
       sent = jsonb_set(sent::jsonb, '{variants,0}', (sent::jsonb #> '{variants,0}') - '{weight,weight_unit}'::text[])::json
     where sent->>'title' = 'Former'`,
  );
  const sent = await calls();
  await push(id);
  expect(await reach(id, 'completed')).toMatchObject({ unchanged: 1, updated: 0 });
  expect(await calls()).toBe(sent);
});

it('a photo that is gone is named, and sent once it is there', async () => {
  const { id } = await importOf(weighedCsv('Gone'), '33'.repeat(32));
  const missing = randomUUID();
  await edit(id, 1, { image: `/api/photos/${missing}` });
  await push(id);
  await reach(id, 'failed');
  expect(await outcomes(id)).toMatchObject([
    {
      outcome: 'failed',
      message: 'A photo of this product is gone. Remove it from the product or add it again.',
    },
  ]);
  expect(await stored('Gone')).toEqual([]);
  await storedPhoto(missing);
  await retry(id);
  expect(await reach(id, 'completed')).toMatchObject({ created: 1 });
  expect((await stored('Gone'))[0]?.media).toHaveLength(1);
});

const mega = 1024 * 1024;

it.runIf(isLong && process.platform === 'linux')(
  'streams photos: five of 10 MB grow the push worker by less',
  async () => {
    const { id } = await importOf(weighedCsv('Small', 'Large'), '55'.repeat(32));
    await edit(id, 1, { image: await storedPhoto() });
    await push(id);
    await reach(id, 'completed');
    const large = await Promise.all(
      Array.from({ length: 5 }, () => storedPhoto(randomUUID(), 10 * mega - 33)),
    );
    await edit(id, 2, { image: large[0], moreImages: large.slice(1).join('\n') });
    const memory = memoryOf(stack.process('push-worker').pid);
    const idle = await memory.residentBytes();
    await memory.forgetPeak();
    await push(id);
    expect(await reach(id, 'completed')).toMatchObject({ updated: 1, unchanged: 1 });
    const growth = (await memory.peakBytes()) - idle;
    console.log(`idle ${Math.round(idle / mega)} MB, grown at most by ${Math.round(growth / mega)} MB`);
    expect((await stored('Large'))[0]?.media).toHaveLength(5);
    expect(growth).toBeLessThan(64 * mega);
  },
);

it.runIf(isLong)(
  'is exact after kills -9 of the push worker between uploads and productSet, and after lost answers',
  async () => {
    const titles = ['Kill 1', 'Kill 2', 'Kill 3'];
    const { id } = await importOf(weighedCsv(...titles), '44'.repeat(32));
    const from = (await stack.store.staged()).length;
    for (const row of [1, 2, 3]) {
      await edit(id, row, {
        image: await storedPhoto(),
        moreImages: `${await storedPhoto()}\n${await storedPhoto()}`,
      });
    }
    const requests = async (operation: string) => (await stack.store.stats()).requests[operation] ?? 0;
    /** Kills the push worker when the store has received this many calls of an operation. */
    const killIn = async (operation: string, count: number) => {
      await until(`${operation} is held`, async () => (await requests(operation)) >= count);
      const worker = stack.process('push-worker');
      worker.kill('SIGKILL');
      await worker.ended;
      await stack.store.clearFaults();
    };
    const held = { kind: 'delay', delayMs: 600_000, times: 9 };
    await stack.store.fault({ ...held, operation: 'stagedUpload', every: 2 });
    const [uploaded, sent] = [await uploads(), await calls()];
    await push(id);
    await killIn('stagedUpload', uploaded + 2);
    expect(await stored('Kill')).toEqual([]);
    await stack.store.fault({ ...held, operation: 'productSet' });
    await stack.start('push-worker');
    await killIn('productSet', sent + 1);
    for (const operation of ['productSet', 'stagedUpload']) {
      await stack.store.fault({ kind: 'drop-after', operation, every: 2, times: 2 });
    }
    await stack.start('push-worker');
    expect(await reach(id, 'completed')).toMatchObject({ created: 3, failed: 0 });
    const products = await stored('Kill');
    expect(products.map(({ title, media }) => [title, media.length]).toSorted()).toEqual(
      titles.map((title) => [title, 3]),
    );
    expect(products.flatMap(({ media }) => media).filter(({ failure }) => failure !== undefined)).toEqual([]);
    const used = (await stack.store.staged()).slice(from).filter(({ used }) => used > 0);
    expect(used.map(({ used }) => used)).toEqual(Array(9).fill(1));
    expect(new Set(used.map(({ sha256 }) => sha256)).size).toBe(9);
    const { rows } = await stack.database.pool.query('select 1 from listings where sending is not null');
    expect(rows).toEqual([]);
  },
);
