import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessToken, startStore, type TestStore } from '../store/start-store.ts';
import { browserOf } from '../support/api-client.ts';
import { type ApiProcess, startApiProcess } from '../support/api-process.ts';
import { type Fixture, lockWaiters, openFixture, until } from '../support/fixture.ts';
import { photoData, scanned, scannerSteps } from '../support/scanner-steps.ts';

let fixture: Fixture;
let store: TestStore;
let api: ApiProcess;
beforeAll(async () => {
  fixture = await openFixture();
  store = await startStore({ plan: 'enterprise' });
  await restart();
});
afterAll(async () => {
  await api?.stop();
  await store?.stop();
  await fixture?.close();
});

let client: ReturnType<typeof browserOf>;
async function restart(): Promise<void> {
  api = await startApiProcess(fixture, { SHOPIFY_STORE_URL: store.url, SHOPIFY_ACCESS_TOKEN: accessToken });
  client = browserOf(api.url);
  await client.login();
}

const { saved, update, sync } = scannerSteps(() => client);

const productsOf = async (id: string) =>
  (await store.products()).filter(({ metafields }) =>
    metafields.some(({ value }) => value === id.replaceAll('-', '')),
  );
const requestsOf = async (operation: string) => (await store.stats()).requests[operation] ?? 0;

/** Longer than a killed process takes to end. */
const delayMs = 3_000;

/** Begins a sync, waits until the store has the request of an operation, and kills the api while it waits. */
async function killDuring(operation: string, id: string, before?: () => Promise<void>): Promise<void> {
  const earlier = await requestsOf(operation);
  await store.fault({ kind: 'delay', delayMs, operation });
  let answer: unknown;
  const lost = sync(id).then(
    ({ status, body }) => {
      answer = { status, body };
    },
    () => {},
  );
  await until('the store has the request', async () => {
    if (answer) throw new Error(`The sync ended before: ${JSON.stringify(answer)}`);
    return (await requestsOf(operation)) > earlier;
  });
  await before?.();
  await api.kill();
  await lost;
}

/** Kills the api when the store has written the product, before that is recorded. */
async function killBeforeRecord(id: string): Promise<void> {
  const held = await fixture.database.pool.connect();
  try {
    await killDuring('productSet', id, async () => {
      await held.query('begin');
      await held.query('select 1 from listings where our_id = $1 for update', [id.replaceAll('-', '')]);
      await until('the record waits', async () => (await lockWaiters(fixture)) > 0);
    });
  } finally {
    await held.query('rollback');
    held.release();
  }
}

/** What the dead process was sending may be taken over at once, not only when its lease ends. */
const endLease = () =>
  fixture.database.db
    .updateTable('listings')
    .set({ sending_until: new Date(0) })
    .where('sending', 'is not', null)
    .execute();

type Kill = (id: string, isNew: boolean) => Promise<void>;
const points: [string, Kill][] = [
  ['before the product is sent', (id, isNew) => killDuring(isNew ? 'productByIdentifier' : 'nodes', id)],
  ['while a photo is uploaded', (id) => killDuring('stagedUpload', id)],
  [
    'while it is sent, and it does not arrive',
    async (id) => {
      await store.fault({ kind: 'drop-before', operation: 'productSet' });
      await killDuring('productSet', id);
    },
  ],
  [
    'while it is sent, and it arrives',
    async (id) => {
      const written = (await store.stats()).points.productSet ?? 0;
      await killDuring('productSet', id);
      await until('it has arrived', async () => ((await store.stats()).points.productSet ?? 0) > written);
    },
  ],
  ['when it has arrived and is not recorded', killBeforeRecord],
];

const sending = async () =>
  (await fixture.database.pool.query('select 1 from listings where sending is not null')).rows;

describe.each(points)('the api is killed %s', (name, kill) => {
  it('and one more sync leaves exactly one product with each photo once', async () => {
    const { id, photos } = await saved(name, { photos: [1, 2, 3].map(photoData) });
    await kill(id, true);
    await restart();
    await endLease();
    expect(await sync(id)).toMatchObject({ status: 200, body: { product: { status: 'synced' } } });
    const [first, ...others] = await productsOf(id);
    expect(others).toEqual([]);
    expect(first?.media).toHaveLength(3);
    expect(await sending()).toEqual([]);

    await update(id, scanned(name, { price: '9.99', photos: [...photos, photoData(4)] }));
    await kill(id, false);
    await restart();
    await endLease();
    expect(await sync(id)).toMatchObject({ status: 200, body: { product: { status: 'synced' } } });
    const [second, ...further] = await productsOf(id);
    expect(further).toEqual([]);
    expect(second?.variants).toMatchObject([{ price: '9.99' }]);
    // The first three are the same images; the fourth was uploaded.
    expect(second?.media).toMatchObject([...(first?.media ?? []), {}]);
    expect(new Set(second?.media.map(({ staged }) => staged)).size).toBe(4);
    expect(second?.media.filter(({ failure }) => failure !== undefined)).toEqual([]);
    expect(await sending()).toEqual([]);
  });
});
