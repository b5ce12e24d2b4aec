import { saveSettings } from '@draftshelf/core/access/settings';
import { carryOutStandingActions } from '@draftshelf/core/push/changes/gone';
import { afterEach, expect } from 'vitest';
import type { StoredProduct } from '../../../apps/simulators/store/src/catalogue.ts';
import { comparableProduct } from '../../store/comparable-product.ts';
import { until } from '../../support/fixture.ts';
import { goneSteps } from '../../support/gone-steps.ts';
import { itemsNow } from '../../support/items-now.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';
import { undoSteps } from '../../support/undo-steps.ts';

const test = testOnWorkers(pushers);
const longTest = test.runIf(isLong);
const { read } = pushSteps(() => stack);
const { undo, expectAudited } = undoSteps(() => stack);
const steps = goneSteps(() => stack);
const { goneBy, plan, begin, ended, readGone, listed, pushed, counted, sayComplete, call, query } = steps;
test.beforeAll(async () => {
  await saveSettings(stack.database.db, { draftMode: false });
});
afterEach(() => stack.store.clearFaults());

const shelf = (label: string, count = 12) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ Title: `${label} vase ${at + 1}`, Price: '10.00', SKU: `${label}-${at + 1}`, Quantity: 5 },
    ...{ Status: 'active', Tags: 'vase, blue' },
  }));
const numberOf = ({ SKU }: { SKU?: string | number }) => Number(`${SKU}`.split('-')[1]);
/** Lacks the first `count` products. */
const withoutFirst = (count: number) => (row: object) => numberOf(row) <= count;

const inStore = async () => (await stack.store.products()) as StoredProduct[];
const productsNamed = async (start: string) =>
  (await inStore()).filter(({ title }) => title.startsWith(start));
/** The whole catalogue of the store, without what differs after a restore by its nature. */
const catalogue = async () =>
  (await inStore()).sort((a, b) => a.id - b.id).map((product) => comparableProduct(product, false));

test('each action is planned first, done like planned, and its undo leaves the whole store as before', async () => {
  const label = 'Each';
  const id = await goneBy(label, shelf(label), withoutFirst(2));
  const before = await catalogue();
  const { status } = await read(id);
  for (const [at, [action, expected]] of (
    [
      ['draft', { status: 'DRAFT' }],
      ['archive', { status: 'ARCHIVED' }],
      ['tag', { tags: ['blue', 'no longer listed', 'vase'] }],
      ['quantity', { quantity: 0 }],
    ] as const
  ).entries()) {
    const lines = await plan(id, action);
    expect(lines).toEqual({ 's:EACH-1': action, 's:EACH-2': action });
    // A plan writes nothing.
    expect(await catalogue()).toEqual(before);
    await begin(id);
    expect(await ended(id)).toEqual(lines);
    expect(await read(id)).toMatchObject({ status, undoes_run: null });
    const run = 1 + at * 2;
    expect(await readGone(id)).toMatchObject({ state: 'undone', done: 2, total: 2, run });
    await expectAudited(id);
    const after = await catalogue();
    const others = after.filter((one, place) => JSON.stringify(one) === JSON.stringify(before[place]));
    expect(others).toHaveLength(before.length - 2);
    for (const title of [`${label} vase 1`, `${label} vase 2`]) {
      const [one] = (await inStore()).filter((product) => product.title === title);
      const is = {
        status: one?.status,
        tags: [...(one?.tags ?? [])].sort(),
        quantity: one?.variants[0]?.quantity,
      };
      expect(is).toEqual({ status: 'ACTIVE', tags: ['blue', 'vase'], quantity: 5, ...expected });
    }
    const of = [id, run];
    expect(await query(`select distinct origin from ledger where import_id = $1 and run = $2`, of)).toEqual([
      { origin: 'gone' },
    ]);
    // Again, it is so already.
    expect(new Set(Object.values(await plan(id, action)))).toEqual(new Set(['already']));
    expect((await undo(id)).map(({ result }) => result)).toEqual(['restore', 'restore']);
    expect(await catalogue()).toEqual(before);
    expect(await read(id)).toMatchObject({ status });
    await expectAudited(id);
  }
});

longTest(
  'a product that a list names by another number is not gone, also if a part of a list had that number first',
  async () => {
    const label = 'Number';
    const rows = shelf(label).map((row) => ({ ...row, UPC: '' }));
    const [first] = rows;
    if (first) first.UPC = '8712345678906';
    await pushed(await listed(`${label} 1.csv`, rows));
    const left = rows.slice(1);
    const second = await counted(await listed(`${label} 2.csv`, left));
    await sayComplete(second);
    const other = { ...first, SKU: `${label}-1001` };
    // The file ends within the row, so that it has no GTIN.
    const cut = await listed(`${label} cut.csv`, [...left.slice(0, 6), { ...other, UPC: '' }]);
    await call('POST', `/api/queue/${cut}/cancel`, {});
    const last = await pushed(await listed(`${label} 3.csv`, [...left, other]));
    expect(await productsNamed(`${label} vase 1`)).toHaveLength(4);
    const gone = () => call<object>('GET', `/api/queue/${last}/list/missing?gone=true`);
    expect(await gone()).toEqual({ items: [], next: null });
    // A list that does not count leaves its item without a list, and the old number missing since the second.
    await call('PUT', `/api/queue/${last}/list`, { counts: false });
    await steps.rested(last);
    const missed = `select key, missed_since from ${itemsNow(stack.database)}
    where key like 's:NUMBER-1' or key like 's:NUMBER-1001'`;
    expect(await query(`${missed} order by key`)).toEqual([
      { key: 's:NUMBER-1', missed_since: 2 },
      { key: 's:NUMBER-1001', missed_since: null },
    ]);
  },
);

test.runIf(isLong)(
  'what others sell, took off sale, restocked or deleted, and what was never pushed, is left and named',
  async () => {
    const label = 'Left';
    const rows = shelf(label, 40).map((row) => ({ ...row, UPC: '' }));
    const gtins = { first: '5901234123457', sixth: '4006381333931' };
    for (const row of rows) row.UPC = { 1: gtins.first, 6: gtins.sixth }[numberOf(row)] ?? '';
    const id = await goneBy(label, rows, withoutFirst(6));
    // Another supplier's last list has one of them.
    const theirs = shelf('Other', 4).map((row, at) => ({ ...row, UPC: at === 0 ? gtins.first : '' }));
    const answered = await counted(await listed('Other 1.csv', theirs));
    const nameOf = async (of: string) =>
      (
        await query<{ name: string }>('select name from suppliers where id = $1', [(await read(of)).supplier])
      )[0]?.name;
    const idOf = async (at: number) =>
      (await productsNamed(`${label} vase ${at}`)).find(({ title }) => title === `${label} vase ${at}`)?.id ??
      0;
    await stack.store.edit(await idOf(2), { status: 'DRAFT' });
    await stack.store.edit(await idOf(3), { quantity: 4 });
    await stack.store.edit(await idOf(4), { deleted: true });
    await query(`delete from listings where our_id = (select our_id from supplier_items where key = $1)`, [
      `s:${label.toUpperCase()}-5`,
    ]);
    const key = (at: number) => `s:${label.toUpperCase()}-${at}`;
    expect(await plan(id, 'archive')).toEqual({
      ...{ [key(1)]: 'still-sold', [key(2)]: 'changed', [key(3)]: 'archive' },
      ...{ [key(5)]: 'never-pushed', [key(6)]: 'archive', [key(4)]: 'deleted-in-store' },
    });
    const { products } = await call<{ products: { key: string; message: string | null }[] }>(
      'GET',
      `/api/queue/${id}/gone/products?end=keep`,
    );
    expect(Object.fromEntries(products.map((one) => [one.key, one.message]))).toEqual({
      [key(1)]: `Still sold by ${await nameOf(answered)}.`,
      [key(2)]: 'Set to draft in the store since the last push.',
      [key(4)]: 'Deleted in the store.',
      [key(5)]: 'Not in the store from an earlier push.',
    });
    // Of the one 1 was sold, which is no reason, and the other was restocked.
    await stack.store.edit(await idOf(6), { quantity: 9 });
    expect(await plan(id, 'quantity', [key(3), key(6)])).toEqual({
      [key(3)]: 'quantity',
      [key(6)]: 'sold-since',
    });
    expect(await readGone(id)).toMatchObject({ onSale: 1 });
    const before = await catalogue();
    await begin(id);
    expect(await ended(id)).toEqual({ [key(3)]: 'quantity', [key(6)]: 'sold-since' });
    const after = await catalogue();
    expect(after.filter((one, at) => JSON.stringify(one) !== JSON.stringify(before[at]))).toHaveLength(1);

    // Between the plan and the run, another supplier's list has one of them, and their own has a row of the other one.
    expect(await plan(id, 'archive', [key(3), key(6)])).toEqual({ [key(3)]: 'archive', [key(6)]: 'archive' });
    const { plan: seen } = await readGone(id);
    const stolen = shelf('Third', 4).map((row, at) => ({ ...row, UPC: at === 0 ? gtins.sixth : '' }));
    await counted(await listed('Third 1.csv', stolen));
    // Another tab has planned something else, which nobody has looked at.
    const other = await stack.api.call('POST', `/api/queue/${id}/gone/push`, {
      body: { plan: Number(seen) - 1 },
    });
    expect(other).toMatchObject({ status: 409, body: { message: expect.stringContaining('A newer plan') } });
    await query(
      `insert into supplier_items (supplier, key, our_id, first_list, first_run)
     select supplier, 's:TWIN', our_id, first_list, first_run from supplier_items where key = $1`,
      [key(3)],
    );
    await begin(id);
    expect(await ended(id)).toEqual({ [key(3)]: 'still-listed', [key(6)]: 'still-sold' });
    expect(await catalogue()).toEqual(after);

    await query(`delete from supplier_items where key = 's:TWIN'`);
    // The supplier that it was planned for was merged into another one before a retry.
    await plan(id, 'archive', [key(3)]);
    await query(`update previews set gone = gone::jsonb || '{"supplier": 0}' where id = $1`, [
      (await readGone(id)).plan,
    ]);
    await begin(id);
    expect(await ended(id)).toEqual({ [key(3)]: 'supplier-left' });
  },
);

test.runIf(isLong)(
  'a product that was sent as a draft and published by the merchant becomes a draft again',
  async () => {
    const label = 'Safe';
    const rows = shelf(label);
    await saveSettings(stack.database.db, { draftMode: true });
    await pushed(await listed(`${label} 1.csv`, rows));
    for (const { id: product } of await productsNamed(`${label} vase`)) {
      await stack.store.edit(product, { status: 'ACTIVE' });
    }
    await saveSettings(stack.database.db, { draftMode: false });
    const left = rows.slice(2);
    await counted(await listed(`${label} 2.csv`, left));
    const id = await counted(await listed(`${label} 3.csv`, left.toReversed()));
    await sayComplete(id);
    const before = await catalogue();
    expect(await plan(id, 'draft')).toEqual({ 's:SAFE-1': 'draft', 's:SAFE-2': 'draft' });
    expect(await readGone(id)).toMatchObject({ onSale: 2 });
    // The answer to one of them is lost.
    await stack.store.fault({ kind: 'drop-after', operation: 'productSet', after: 0, times: 1 });
    await begin(id);
    expect(await ended(id)).toEqual({ 's:SAFE-1': 'draft', 's:SAFE-2': 'draft' });
    const drafts = (await productsNamed(`${label} vase`)).filter(({ status }) => status === 'DRAFT');
    expect(drafts).toHaveLength(2);
    await undo(id);
    expect(await catalogue()).toEqual(before);
    // Taken off sale since our last look, it is the merchant's.
    await stack.store.edit(drafts[0]?.id ?? 0, { status: 'ARCHIVED' });
    expect(Object.values(await plan(id, 'draft')).sort()).toEqual(['changed', 'draft']);
  },
);

test.runIf(isLong)(
  'of a product that is still listed, only the quantity of a gone variant is set',
  async () => {
    const label = 'Size';
    const sizes = (at: number) =>
      ['S', 'L'].map((size) => ({
        ...{
          Handle: `size-${at}`,
          Title: `${label} shirt ${at}`,
          Price: '10.00',
          SKU: `${label}-${at}-${size}`,
        },
        ...{ Quantity: 5, Status: 'active', 'Option1 Name': 'Size', 'Option1 Value': size },
      }));
    const rows = [1, 2, 3, 4, 5].flatMap(sizes);
    const id = await goneBy(label, rows, ({ SKU }) => SKU === `${label}-1-L`);
    await pushed(id);
    const { status, unchanged } = await read(id);
    expect(await plan(id, 'archive')).toEqual({ 's:SIZE-1-L': 'still-listed' });
    const before = await catalogue();
    await plan(id, 'quantity');
    await begin(id);
    expect(await ended(id)).toEqual({ 's:SIZE-1-L': 'quantity' });
    const [shirt] = await productsNamed(`${label} shirt 1`);
    expect(shirt?.variants.map(({ quantity }) => quantity)).toEqual([5, 0]);
    await undo(id);
    expect(await catalogue()).toEqual(before);
    // The push before is not undone.
    expect(await read(id)).toMatchObject({ status, unchanged });
    await expectAudited(id);
  },
);

longTest(
  'lost answers, throttling and a cancel leave the store as planned, and the undo as before',
  async () => {
    const label = 'Lost';
    const id = await goneBy(label, shelf(label, 40), withoutFirst(6));
    const before = await catalogue();
    const lines = await plan(id, 'archive');
    for (const after of [0, 2]) {
      await stack.store.fault({ kind: 'drop-after', operation: 'productSet', after, times: 1 });
    }
    await begin(id);
    expect(await ended(id)).toEqual(lines);
    const archived = (await productsNamed(`${label} vase`)).filter(({ status }) => status === 'ARCHIVED');
    expect(archived.map(({ title }) => title).sort()).toEqual(
      [1, 2, 3, 4, 5, 6].map((at) => `${label} vase ${at}`),
    );
    await expectAudited(id);
    await undo(id);
    expect(await catalogue()).toEqual(before);

    await plan(id, 'quantity');
    for (const operation of ['productSet', 'inventorySetQuantities']) {
      await stack.store.fault({ kind: 'drop-after', operation, after: 1, times: 1 });
    }
    await begin(id);
    expect(new Set(Object.values(await ended(id)))).toEqual(new Set(['quantity']));
    await undo(id);
    expect(await catalogue()).toEqual(before);
  },
);

test.runIf(isLong)(
  'the status before of a product that is listed again is proposed, and a push publishes it only then',
  async () => {
    const label = 'Back';
    const rows = shelf(label);
    const id = await goneBy(label, rows, withoutFirst(2));
    await plan(id, 'archive');
    await begin(id);
    await ended(id);
    // What else is done with them, or was done and undone, leaves the status.
    await plan(id, 'tag', ['s:BACK-1']);
    await begin(id);
    await ended(id);
    await plan(id, 'quantity', ['s:BACK-2']);
    await begin(id);
    await ended(id);
    await undo(id);
    const told = 'select message from activity where import_id = $1 order by id desc limit 2';
    expect(await query(told, [id])).toEqual([
      { message: `The change of products that ${label} 3.csv no longer lists was undone.` },
      { message: `Undoing the change of products that ${label} 3.csv no longer lists.` },
    ]);
    const next = await listed(
      `${label} 4.csv`,
      rows.map((row) => ({ ...row, Price: '11.00' })),
    );
    type Proposed = { id: number; row: number; field: string };
    const { proposals } = await call<{ proposals: Proposed[] }>('GET', `/api/queue/${next}/proposals`);
    const because = 'It was archived because it was no longer listed. It is listed again now.';
    expect(proposals).toMatchObject(
      [1, 2].map((row) => ({ row, field: 'status', before: 'active', value: 'active', reason: because })),
    );
    const take = { action: 'take' };
    await call('POST', `/api/queue/${next}/proposals/${proposals[1]?.id}`, take);
    await pushed(next);
    for (const [at, status] of [
      [1, 'ARCHIVED'],
      [2, 'ACTIVE'],
    ] as const) {
      const [one] = (await productsNamed(`${label} vase ${at}`)).filter(
        ({ title }) => title === `${label} vase ${at}`,
      );
      expect(one).toMatchObject({ status, variants: [{ price: '11.00' }] });
    }
    // Another list counts by now.
    expect(
      await stack.api.call('POST', `/api/queue/${id}/gone/plan`, { body: { action: 'tag' } }),
    ).toMatchObject({
      status: 409,
    });
  },
);

longTest(
  'no status is proposed for a product that is listed again and whose quantity was set to 0',
  async () => {
    const label = 'Again';
    const rows = shelf(label);
    await saveSettings(stack.database.db, { draftMode: true });
    await pushed(await listed(`${label} 1.csv`, rows));
    await saveSettings(stack.database.db, { draftMode: false });
    for (const { id } of await productsNamed(`${label} vase`))
      await stack.store.edit(id, { status: 'ACTIVE' });
    const left = rows.slice(2);
    await counted(await listed(`${label} 2.csv`, left));
    const id = await counted(await listed(`${label} 3.csv`, left.toReversed()));
    await sayComplete(id);
    expect(Object.values(await plan(id, 'quantity'))).toEqual(['quantity', 'quantity']);
    await begin(id);
    await ended(id);
    const next = await listed(`${label} 4.csv`, rows);
    expect(await call('GET', `/api/queue/${next}/proposals`)).toMatchObject({ proposals: [] });
  },
);

test.runIf(isLong)(
  'full auto does what the supplier’s standing answer says, with 50 products of a list at most, once',
  async () => {
    const label = 'Auto';
    const rows = shelf(label, 60);
    await pushed(await listed(`${label} 1.csv`, rows));
    const id = await listed(`${label} 2.csv`, rows.slice(52));
    const { supplier } = await read(id);
    await call('PUT', `/api/suppliers/${supplier}/answers`, {
      set: { sendsComplete: true, goneAfter: 1, whenGone: 'archive' },
      from: { whenGone: 'nothing' },
    });
    // Its size speaks against it: nothing happens by itself.
    await pushed(id);
    await query(`update runs set automatic = true where import_id = $1 and stage = 'push'`, [id]);
    const archived = async () =>
      (await productsNamed(`${label} vase`)).filter(({ status }) => status === 'ARCHIVED').length;
    expect(
      await stack.api.call('POST', `/api/queue/${id}/gone/plan`, { body: { action: 'tag' } }),
    ).toMatchObject({
      status: 409,
    });
    await call('PUT', `/api/queue/${id}/list`, { isWhole: true });
    await until('full auto has changed them', async () => (await readGone(id)).state === 'undone');
    expect(await archived()).toBe(50);
    expect((await readGone(id)).results).toEqual(
      expect.arrayContaining([
        { end: 'archive', code: null, products: 50 },
        { end: 'keep', code: 'later', products: 2 },
      ]),
    );
    expect(await query(`select automatic from runs where import_id = $1 and kind = 'gone'`, [id])).toEqual([
      { automatic: true },
    ]);
    // Not again when the plan has been removed.
    await query(`delete from previews where import_id = $1 and kind = 'gone'`, [id]);
    await carryOutStandingActions(stack.database.db);
    expect(await readGone(id)).toMatchObject({ state: 'none' });
    // What was undone is not done again because of the next list, and neither is what was done.
    await undo(id);
    expect(await archived()).toBe(0);
    const next = await pushed(await listed(`${label} 3.csv`, rows.slice(52).toReversed()));
    await query(`update runs set automatic = true where import_id = $1 and stage = 'push'`, [next]);
    await call('PUT', `/api/queue/${next}/list`, { isWhole: true });
    await until('full auto has changed the others', async () => (await readGone(next)).state === 'undone');
    expect((await readGone(next)).results).toEqual(
      expect.arrayContaining([
        { end: 'archive', code: null, products: 2 },
        { end: 'keep', code: 'undone', products: 50 },
      ]),
    );
    expect(await archived()).toBe(2);
  },
);
