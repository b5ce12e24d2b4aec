import type { Plan } from '@draftshelf/contract/push/plan';
import { afterEach, expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { csvOf, productCsv, until } from '../../support/fixture.ts';
import { planSteps } from '../../support/plan-steps.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';
import { undoSteps } from '../../support/undo-steps.ts';

const it = testOnWorkers(pushers);
const longIt = it.runIf(isLong);
const { read, reach, push, edit, importOf, productsNamed } = pushSteps(() => stack);
const { preview, begin, ended, undo, expectAudited, effects } = undoSteps(() => stack);
const { plan } = planSteps(() => stack);

afterEach(() => stack.store.clearFaults());

const call = async (method: string, path: string, body?: object) =>
  stack.api.call(method, path, body ? { body } : undefined);
let files = 0;
/** An import of products with these titles. */
async function fileOf(...titles: string[]): Promise<string> {
  files += 1;
  const rows = titles.map((title, at) => [title, `${at + 1}0`, `UC-${files}-${at}`]);
  const csv = csvOf([['Title', 'Price', 'SKU'], ...rows]);
  return (await importOf(csv, `${files}`.padStart(4, 'c').padEnd(64, 'c'))).id;
}
/** An import of a file, uploaded as an operator does. The same products are the same file. */
async function uploaded(filename: string, products: number | string, before: Record<string, string> = {}) {
  const csv = typeof products === 'string' ? products : productCsv(products);
  const { body } = await stack.api.upload(csvForm(csv, { filename, before }));
  const { id } = body as { id: string };
  await reach(id, 'processed');
  return id;
}
async function pushed(...titles: string[]): Promise<string> {
  const id = await fileOf(...titles);
  await push(id);
  await reach(id, 'completed');
  return id;
}
async function changeInStore(title: string, change: object): Promise<void> {
  const [product] = await productsNamed(title);
  if (!product) throw new Error(`The store has no ${title}`);
  await stack.store.edit(product.id, change);
}
const results = (lines: Awaited<ReturnType<typeof ended>>) =>
  lines.map(({ title, result, result_code }) => `${title}: ${result} ${result_code}`).toSorted();
const pricesOf = (products: Awaited<ReturnType<typeof productsNamed>>) =>
  products.map(({ title, variants }) => `${title} ${variants[0]?.price}`).toSorted();
/** As if the worker had died between the writes of an import and reading the products back. */
async function forgetReadBack(id: string): Promise<void> {
  const ofImport = 'from pushed_states where listings.state_id = pushed_states.id and import_id = $1';
  await until('the products are read back', async () => {
    const unread = `select 1 from listings where baseline is null and exists (select ${ofImport})`;
    return (await stack.database.pool.query(unread, [id])).rows.length === 0;
  });
  await stack.database.pool.query(
    `update listings set baseline = null, baseline_read_at = null ${ofImport}`,
    [id],
  );
}

longIt(
  'a push that has failed half-way is undone, with the product whose answer nobody could read',
  async () => {
    const before = await stack.store.products();
    const { id } = await importOf(productCsv(8), 'a'.repeat(64));
    await stack.store.fault({ kind: 'other-shape', operation: 'productSet', every: 4 });
    await push(id);
    expect(await reach(id, 'failed')).toMatchObject({ failed_in: 'push' });
    const inStore = (await stack.store.products()).length - before.length;
    expect(inStore).toBeGreaterThan(1);
    const lines = await undo(id);
    expect(lines.map(({ result }) => result)).toEqual(Array.from({ length: inStore }, () => 'delete'));
    expect(await stack.store.products()).toEqual(before);
    expect(await read(id)).toMatchObject({
      status: 'processed',
      created: 0,
      failed_in: null,
      error_message: null,
    });
    await expectAudited(id);

    await push(id);
    expect(await reach(id, 'completed')).toMatchObject({ created: 8 });
  },
);

longIt('a test with the first three rows is undone; the rest of the file was never sent', async () => {
  const before = await stack.store.products();
  const id = await uploaded('nine.csv', 9, { testMode: 'true' });
  await push(id);
  expect(await reach(id, 'completed')).toMatchObject({ created: 3 });
  expect(await undo(id)).toHaveLength(3);
  expect(await stack.store.products()).toEqual(before);
  expect(await read(id)).toMatchObject({ status: 'processed', created: 0 });
  await expectAudited(id);
});

it.runIf(isLong)(
  'products of a test stay if the whole file was pushed since, unless the operator deletes them anyway',
  async () => {
    const before = await stack.store.products();
    const test = await uploaded('test.csv', 8, { testMode: 'true' });
    await push(test);
    expect(await reach(test, 'completed')).toMatchObject({ created: 3 });
    const whole = await uploaded('whole.csv', 8);
    await push(whole);
    expect(await reach(whole, 'completed')).toMatchObject({ created: 5, unchanged: 3 });

    const line = {
      ...{ action: 'keep', code: 'also-pushed', choices: 'keep,archive,delete' },
      message: 'whole.csv also pushed this product later. If you delete the product, that import loses it.',
    };
    expect(await preview(test, { whenUnsure: 'archive' })).toMatchObject([line, line, line]);
    await begin(test);
    expect(await ended(test)).toMatchObject(
      [1, 2, 3].map(() => ({ result: 'keep', result_code: 'also-pushed' })),
    );
    expect(await stack.store.products()).toHaveLength(before.length + 8);
    expect(await read(test)).toMatchObject({ status: 'completed', created: 3 });

    // A deletion that was chosen because of that is not one of what a colleague has changed since.
    const [first] = await preview(test);
    const body = { code: 'also-pushed', choice: 'delete' };
    expect(await call('POST', `/api/queue/${test}/push-undo/choices`, body)).toMatchObject({ status: 200 });
    const id = Number(first?.store_product_id?.split('/').at(-1));
    const retitle = (title: string) => stack.store.edit(id, { title });
    await retitle('By Kim');
    await begin(test);
    const also =
      ' whole.csv also pushed this product later. If you delete the product, that import loses it.';
    const changed = 'Changed in the store since the push (title).';
    expect(await ended(test)).toMatchObject([
      { result: 'keep', result_code: 'changed', result_message: `${changed}${also}` },
      { result: 'delete', result_code: 'also-pushed' },
      { result: 'delete', result_code: 'also-pushed' },
    ]);

    // The push of the whole file takes back only what it has created, and then loses nothing any more.
    expect((await undo(whole)).map(({ result }) => result)).toEqual([1, 2, 3, 4, 5].map(() => 'delete'));
    expect(await preview(test)).toMatchObject([{ action: 'keep', code: 'changed', message: changed }]);
    await retitle(first?.title ?? '');
    expect(await undo(test)).toMatchObject([{ result: 'delete', result_code: null }]);
    expect(await stack.store.products()).toEqual(before);
    for (const one of [test, whole]) await expectAudited(one);

    // What was pushed before a product was created again is no reason to keep it.
    await push(test);
    expect(await reach(test, 'completed')).toMatchObject({ created: 3 });
    expect((await undo(test)).map(({ result }) => result)).toEqual([1, 2, 3].map(() => 'delete'));
  },
);

longIt('a product stays that another import skipped because the store has it under another id', async () => {
  const skus = ['UC-SAME-1', 'UC-SAME-2', 'UC-SAME-3'];
  const fileWith = async (content: string, titles: string[]) => {
    const rows = titles.map((title, at) => [title, '5', skus[at] ?? '']);
    const { id } = await importOf(csvOf([['Title', 'Price', 'SKU'], ...rows]), content.repeat(64));
    await push(id);
    await reach(id, 'completed');
    return id;
  };
  const first = await fileWith('d', ['Rug one', 'Rug two', 'Rug three']);
  const other = await fileWith('e', ['Carpet one', 'Carpet two']);
  expect(await read(other)).toMatchObject({ created: 0, skipped: 2 });
  // The second one gets a product of its own, which needs the first import's no more.
  await plan(other);
  const own = { about: 'in-store', choice: 'create', product: 2 };
  expect(await call('POST', `/api/queue/${other}/plan/choices`, own)).toMatchObject({ status: 200 });
  await push(other);
  expect(await reach(other, 'completed')).toMatchObject({ created: 1, skipped: 1 });

  // In the order in which they were created, two of them at the same time.
  const planned = (await preview(first)).map(({ title, action, code }) => [title, action, code]);
  expect(planned.toSorted()).toEqual([
    ['Rug one', 'keep', 'also-pushed'],
    ['Rug three', 'delete', null],
    ['Rug two', 'delete', null],
  ]);
  await begin(first);
  const message = `${(await read(other)).filename} also pushed this product later. If you delete the product, that import loses it.`;
  expect(await ended(first)).toMatchObject([{ result: 'keep', message }, {}, {}]);
  expect((await productsNamed('Rug')).map(({ title }) => title)).toEqual(['Rug one']);
  await expectAudited(first);
});

longIt('more than 1,000 deletions need their number', async () => {
  const id = await pushed('Number one', 'Number two');
  await preview(id);
  // Nothing else depends on how many products a preview has.
  const { rows } = await stack.database.pool.query(
    `update previews set sums = '{"delete::choice": 1001}' where import_id = $1 and replaced_at is null
     returning sums`,
    [id],
  );
  expect(rows).toHaveLength(1);
  expect((await call('GET', `/api/queue/${id}/push-undo`)).body).toMatchObject({ asksForDeletions: true });
  const start = (deletions?: number) => call('POST', `/api/queue/${id}/undo-push`, { run: 1, deletions });
  for (const wrong of [undefined, 1000]) {
    expect(await start(wrong)).toMatchObject({
      status: 409,
      body: { message: '1,001 products would be deleted. Type this number to confirm it.' },
    });
  }
  expect(await read(id)).toMatchObject({ status: 'completed', undoes_run: null });
  expect(await start(1001)).toMatchObject({ status: 202 });
  expect(results(await ended(id))).toEqual(['Number one: delete null', 'Number two: delete null']);
});

longIt(
  'a product with other content under our id gets its values back, and the next push asks about it again',
  async () => {
    const id = await pushed('Desk');
    await stack.database.pool.query(
      'delete from listings where our_id in (select our_id from outcomes where import_id = $1)',
      [id],
    );
    await changeInStore('Desk', { vendor: 'Colleague', tags: ['own'] });
    const before = await productsNamed('Desk');
    await edit(id, 1, { title: 'Desk by us', vendor: 'Wrong' });
    expect((await plan(id)).lines).toMatchObject([{ code: 'different-content' }]);
    await call('POST', `/api/queue/${id}/plan/choices`, { about: 'different-content', choice: 'update' });
    await push(id);
    expect(await reach(id, 'completed')).toMatchObject({ updated: 1 });
    expect(await undo(id)).toMatchObject([{ result: 'restore', result_code: null }]);
    const values = (products: Awaited<ReturnType<typeof productsNamed>>) =>
      products.map(({ title, status, variants }) => ({ title, status, variants }));
    const now = await productsNamed('Desk');
    expect(values(now)).toEqual(values(before));
    expect(now).toMatchObject([{ vendor: 'Colleague', tags: ['own'] }]);
    await expectAudited(id);
    expect((await plan(id)).lines).toMatchObject([{ code: 'different-content', choice: null }]);
  },
);

it('a push that followed choices is undone, also what it kept as a colleague had changed it', async () => {
  const id = await pushed('Shelf kept', 'Shelf ours', 'Shelf again');
  for (const row of [1, 2, 3]) await edit(id, row, { price: `${row}1`, title: `Shelf new ${row}` });
  await changeInStore('Shelf kept', { title: 'Shelf kept by Kim' });
  await changeInStore('Shelf ours', { title: 'Shelf ours by Kim' });
  await changeInStore('Shelf again', { deleted: true });
  const before = await productsNamed('Shelf');
  await plan(id);
  const choices = [
    { about: 'drifted', choice: 'keep-store', product: 1 },
    { about: 'drifted', choice: 'use-ours', product: 2 },
    { about: 'deleted-in-store', choice: 'create' },
  ];
  for (const body of choices) {
    expect(await call('POST', `/api/queue/${id}/plan/choices`, body)).toMatchObject({ status: 200 });
  }
  await push(id);
  expect(await reach(id, 'completed')).toMatchObject({ updated: 2, created: 1 });
  await forgetReadBack(id);
  expect(results(await undo(id))).toEqual([
    ...['Shelf new 1: restore null', 'Shelf new 2: restore null', 'Shelf new 3: delete null'],
  ]);
  expect(pricesOf(await productsNamed('Shelf'))).toEqual(pricesOf(before));
  await expectAudited(id);
  // What Kim had changed is asked about again.
  const asked = { code: 'drifted', message: expect.stringContaining('(title)'), choice: null };
  expect((await plan(id)).lines).toMatchObject([asked, asked, { outcome: 'created' }]);
});

longIt('a product of which our last state was not known is asked about again after an undo', async () => {
  const id = await pushed('Console');
  await edit(id, 1, { price: '99' });
  await changeInStore('Console', { title: 'Console by Kim' });
  await forgetReadBack(id);
  const asked = { code: 'drifted', choices: 'use-ours,skip', choice: null };
  expect((await plan(id)).lines).toMatchObject([asked]);
  const body = { about: 'drifted', choice: 'use-ours' };
  expect(await call('POST', `/api/queue/${id}/plan/choices`, body)).toMatchObject({ status: 200 });
  await push(id);
  expect(await reach(id, 'completed')).toMatchObject({ updated: 1 });
  expect(results(await undo(id))).toEqual(['Console: restore null']);
  expect((await plan(id)).lines).toMatchObject([asked]);
});

it('a product that stayed is answered later, by a second undo of the same push', async () => {
  const id = await pushed('Stool one', 'Stool two');
  await changeInStore('Stool two', { vendor: 'Colleague' });
  expect(results(await undo(id))).toEqual(['Stool one: delete null', 'Stool two: keep changed']);
  expect(await read(id)).toMatchObject({ status: 'processed', created: 1 });

  expect(await preview(id)).toMatchObject([{ title: 'Stool two', action: 'keep', code: 'changed' }]);
  const changes = (line: number) => call('GET', `/api/queue/${id}/push-undo/products/${line}/changes`);
  expect(await changes(1)).toMatchObject({
    status: 200,
    body: { changes: [{ author: 'Sam Lee', app: null }, { app: 'Draftshelf' }] },
  });
  expect(await changes(2)).toMatchObject({ status: 404 });
  const body = { code: 'changed', choice: 'delete' };
  expect(await call('POST', `/api/queue/${id}/push-undo/choices`, body)).toMatchObject({ status: 200 });
  await begin(id);
  expect(results(await ended(id))).toEqual(['Stool two: delete changed']);
  expect(await productsNamed('Stool')).toEqual([]);
  expect(await read(id)).toMatchObject({ status: 'processed', created: 0 });
  expect((await effects(id)).toSorted()).toEqual(['deleted', 'deleted', 'kept']);
  await expectAudited(id);
});

it('a restore whose answer was lost is recorded as one, whether or not a part stays or the product was read', async () => {
  const id = await pushed('Bench touched', 'Bench unread');
  for (const row of [1, 2]) await edit(id, row, { price: '99', vendor: 'Wrong' });
  await push(id);
  expect(await reach(id, 'completed')).toMatchObject({ updated: 2 });
  await changeInStore('Bench touched', { vendor: 'Colleague' });
  await stack.database.pool.query(
    `update listings set baseline = null, baseline_read_at = null from pushed_states
     where listings.state_id = pushed_states.id and import_id = $1 and sent ->> 'title' = 'Bench unread'`,
    [id],
  );
  await preview(id);
  await stack.store.fault({ kind: 'drop-after', operation: 'productSet', times: 2 });
  await begin(id);
  expect(results(await ended(id))).toEqual(['Bench touched: restore changed', 'Bench unread: restore null']);
  expect(pricesOf(await productsNamed('Bench'))).toEqual(['Bench touched 10.00', 'Bench unread 20.00']);
  expect(await read(id)).toMatchObject({ status: 'processed', updated: 0 });
  await expectAudited(id);
});

/** Pushes a product, then another version of it that nobody has read back, and previews the undo of that. */
async function pushedUnread(title: string): Promise<string> {
  const id = await pushed(title);
  await edit(id, 1, { description: 'Wrong text.', vendor: 'Wrong' });
  await push(id);
  expect(await reach(id, 'completed')).toMatchObject({ updated: 1 });
  await forgetReadBack(id);
  expect(await preview(id)).toMatchObject([{ action: 'restore', code: null }]);
  return id;
}

/** Begins an undo whose first writes never arrive. Somebody changes a product while the first is on its way. */
async function beginAndLose(id: string, writes: number, title: string, change: object): Promise<void> {
  const sent = async () => (await stack.store.stats()).requests.productSet ?? 0;
  const before = await sent();
  await stack.store.fault({ kind: 'delay', delayMs: 8_000, operation: 'productSet' });
  await stack.store.fault({ kind: 'drop-before', operation: 'productSet', times: writes });
  await begin(id);
  await until('a write is on its way', async () => (await sent()) > before);
  await changeInStore(title, change);
}

longIt('what a colleague changes between lost writes of an undo stays', async () => {
  const id = await pushedUnread('Crate');
  await beginAndLose(id, 2, 'Crate', { descriptionHtml: '<p>By Kim.</p>' });
  expect(results(await ended(id))).toEqual(['Crate: restore changed']);
  expect(await productsNamed('Crate')).toMatchObject([
    { descriptionHtml: '<p>By Kim.</p>', vendor: expect.not.stringContaining('Wrong') },
  ]);
  await expectAudited(id);
});

longIt(
  'a product counts as kept if no write of its undo arrived before a colleague changed all of it',
  async () => {
    const id = await pushedUnread('Trunk');
    // With our hash, so that nothing is left to do.
    const metafield = { namespace: 'scd', key: 'payload', type: 'single_line_text_field', value: 'By Kim' };
    await beginAndLose(id, 1, 'Trunk', { descriptionHtml: '<p>By Kim.</p>', vendor: 'Kim', metafield });
    expect(results(await ended(id))).toEqual(['Trunk: keep changed']);
    expect(await productsNamed('Trunk')).toMatchObject([
      { descriptionHtml: '<p>By Kim.</p>', vendor: 'Kim' },
    ]);
    expect(await read(id)).toMatchObject({ updated: 1 });
    await expectAudited(id);
  },
);

longIt('a restore counts as one when a quantity was changed between its writes', async () => {
  const csv = csvOf([
    ['Title', 'Price', 'SKU', 'Quantity'],
    ['Chest', '10', 'V-chest', '5'],
  ]);
  const { id } = await importOf(csv, 'd'.repeat(64));
  await push(id);
  await reach(id, 'completed');
  await edit(id, 1, { vendor: 'Wrong', quantity: '9' });
  await push(id);
  expect(await reach(id, 'completed')).toMatchObject({ updated: 1 });
  await forgetReadBack(id);
  expect(await preview(id)).toMatchObject([{ action: 'restore', code: null }]);
  const sent = async () => (await stack.store.stats()).requests.inventorySetQuantities ?? 0;
  const before = await sent();
  await stack.store.fault({ kind: 'delay', delayMs: 8_000, operation: 'inventorySetQuantities' });
  await begin(id);
  await until('the quantity is on its way', async () => (await sent()) > before);
  await changeInStore('Chest', { quantity: 7 });
  expect(results(await ended(id))).toEqual(['Chest: restore changed']);
  expect(await productsNamed('Chest')).toMatchObject([{ vendor: expect.not.stringContaining('Wrong') }]);
  await expectAudited(id);
});

longIt(
  'a restore counts as one when the store refuses its last write after the answer to the first was lost',
  async () => {
    const csv = csvOf([
      ['Title', 'Price', 'SKU', 'Quantity'],
      ['Settle', '10', 'V-settle', '5'],
    ]);
    const { id } = await importOf(csv, 'e'.repeat(64));
    await push(id);
    await reach(id, 'completed');
    await edit(id, 1, { vendor: 'Wrong', quantity: '9' });
    await push(id);
    expect(await reach(id, 'completed')).toMatchObject({ updated: 1 });
    expect(await preview(id)).toMatchObject([{ action: 'restore', code: null }]);
    await stack.store.fault({ kind: 'drop-after', operation: 'productSet' });
    await stack.store.fault({ kind: 'status', status: 400, operation: 'inventorySetQuantities' });
    await begin(id);
    expect(results(await ended(id))).toEqual(['Settle: restore store-refused']);
    expect(await productsNamed('Settle')).toMatchObject([{ vendor: expect.not.stringContaining('Wrong') }]);
    expect(await read(id)).toMatchObject({ status: 'processed', updated: 0 });
    await expectAudited(id);
    // What the undo has written is nobody else's change.
    expect((await plan(id)).lines).toMatchObject([{ outcome: 'updated', code: null }]);
  },
);

it.runIf(isLong)(
  'a push is undone when an undo of it has ended, and not all products stayed; plans made before are told',
  async () => {
    const id = await fileOf('Rack');
    await plan(id);
    await push(id);
    await reach(id, 'completed');
    const isUndone = async () => {
      const { body } = await call('GET', `/api/queue/${id}/plan`);
      return (body as Plan).push?.isUndone;
    };
    await changeInStore('Rack', { vendor: 'Colleague' });
    expect(results(await undo(id))).toEqual(['Rack: keep changed']);
    expect(await isUndone()).toBe(false);
    const other = await fileOf('Peg');
    await plan(other);
    const isOtherOutdated = async () =>
      ((await call('GET', `/api/queue/${other}/plan`)).body as Plan).outdated.store;
    expect(await isOtherOutdated()).toBe(false);
    await preview(id);
    const body = { code: 'changed', choice: 'delete' };
    expect(await call('POST', `/api/queue/${id}/push-undo/choices`, body)).toMatchObject({ status: 200 });
    await stack.store.fault({ kind: 'delay', delayMs: 8_000, operation: 'productDelete' });
    await begin(id);
    expect(await isUndone()).toBe(false);
    await ended(id);
    expect(await isUndone()).toBe(true);
    expect(await isOtherOutdated()).toBe(true);
  },
);
