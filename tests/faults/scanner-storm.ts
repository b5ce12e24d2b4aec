import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { photoKey } from '@draftshelf/domain/base/photo-address';
import { putStream } from '@draftshelf/object-storage/put-stream';
import { pngHead } from '../store/pictures.ts';
import { accessToken, startStore, type TestStore } from '../store/start-store.ts';
import { browserOf } from '../support/api-client.ts';
import { type ApiProcess, startApiProcess } from '../support/api-process.ts';
import { type Fixture, until } from '../support/fixture.ts';
import { scannerSteps } from '../support/scanner-steps.ts';
import type { Random } from './fault-random.ts';

type StormSizes = { products: number; photos: number; kills: number };

/** As many clients sync at once as the api lets run. */
const clients = 2;

/**
 * Syncs scanned products with photos to a store that loses a tenth of its answers and of the photos' uploads, while the
 * api is killed with -9. Then syncs each product once more. Returns everything that is wrong.
 */
export async function runScannerStorm(
  fixture: Fixture,
  sizes: StormSizes,
  random: Random,
): Promise<string[]> {
  const store = await startStore({ plan: 'enterprise' });
  const api = await restartableApi(fixture, store);
  try {
    const ids = await storeProducts(fixture, sizes);
    for (const operation of ['productSet', 'stagedUpload', 'stagedUploadsCreate']) {
      await store.fault({ kind: 'drop-after', operation, every: 10, times: 1_000_000 });
    }
    const { sync } = scannerSteps(() => api.client());
    const waiting = [...ids];
    const work = async () => {
      // A sync whose answer is lost, or that is refused, is left to the second round.
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) await sync(id).catch(api.isBack);
    };
    const working = Promise.all(Array.from({ length: clients }, work));
    for (let nth = 1; nth <= sizes.kills; nth += 1) {
      const left = ids.length * (1 - (nth - random.between(0, 1)) / (sizes.kills + 1));
      await until('some products are synced', () => waiting.length <= left, 300_000);
      await api.killAndRestart();
    }
    await working;
    await store.clearFaults();
    await endLeases(fixture);
    const refused: string[] = [];
    for (const id of ids) {
      const { status, body } = await sync(id);
      if (status !== 200) refused.push(`${status} ${JSON.stringify(body)}`);
    }
    return [...refused, ...(await differences(fixture, store, sizes))];
  } finally {
    await api.stop();
    await store.stop();
  }
}

/** What dead calls were sending may be taken over at once, not only when their leases end. */
const endLeases = ({ database }: Fixture) =>
  database.db
    .updateTable('listings')
    .set({ sending_until: new Date(0) })
    .where('sending', 'is not', null)
    .execute();

async function restartableApi(fixture: Fixture, store: TestStore) {
  const start = () =>
    startApiProcess(fixture, { SHOPIFY_STORE_URL: store.url, SHOPIFY_ACCESS_TOKEN: accessToken });
  const signedIn = async ({ url }: ApiProcess) => {
    const client = browserOf(url);
    await client.login();
    return client;
  };
  let process = await start();
  let client = await signedIn(process);
  let restarting: Promise<void> = Promise.resolve();
  return {
    client: () => client,
    isBack: () => restarting,
    async killAndRestart() {
      restarting = process.kill().then(async () => {
        process = await start();
        client = await signedIn(process);
        await endLeases(fixture);
      });
      await restarting;
    },
    stop: () => process.stop(),
  };
}

/** Stores products with photos, of which no two are equal. Returns their ids. */
async function storeProducts(fixture: Fixture, { products, photos }: StormSizes): Promise<string[]> {
  const ids: string[] = [];
  for (let nth = 1; nth <= products; nth += 1) {
    const addresses: string[] = [];
    for (let photo = 1; photo <= photos; photo += 1) {
      const id = randomUUID();
      await putStream(fixture.storage, photoKey(id), Readable.from([pngHead(nth, photo)]), {
        contentType: 'image/png',
      });
      addresses.push(`/api/photos/${id}`);
    }
    const { rows } = await fixture.database.pool.query<{ id: string }>(
      `insert into scanned_products (id, name, price, sku, dimensions, weight, photos)
       values (gen_random_uuid(), $1, '9.99', $2, $3, $4, $5) returning id`,
      [
        `Storm ${nth}`,
        `ST-${nth}`,
        { length: 0, width: 0, height: 0, unit: 'in' },
        { value: 1, unit: 'kg' },
        addresses,
      ],
    );
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

async function differences(
  fixture: Fixture,
  store: TestStore,
  { products, photos }: StormSizes,
): Promise<string[]> {
  const wrong: string[] = [];
  const inStore = await store.products();
  const titles = new Set(inStore.map(({ title }) => title));
  if (inStore.length !== products || titles.size !== products) {
    wrong.push(`the store has ${inStore.length} products with ${titles.size} titles, not ${products}`);
  }
  const media = inStore.flatMap((product) => product.media).length;
  // A photo may have been uploaded several times, but only one of the uploads is in a product.
  const used = (await store.staged()).filter((file) => file.used > 0);
  const distinct = new Set(used.map(({ sha256 }) => sha256)).size;
  const wanted = products * photos;
  if (
    media !== wanted ||
    used.length !== wanted ||
    distinct !== wanted ||
    used.some((file) => file.used > 1)
  ) {
    wrong.push(
      `the store has ${media} media of ${used.length} uploads, ${distinct} of them different, not ${wanted}`,
    );
  }
  const { rows } = await fixture.database.pool.query<{ sending: number; active: number }>(
    `select (select count(*)::int from listings where sending is not null) as sending,
       (select count(*)::int from scanned_products where synced_version is distinct from version) as active`,
  );
  if (rows[0]?.sending !== 0) wrong.push(`${rows[0]?.sending} listings are still sending`);
  if (rows[0]?.active !== 0) wrong.push(`${rows[0]?.active} products are not synced`);
  return wrong;
}
