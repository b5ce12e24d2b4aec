import { savePreferences } from '@draftshelf/core/access/preferences';
import { setMatchChoice } from '@draftshelf/core/push/push-run';
import { cancelImport, pushImport } from '@draftshelf/core/work/import-actions';
import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import type { ChoiceSubject, PushChoice } from '@draftshelf/domain/push/push-choices';
import { afterEach, expect } from 'vitest';
import { csvOf, until } from '../../support/fixture.ts';
import { createByMerchant as createInStore, type OfMerchant } from '../../support/merchant-product.ts';
import { planSteps } from '../../support/plan-steps.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(pushers);
const { read, reach, push, retry, importOf, calls, outcomes, productsNamed, edit, states } = pushSteps(
  () => stack,
);
const { plan, expectAsPlanned } = planSteps(() => stack);

afterEach(async () => {
  await stack.store.clearFaults();
  await savePreferences(stack.database.db, { whenInStore: 'skip' });
});

/** The copy of the store is from before the edit. */
async function editInStore(title: string, change: object): Promise<void> {
  // Others may have a longer title that begins with this one, and products are made in any order.
  const product = (await productsNamed(title)).find((one) => one.title === title);
  await stack.store.edit(product?.id ?? 0, change);
}

/** Makes a choice about all products of an import's plan that are asked about this. */
async function choose(id: string, about: ChoiceSubject, choice: PushChoice): Promise<void> {
  await plan(id);
  const body = { about, choice };
  expect(await stack.api.call('POST', `/api/queue/${id}/plan/choices`, { body })).toMatchObject({
    status: 200,
  });
}

let files = 0;
/** An import of products with these SKUs, UPCs and item numbers, which is nobody's list. */
async function fileOf(rows: readonly (readonly string[])[]): Promise<string> {
  files += 1;
  const csv = csvOf([['Title', 'Price', 'SKU', 'UPC', 'Item #'], ...rows]);
  return (await importOf(csv, String(files).padStart(64, 'e'), { supplier: null })).id;
}

async function pushWith(id: string, choice: MatchChoice): Promise<void> {
  await stack.database.db.transaction().execute(async (trx) => {
    const pushed = await pushImport(trx, id, 25, { supplier: null });
    if (!pushed.ok) throw new Error(pushed.reason);
    await setMatchChoice(trx, { import_id: id, run: pushed.import.push_run }, choice);
  });
}

const createByMerchant = (title: string, sku: string, of?: OfMerchant) =>
  createInStore(stack, title, sku, of);

it.runIf(isLong)(
  'skips what an earlier import has pushed with the same SKU, UPC or item number, links it, and completes',
  async () => {
    const first = await fileOf([
      ['By SKU', '1', 'M-1', '', ''],
      ['By UPC', '2', 'M-2', '4006381333931', ''],
      ['By item', '3', 'M-3', '', 'I-3'],
    ]);
    await push(first);
    await reach(first, 'completed');
    const before = await calls();
    const second = await fileOf([
      ['Other name', '9', 'M-1', '', ''],
      ['Other name 2', '9', 'X-2', '04006381333931', ''],
      ['Other name 3', '9', 'X-3', '', 'I-3'],
    ]);
    await push(second);
    expect(await reach(second, 'completed', 'failed')).toMatchObject({
      status: 'completed',
      skipped: 3,
      in_store: 3,
      error_message: null,
    });
    expect(await outcomes(second)).toMatchObject(
      ['SKU', 'UPC', 'item number'].map((key) => ({
        outcome: 'skipped',
        code: 'in-store',
        message: `Already in the store with the same ${key}.`,
      })),
    );
    expect(await calls()).toBe(before);
    const linked = await stack.database.db
      .selectFrom('outcomes')
      .select(['import_id', 'store_product_id'])
      .where('import_id', 'in', [first, second])
      .orderBy('product')
      .execute();
    const idsOf = (id: string) =>
      linked.filter((row) => row.import_id === id).map((row) => row.store_product_id);
    expect(idsOf(second)).toEqual(idsOf(first));
  },
);

it('updates the product under its own id, and creates another one, if the push says so', async () => {
  const first = await fileOf([['Lamp before', '1', 'U-1', '', '']]);
  await push(first);
  await reach(first, 'completed');
  const second = await fileOf([['Lamp after', '5', 'U-1', '', '']]);
  await pushWith(second, 'update');
  expect(await reach(second, 'completed', 'failed')).toMatchObject({ updated: 1, created: 0, in_store: 0 });
  expect(await productsNamed('Lamp')).toMatchObject([{ title: 'Lamp after', variants: [{ price: '5.00' }] }]);
  await pushWith(second, 'update');
  expect(await reach(second, 'completed', 'failed')).toMatchObject({ unchanged: 1 });
  const third = await fileOf([['Lamp new', '5', 'U-1', '', '']]);
  await pushWith(third, 'create');
  expect(await reach(third, 'completed', 'failed')).toMatchObject({ created: 1 });
  expect((await productsNamed('Lamp')).map(({ title }) => title).sort()).toEqual(['Lamp after', 'Lamp new']);
});

it('finds a product that somebody made in the store, and takes it over as it is', async () => {
  await createByMerchant('Vase by the merchant', 'T-1');
  const id = await fileOf([['Vase by us', '8', 'T-1', '', '']]);
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ skipped: 1, in_store: 1 });
  await pushWith(id, 'update');
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: 1 });
  expect(await productsNamed('Vase by')).toMatchObject([
    { title: 'Vase by us', status: 'ACTIVE', variants: [{ price: '8.00', sku: 'T-1' }] },
  ]);
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ unchanged: 1 });
  await edit(id, 1, { title: 'Vase by us, edited' });
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: 1 });
  expect((await productsNamed('Vase by')).map(({ title }) => title)).toEqual(['Vase by us, edited']);
});

it.runIf(isLong)(
  'takes over a product with more images and variants than the file has, and updates it later',
  async () => {
    await createByMerchant('Mug by the merchant', 'D-1', { sizes: ['S', 'M', 'L', 'XL'], images: 6 });
    files += 1;
    const csv = csvOf([
      ['Handle', 'Title', 'Price', 'SKU', 'Option1 Name', 'Option1 Value', 'Image'],
      ['mug', 'Mug by us', '8', 'D-1', 'Size', 'S', 'https://example.com/ours.jpg'],
    ]);
    const { id } = await importOf(csv, String(files).padStart(64, 'e'));
    await pushWith(id, 'update');
    expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: 1 });
    await edit(id, 1, { title: 'Mug by us, edited' });
    await push(id);
    await reach(id, 'completed', 'failed');
    expect(await outcomes(id)).toMatchObject([{ outcome: 'updated', message: null }]);
    expect(await productsNamed('Mug by us, edited')).toHaveLength(1);
    const after = (await states(id)).map((one) => one.after);
    expect(after).toMatchObject([{ title: 'Mug by us' }, { title: 'Mug by us, edited' }]);
    for (const one of after) {
      expect(one?.media).toHaveLength(6);
      expect(one?.variants).toHaveLength(4);
    }
  },
);

it('records a take-over whose answer was lost as an update, with the merchant’s product before it', async () => {
  await createByMerchant('Bowl by the merchant', 'A-1', { images: 2 });
  const id = await fileOf([['Bowl by us', '8', 'A-1', '', '']]);
  await stack.store.fault({ kind: 'other-shape', operation: 'productSet' });
  await pushWith(id, 'update');
  expect(await reach(id, 'failed')).toMatchObject({ failed_in: 'push', updated: 0 });
  await retry(id);
  expect(await reach(id, 'completed')).toMatchObject({ created: 0, updated: 1 });
  expect(await productsNamed('Bowl by')).toMatchObject([{ title: 'Bowl by us', status: 'ACTIVE' }]);
  expect(await states(id)).toMatchObject([
    {
      kind: 'update',
      before: { title: 'Bowl by the merchant', status: 'ACTIVE', media: [{}, {}] },
      sent_before: null,
      after: { title: 'Bowl by us' },
    },
  ]);
  await edit(id, 1, { title: 'Bowl by us, edited' });
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: 1 });
  expect(await productsNamed('Bowl by us, edited')).toHaveLength(1);
});

it.runIf(isLong)(
  'keeps what each of two imports left of the same product, and what was sent before',
  async () => {
    const sha = 'c4'.repeat(32);
    const ofTitle = async (title: string) => {
      const csv = csvOf([
        ['Title', 'Price', 'SKU'],
        [title, '3', 'B-1'],
      ]);
      return (await importOf(csv, sha)).id;
    };
    const first = await ofTitle('Tray of the first');
    await stack.store.fault({ kind: 'drop-before', operation: 'nodes', times: 1000 });
    await push(first);
    await until('the first has written', async () => (await outcomes(first)).length === 1);
    await until('its read-back failed', async () => (await read(first)).waiting_for !== null);
    await stack.database.db.transaction().execute((trx) => cancelImport(trx, first));
    await stack.store.clearFaults();
    const second = await ofTitle('Tray of the second');
    await push(second);
    expect(await reach(second, 'completed', 'failed')).toMatchObject({ updated: 1 });
    expect(await states(first)).toMatchObject([
      { kind: 'create', before: null, sent_before: null, after: { title: 'Tray of the first' } },
    ]);
    expect(await states(second)).toMatchObject([
      {
        kind: 'update',
        before: { title: 'Tray of the first' },
        sent_before: { title: 'Tray of the first' },
        after: { title: 'Tray of the second' },
      },
    ]);
    const [one] = await states(second);
    expect(one?.source_before).not.toBeNull();
    expect(one?.sent_hash_before).toMatch(/^\w{20,}$/);
  },
);

it('is not kept by a product of a merchant that is deleted, nor by equal rows of the same file', async () => {
  await createByMerchant('Gone', 'G-1');
  await editInStore('Gone', { deleted: true });
  const first = await fileOf([
    ['Back', '1', 'G-1', '', ''],
    ['Back again', '1', 'G-1', '', ''],
  ]);
  await push(first);
  expect(await reach(first, 'completed', 'failed')).toMatchObject({ created: 2, skipped: 0 });
});

it('never makes a product again that the merchant deleted, in any later file, unless that is chosen', async () => {
  const first = await fileOf([
    ['Deleted', '1', 'L-1', '', ''],
    ['Deleted beside', '1', 'L-2', '', ''],
  ]);
  await push(first);
  await reach(first, 'completed');
  await editInStore('Deleted', { deleted: true });
  const next = (price: string) =>
    fileOf([
      ['Deleted', price, 'L-1', '', ''],
      [`Beside ${price}`, price, `L-${price}`, '', ''],
    ]);
  for (const [at, whenInStore] of (['skip', 'update', 'create'] as const).entries()) {
    await savePreferences(stack.database.db, { whenInStore });
    expect(await expectAsPlanned(await next(`${at + 3}`))).toMatchObject([
      { code: 'deleted-in-store', message: 'Deleted in the store since the last push.' },
      { outcome: 'created' },
    ]);
  }
  expect(await productsNamed('Deleted')).toHaveLength(1);
  await savePreferences(stack.database.db, { whenInStore: 'update' });
  const again = await next('6');
  await choose(again, 'deleted-in-store', 'create');
  expect(await expectAsPlanned(again)).toMatchObject([{ outcome: 'created' }, { outcome: 'created' }]);
  // The living product is meant from now on, by every file.
  expect(await expectAsPlanned(await next('7'))).toMatchObject([
    { outcome: 'updated' },
    { outcome: 'created' },
  ]);
  expect((await productsNamed('Deleted')).map(({ title, variants }) => [title, variants[0]?.price])).toEqual([
    ['Deleted beside', '1.00'],
    ['Deleted', '7.00'],
  ]);
});

it('asks about a product that the merchant deletes while an update of it is on its way', async () => {
  const first = await fileOf([['Deleted late', '1', 'LATE-1', '', '']]);
  await push(first);
  await reach(first, 'completed');
  await savePreferences(stack.database.db, { whenInStore: 'update' });
  await stack.store.fault({ kind: 'delay', delayMs: 2_000, operation: 'productSet', times: 1 });
  const second = await fileOf([['Deleted late', '2', 'LATE-1', '', '']]);
  await push(second);
  const sending = () =>
    stack.database.db.selectFrom('listings').selectAll().where('sending_kind', '=', 'update').execute();
  await until('it is being sent', async () => (await sending()).length > 0);
  await editInStore('Deleted late', { deleted: true });
  expect(await reach(second, 'completed', 'failed')).toMatchObject({ skipped: 1 });
  expect(await outcomes(second)).toMatchObject([{ outcome: 'skipped', code: 'deleted-in-store' }]);
  expect(await sending()).toEqual([]);
});

it.runIf(isLong)('updates the product that the last push wrote, of several with one SKU', async () => {
  const first = await fileOf([['Older', '1', 'S-1', '', '']]);
  await push(first);
  await reach(first, 'completed');
  const second = await fileOf([['Newer', '2', 'S-1', '', '']]);
  await pushWith(second, 'create');
  await reach(second, 'completed');
  await savePreferences(stack.database.db, { whenInStore: 'update' });
  const third = await fileOf([['Newer', '3', 'S-1', '', '']]);
  expect(await expectAsPlanned(third)).toMatchObject([{ outcome: 'updated' }]);
  expect(await productsNamed('Newer')).toMatchObject([{ variants: [{ price: '3.00' }] }]);
  expect(await productsNamed('Older')).toHaveLength(1);
});

it.runIf(isLong)(
  'leaves a product alone whose SKU was given to another one after the store was copied',
  async () => {
    await createByMerchant('Proof dress', 'P-1');
    await createByMerchant('Proof lamp', 'P-2');
    await editInStore('Proof dress', { sku: 'P-9' });
    const before = await productsNamed('Proof dress');
    await savePreferences(stack.database.db, { whenInStore: 'update' });
    const id = await fileOf([
      ['Proof table', '10', 'P-1', '', ''],
      ['Proof lamp!', '11', 'P-2', '', ''],
    ]);
    const requests = (await stack.store.stats()).requests.nodes ?? 0;
    expect(await expectAsPlanned(id)).toMatchObject([{ outcome: 'created' }, { outcome: 'updated' }]);
    // Plan and push: stamps, and the product that had changed. The push also reads before and after the update.
    expect((await stack.store.stats()).requests.nodes).toBeLessThanOrEqual(requests + 8);
    expect(await productsNamed('Proof dress')).toEqual(before);
    expect(await productsNamed('Proof')).toHaveLength(3);
    // The copy knows the new SKU now.
    const next = await fileOf([['PROOF DRESS', '12', 'P-9', '', '']]);
    expect(await expectAsPlanned(next)).toMatchObject([{ outcome: 'updated' }]);
  },
);

it.runIf(isLong)(
  'creates a product whose SKU the store has no more, and skips one that was changed and has it',
  async () => {
    await createByMerchant('Kept sofa', 'K-1');
    await createByMerchant('Kept chair', 'K-2');
    const first = await fileOf([['Kept stool', '1', 'K-3', '', 'KI-3']]);
    await push(first);
    await reach(first, 'completed');
    await editInStore('Kept sofa', { sku: 'K-9' });
    await editInStore('Kept chair', { title: 'Kept chair, renamed' });
    await editInStore('Kept stool', { sku: 'K-8' });
    const id = await fileOf([
      ['Kept bed', '10', 'K-1', '', ''],
      ['Kept chair', '10', 'K-2', '', ''],
      ['Kept stool', '10', 'K-3', '', 'KI-3'],
    ]);
    expect(await expectAsPlanned(id)).toMatchObject([
      { outcome: 'created' },
      { code: 'in-store', message: 'Already in the store with the same SKU.' },
      { code: 'in-store', message: 'Already in the store with the same item number.' },
    ]);
  },
);

it.runIf(isLong)(
  'asks before it updates a product that has another of our ids, and makes no second one',
  async () => {
    const id = await fileOf([
      ['Other id', '1', 'O-1', '', ''],
      ['Plain', '1', 'O-2', '', ''],
    ]);
    await push(id);
    await reach(id, 'completed');
    const metafield = { namespace: 'scd', key: 'external_id', type: 'id', value: 'a'.repeat(32) };
    await editInStore('Other id', { metafield });
    const before = await stack.store.products();
    await edit(id, 1, { price: '2' });
    expect(await expectAsPlanned(id)).toMatchObject([
      { code: 'different-content', message: 'In the store with another Draftshelf ID; left unchanged.' },
      { outcome: 'unchanged' },
    ]);
    expect(await stack.store.products()).toEqual(before);
    await choose(id, 'different-content', 'update');
    expect(await expectAsPlanned(id)).toMatchObject([{ outcome: 'updated' }, { outcome: 'unchanged' }]);
    expect(await stack.store.products()).toHaveLength(before.length);
    expect(await productsNamed('Other id')).toMatchObject([
      { status: 'DRAFT', variants: [{ price: '2.00' }] },
    ]);
  },
);

it.runIf(isLong)(
  'lets the first of several rows take a product of the store, at each push, in whatever chunks',
  async () => {
    const sizes = ['S', 'M', 'L'];
    await createByMerchant('Taken sock', 'X-2', { sizes });
    await savePreferences(stack.database.db, { whenInStore: 'update' });
    const before = await stack.store.products();
    // Rows of one product match it by different keys, too. The first row has no price.
    const id = await fileOf([
      ['No price', '', 'X-2', '', ''],
      ['Taken sock', '3', 'X-2-M', '', ''],
      ['Taken sock', '4', 'X-2-L', '', ''],
      ['Taken sock', '5', 'X-2', '', ''],
    ]);
    const duplicate = {
      code: 'duplicate',
      message: 'The same product of the store as row 2, and only that row is sent to it.',
    };
    const expected = [{ code: 'missing-fields' }, {}, duplicate, duplicate];
    const { lines } = await plan(id);
    expect(lines).toMatchObject(expected);
    await push(id, 1);
    await reach(id, 'completed');
    expect(await outcomes(id)).toMatchObject(expected);
    expect((await outcomes(id))[1]).toMatchObject({ outcome: 'updated' });
    const after = await stack.store.products();
    expect(after).toHaveLength(before.length);
    expect((await productsNamed('Taken sock'))[0]?.variants.map(({ price }) => price)).toEqual([
      ...['1.00', '3.00', '1.00'],
    ]);
    expect(await expectAsPlanned(id)).toMatchObject([
      expected[0],
      { outcome: 'unchanged' },
      duplicate,
      duplicate,
    ]);
    expect(await stack.store.products()).toEqual(after);
    // A product of an earlier import is not turned around either, and an edit of a duplicate changes nothing.
    const next = await fileOf([
      ['Taken sock', '3', 'X-2-M', '', ''],
      ['Taken sock', '4', 'X-2-L', '', ''],
    ]);
    const first = { ...duplicate, message: duplicate.message.replace('row 2', 'row 1') };
    expect(await expectAsPlanned(next)).toMatchObject([{}, first]);
    await edit(next, 2, { price: '9' });
    expect(await expectAsPlanned(next)).toMatchObject([{ outcome: 'unchanged' }, first]);
    expect(await stack.store.products()).toEqual(after);
  },
);

/** Every write of a product takes so long that other imports match theirs meanwhile. */
const slowStore = () =>
  stack.store.fault({ kind: 'delay', delayMs: 700, operation: 'productSet', times: 1000 });

it.runIf(isLong).for(isLong ? (['skip', 'update', 'create'] as const) : (['update'] as const))(
  'two imports with the same new keys, pushed at one moment, are a product and a match to %s',
  async (whenInStore) => {
    await savePreferences(stack.database.db, { whenInStore });
    const gtin = { skip: '9780306406157', update: '9780141036144', create: '9780262033848' }[whenInStore];
    const rowsOf = (file: string) => [
      [`Both ${whenInStore} 1`, '1', `${whenInStore}-1`, '', ''],
      [`Both ${whenInStore} 2`, '2', `${file}-${whenInStore}-2`, gtin, ''],
      [`Both ${whenInStore} 3`, '3', `${file}-${whenInStore}-3`, '', `item ${whenInStore}`],
      [`Both ${whenInStore} of ${file}`, '4', `${file}-${whenInStore}-4`, '', ''],
    ];
    const ids = [await fileOf(rowsOf('first')), await fileOf(rowsOf('second'))];
    await slowStore();
    await Promise.all(ids.map((id) => push(id)));
    for (const id of ids) expect((await reach(id, 'completed', 'failed')).status).toBe('completed');
    const made = (await productsNamed(`Both ${whenInStore}`)).map(({ title }) => title).sort();
    const both = [1, 2, 3].map((at) => `Both ${whenInStore} ${at}`);
    const own = [`Both ${whenInStore} of first`, `Both ${whenInStore} of second`];
    expect(made).toEqual([...both, ...(whenInStore === 'create' ? both : []), ...own].sort());
    const [one = [], other = []] = await Promise.all(ids.map(outcomes));
    const second = { skip: 'in-store', update: null, create: null }[whenInStore];
    for (const at of [0, 1, 2]) {
      const pair = [one[at], other[at]];
      expect(pair).toContainEqual(expect.objectContaining({ outcome: 'created' }));
      expect(pair).toContainEqual(expect.objectContaining({ code: second }));
    }
  },
);

it.runIf(isLong)(
  'a match of two imports that are pushed at one moment is taken over by one of them',
  async () => {
    await createByMerchant('Vase of one taker', 'ONE-1', { images: 1 });
    await createByMerchant('Bowl of one taker', 'ONE-2');
    await savePreferences(stack.database.db, { whenInStore: 'update' });
    const fileWith = (price: string) =>
      fileOf([
        ['Vase of one taker', price, 'ONE-1', '', ''],
        ['Bowl of one taker', price, 'ONE-2', '', ''],
      ]);
    const ids = [await fileWith('5'), await fileWith('6')];
    await slowStore();
    await Promise.all(ids.map((id) => push(id)));
    for (const id of ids) expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: 2 });
    expect(await productsNamed('Vase of')).toHaveLength(1);
    const taken = await stack.database.db
      .selectFrom('outcomes')
      .select(['product', 'our_id', 'store_product_id'])
      .distinct()
      .where('import_id', 'in', ids)
      .execute();
    expect(taken).toHaveLength(2);
    const { rows } = await stack.database.pool.query(
      'select 1 from listings where store_product_id = any($1)',
      [taken.map((one) => one.store_product_id)],
    );
    expect(rows).toHaveLength(2);
  },
);

it.runIf(isLong)(
  'a product whose answer was lost is a match, and one that never arrived holds its keys for 10 seconds',
  async () => {
    const rows = ['Lost 1', 'Lost 2'].map((title, at) => [title, '1', `LOST-${at}`, '', '']);
    const first = await fileOf(rows);
    await stack.store.fault({ kind: 'drop-after', operation: 'productSet', times: 1 });
    await stack.store.fault({ kind: 'drop-before', operation: 'productSet', after: 1, times: 1000 });
    await push(first);
    await until('answers are lost', async () => (await read(first)).waiting_for !== null);
    await stack.database.db.transaction().execute((trx) => cancelImport(trx, first));
    await stack.store.clearFaults();
    const [arrived] = await productsNamed('Lost');
    const second = await fileOf(rows);
    await push(second);
    // On a busy machine, more than 10 seconds pass before the push looks.
    await until('it waits for the keys', async () => {
      await stack.database.pool.query(
        'update key_claims set claimed_at = clock_timestamp() where ended_at is null',
      );
      return (await read(second)).waiting_for !== null;
    });
    expect(await productsNamed('Lost')).toHaveLength(1);
    await stack.database.pool.query(`update key_claims set claimed_at = claimed_at - interval '10 s'`);
    await reach(second, 'completed', 'failed');
    expect(await outcomes(second)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: 'in-store', message: 'Already in the store with the same SKU.' }),
        expect.objectContaining({ outcome: 'created' }),
      ]),
    );
    expect((await productsNamed('Lost')).map(({ title }) => title).sort()).toEqual(['Lost 1', 'Lost 2']);
    expect((await productsNamed('Lost')).map(({ id }) => id)).toContain(arrived?.id);
  },
);

it.runIf(isLong)(
  'fails an import whose other products cannot be sent, and says how many are in the store',
  async () => {
    const first = await fileOf([['Fine', '1', 'F-1', '', '']]);
    await push(first);
    await reach(first, 'completed');
    const second = await fileOf([
      ['Fine', '1', 'F-1', '', ''],
      ['No price', '', 'F-2', '', ''],
    ]);
    await push(second);
    expect((await reach(second, 'failed')).error_message).toBe(
      'No products were pushed: 1 already in the store, 1 skipped (see the rows for reasons).',
    );
  },
);
