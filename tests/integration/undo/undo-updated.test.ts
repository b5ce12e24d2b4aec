import { savePreferences } from '@draftshelf/core/access/preferences';
import { setMatchChoice } from '@draftshelf/core/push/push-run';
import { pushImport } from '@draftshelf/core/work/import-actions';
import type { ProductSetInput } from '@draftshelf/shopify/documents';
import { setProduct } from '@draftshelf/shopify/products';
import { afterEach, expect } from 'vitest';
import { mainLocationId } from '../../../apps/simulators/store/src/demo-shop.ts';
import { csvOf } from '../../support/fixture.ts';
import { copyStore, createByMerchant, storeClient } from '../../support/merchant-product.ts';
import { planSteps } from '../../support/plan-steps.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { recordedEvent } from '../../support/recorded-events.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';
import { undoSteps } from '../../support/undo-steps.ts';

const it = testOnWorkers(pushers);
const longIt = it.runIf(isLong);
const { read, reach, push, edit, retry, importOf, productsNamed } = pushSteps(() => stack);
const { preview, begin, ended, undo, readUndo, expectAudited, effects } = undoSteps(() => stack);
const { plan } = planSteps(() => stack);

afterEach(() => stack.store.clearFaults());

const call = async (method: string, path: string, body?: object) =>
  stack.api.call(method, path, body ? { body } : undefined);
const fileOf = async (names: readonly string[], key: string) =>
  (
    await importOf(
      csvOf([
        ['Title', 'Price', 'SKU'],
        ...names.map((name, at) => [name, `${at + 1}0`, `V-${name}-${key}`]),
      ]),
      key.repeat(64),
    )
  ).id;
const priceOf = async (title: string) => (await productsNamed(title))[0]?.variants?.[0]?.price;
/** Begins a push that updates the products that the store has under another id. */
const takeOver = (id: string) =>
  stack.database.db.transaction().execute(async (trx) => {
    const begun = await pushImport(trx, id, 25, { supplier: null });
    if (!begun.ok) throw new Error(begun.reason);
    await setMatchChoice(trx, { import_id: id, run: begun.import.push_run }, 'update');
  });
/** Products whose titles begin so, in one order, without the time of their last change. */
const untimed = async (title: string) =>
  (await productsNamed(title))
    .map((product) => ({
      ...product,
      updatedAtMs: null,
      metafields: product.metafields.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    }))
    .sort((a, b) => a.id - b.id);

it.runIf(isLong)(
  'variants behind the hundredth get their prices and quantities, and an undo takes them back',
  async () => {
    const sizes = Array.from({ length: 130 }, (_, at) => `${at + 1}cm`);
    const inventoryQuantities = [{ locationId: mainLocationId, name: 'available', quantity: 3 }];
    const variant = { inventoryItem: { tracked: true }, inventoryQuantities };
    await createByMerchant(stack, 'Many sizes', 'MANY', { sizes, variant });
    const [before] = await untimed('Many sizes');
    const row = (size: string) => ['many', 'Many sizes', '9', `MANY-${size}`, 'Size', size, '3'];
    const header = ['Handle', 'Title', 'Price', 'SKU', 'Option1 Name', 'Option1 Value', 'Quantity'];
    const { id } = await importOf(csvOf([header, ...['115cm', '128cm'].map(row)]), '7e'.repeat(32));
    await takeOver(id);
    expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: 1 });
    const changed = (change: Record<number, object>) =>
      before?.variants.map((one, at) => ({ ...one, ...change[at + 1] }));
    const price = { price: '9.00' };
    const priced = { 115: price, 128: price };
    const [taken] = await untimed('Many sizes');
    expect({ ...taken, metafields: before?.metafields }).toEqual({ ...before, variants: changed(priced) });

    await edit(id, 1, { quantity: '77' });
    await edit(id, 2, { quantity: '78' });
    await push(id);
    expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: 1 });
    const stocked = await untimed('Many sizes');
    expect(stocked[0]?.variants.map((one) => (one as { quantity?: number }).quantity)).toEqual(
      sizes.map((size) => ({ '115cm': 77, '128cm': 78 })[size] ?? 3),
    );
    await undo(id);
    expect((await untimed('Many sizes'))[0]?.variants).toEqual(changed(priced));
    await undo(id, { run: 1 });
    expect(await untimed('Many sizes')).toEqual([before]);
  },
);

it.runIf(isLong)(
  'a further barcode is a key, and no push or undo removes one that it has not set',
  async () => {
    const [ean, isbn] = [
      { type: 'EAN', value: '5901234123457' },
      { type: 'ISBN', value: '9780306406157' },
    ];
    await createByMerchant(stack, 'Coded', 'CODED', { variant: { barcodes: [ean, isbn] } });
    const before = await untimed('Coded');
    const csv = csvOf([
      ['Title', 'Price', 'SKU', 'UPC'],
      ['Coded', '9', '', isbn.value],
    ]);
    const { id } = await importOf(csv, '8c'.repeat(32));
    await takeOver(id);
    expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: 1 });
    const barcodes = async () => (await untimed('Coded'))[0]?.variants.map((one) => one as object);
    expect(await barcodes()).toMatchObject([{ price: '9.00', barcode: ean.value, barcodes: [ean, isbn] }]);
    await edit(id, 1, { upc: '9780262033848' });
    await push(id);
    expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: 1 });
    expect(await barcodes()).toMatchObject([
      { barcode: '9780262033848', barcodes: [{ value: '9780262033848' }, ean, isbn] },
    ]);
    await undo(id);
    await undo(id, { run: 1 });
    expect(await untimed('Coded')).toEqual(before);
  },
);

it('an update is taken back but for the value of a colleague; then the products are pushed again', async () => {
  const id = await fileOf(['Lamp one', 'Lamp two', 'Lamp three'], 'f');
  await push(id);
  await reach(id, 'completed');
  const before = await untimed('Lamp');
  for (const row of [1, 2]) await edit(id, row, { price: '99.00', vendor: 'Wrong' });
  await push(id);
  expect(await reach(id, 'completed')).toMatchObject({ updated: 2, unchanged: 1 });
  const [second] = await productsNamed('Lamp two');
  await stack.store.edit(second?.id ?? 0, { vendor: 'Colleague' });

  const previewed = await preview(id);
  expect(previewed.map(({ title, action, code }) => [title, action, code])).toEqual(
    expect.arrayContaining([
      ['Lamp one', 'restore', null],
      ['Lamp two', 'restore', 'changed'],
    ]),
  );
  const { body } = await call('GET', `/api/queue/${id}/push-undo/products?code=changed`);
  expect(body).toMatchObject({
    products: [
      {
        title: 'Lamp two',
        parts: [{ part: 'vendor', ours: 'Wrong', now: 'Colleague', reason: 'changed' }],
        choices: [],
        storeUrl: expect.stringContaining('/products/'),
      },
    ],
    next: null,
  });
  await begin(id);
  await ended(id);
  expect((await untimed('Lamp')).filter(({ title }) => title !== 'Lamp two')).toEqual(
    before.filter(({ title }) => title !== 'Lamp two'),
  );
  expect(await priceOf('Lamp two')).toBe('20.00');
  expect(await productsNamed('Lamp two')).toMatchObject([{ vendor: 'Colleague' }]);
  expect(await read(id)).toMatchObject({ status: 'processed', created: 0, updated: 0, unchanged: 1 });
  expect(await effects(id)).toEqual(['restored', 'restored']);
  await expectAudited(id);
  // The rows say so, and the sums add up.
  const shown = async () => {
    const { body } = await call('GET', `/api/queue/${id}/rows`);
    const rows = (body as { rows: { outcome: { result: string } | null; undone?: object }[] }).rows;
    const job = ((await call('GET', `/api/queue/${id}?rows=0`)).body as { job: { undone: number } }).job;
    return { rows: rows.map(({ outcome, undone }) => outcome?.result ?? undone), undone: job.undone };
  };
  const restored = { effect: 'restored', storeUrl: expect.stringContaining('/products/') };
  expect(await shown()).toEqual({ rows: [restored, restored, 'unchanged'], undone: 2 });
  const report = await call('GET', `/api/queue/${id}/report`);
  expect(report.body).toMatchObject({ outcomes: { unchanged: 1 }, undone: 2, undecided: 0 });
  const csv = await call('GET', `/api/queue/${id}/ledger.csv`);
  expect(String(csv.body)).toContain('restored');

  await push(id);
  await reach(id, 'completed', 'failed');
  expect(await priceOf('Lamp one')).toBe('99.00');
  // Its vendor is the colleague's, so the push asks before it sets the file's.
  expect(await productsNamed('Lamp two')).toMatchObject([{ vendor: 'Colleague' }]);
  expect(await read(id)).toMatchObject({ updated: 1, unchanged: 1, skipped: 1 });
  expect(await shown()).toEqual({ rows: ['updated', 'skipped', 'unchanged'], undone: 0 });
  await expectAudited(id);
});

it('a product that another import changed later is kept, and a choice decides about one that it left unchanged', async () => {
  const id = await fileOf(['Chair one', 'Chair two'], '9');
  await push(id);
  await reach(id, 'completed');
  const other = await fileOf(['Chair one', 'Chair two'], '9');
  await edit(other, 1, { price: '77.00' });
  await push(other);
  await reach(other, 'completed');
  const [second] = await productsNamed('Chair two');
  await stack.store.edit(second?.id ?? 0, { title: 'Chair two by a colleague' });

  const lines = await preview(id, { run: 1 });
  expect(new Map(lines.map(({ title, action, code }) => [title, `${action} ${code}`]))).toEqual(
    new Map([
      ['Chair one', 'keep pushed-later'],
      ['Chair two', 'keep changed'],
    ]),
  );
  expect(lines.find(({ code }) => code === 'changed')).toMatchObject({
    message: expect.stringMatching(
      /^Changed in the store .* also pushed this product later\. If you delete the product, that import loses it\.$/,
    ),
  });
  const choices = `/api/queue/${id}/push-undo/choices`;
  const chosen = await call('POST', choices, { code: 'changed', choice: 'archive' });
  expect(chosen).toMatchObject({ status: 200, body: { products: 1 } });
  expect(await call('POST', choices, { code: 'pushed-later', choice: 'delete' })).toMatchObject({
    status: 409,
  });
  expect((await call('GET', `/api/queue/${id}/push-undo`)).body).toMatchObject({
    sums: expect.arrayContaining([
      { action: 'archive', code: 'changed', products: 1 },
      { action: 'keep', code: 'pushed-later', products: 1 },
    ]),
  });
  expect(await call('POST', `/api/queue/${id}/undo-push`, { run: 1 })).toMatchObject({ status: 202 });
  const event = { client: '127.0.0.1', import_id: id };
  expect(await recordedEvent(stack.database.pool, 'undo-begun')).toMatchObject(event);
  expect((await ended(id)).map(({ title, result }) => [title, result])).toEqual(
    expect.arrayContaining([
      ['Chair one', 'keep'],
      ['Chair two', 'archive'],
    ]),
  );
  expect(await productsNamed('Chair two')).toMatchObject([{ status: 'ARCHIVED' }]);
  expect(await priceOf('Chair one')).toBe('77.00');
  expect(await read(id)).toMatchObject({ status: 'processed', created: 1 });
  await expectAudited(id);
  expect((await readUndo(id)).ended_at).not.toBeNull();
});

it.runIf(isLong)(
  'a take-over whose answer was lost is handed back to the merchant with all its values',
  async () => {
    await createByMerchant(stack, 'Bowl by the merchant', 'H-1', { images: 2 });
    const before = await untimed('Bowl by');
    const { id } = await importOf(
      csvOf([
        ['Title', 'Price', 'SKU'],
        ['Bowl by us', '8', 'H-1'],
      ]),
      '8'.repeat(64),
    );
    await stack.store.fault({ kind: 'other-shape', operation: 'productSet' });
    await takeOver(id);
    await reach(id, 'failed');
    await retry(id);
    await reach(id, 'completed');
    expect(await productsNamed('Bowl by us')).toHaveLength(1);
    await stack.store.fault({ kind: 'drop-after', operation: 'productSet' });
    await stack.store.fault({ kind: 'drop-after', operation: 'metafieldsDelete' });
    expect(await undo(id)).toMatchObject([{ action: 'restore', result: 'restore', result_code: null }]);
    expect(await untimed('Bowl by')).toEqual(before);
    const { rows } = await stack.database.pool.query(`select 1 from product_keys where value = 'H-1'`);
    expect(rows).toEqual([]);
    await expectAudited(id);
  },
);

longIt(
  'a write that another import left without a result is not undone with the push before it',
  async () => {
    const id = await fileOf(['Stool one'], '7');
    await push(id);
    await reach(id, 'completed');
    expect(await preview(id)).toMatchObject([{ action: 'delete' }]);
    const other = await fileOf(['Stool one'], '7');
    await edit(other, 1, { price: '77.00' });
    await push(other);
    await reach(other, 'completed');
    // As if the worker had died between the write and its record.
    const { rows } = await stack.database.pool.query(
      `with removed as (delete from pushed_states where import_id = $1 returning *)
     update listings set sending = listings.sent, sending_hash = listings.sent_hash, sending_source = listings.source,
       sending_kind = 'update', sending_before = removed.before, sending_at = removed.begun_at,
       sending_chunk = (select max(id) from chunks where import_id = $1 and stage = 'push'),
       sent = removed.sent_before, sent_hash = removed.sent_hash_before, source = removed.source_before,
       baseline = earlier.after, baseline_read_at = earlier.after_read_at, state_id = earlier.id
     from removed, pushed_states earlier
     where listings.our_id = removed.our_id and earlier.our_id = removed.our_id and earlier.import_id = $2
     returning listings.our_id`,
      [other, id],
    );
    expect(rows).toHaveLength(1);
    await begin(id);
    expect(await ended(id)).toMatchObject([{ result: 'keep', result_code: 'pushed-later' }]);
    expect(await priceOf('Stool one')).toBe('77.00');
    await expectAudited(id);
  },
);

longIt('a refusal after the product was restored is recorded as a restore', async () => {
  await createByMerchant(stack, 'Jug by the merchant', 'J-1', { images: 1 });
  const file = csvOf([
    ['Title', 'Price', 'SKU'],
    ['Jug by us', '8', 'J-1'],
  ]);
  const { id } = await importOf(file, '5'.repeat(64));
  await takeOver(id);
  await reach(id, 'completed');
  await stack.store.fault({ kind: 'status', status: 400, operation: 'metafieldsDelete' });
  expect(await undo(id)).toMatchObject([{ result: 'restore', result_code: 'store-refused' }]);
  expect(await productsNamed('Jug')).toMatchObject([{ title: 'Jug by the merchant' }]);
  // It still has our id, but is not taken for what the file has sent.
  expect(await read(id)).toMatchObject({ status: 'processed', updated: 0 });
  await expectAudited(id);
});

/** Loses the answer to each of the next writes of products. */
const loseAnswers = (times: number) =>
  stack.store.fault({ kind: 'drop-after', operation: 'productSet', times });
/** Products of an import whose state after their last write is not known. */
const withoutBaseline = async (id: string) =>
  (
    await stack.database.pool.query(
      `select listings.our_id from listings join pushed_states on pushed_states.id = state_id
       where import_id = $1 and baseline is null`,
      [id],
    )
  ).rows;

longIt('a taken-over product is as it was sent after a lost answer, whatever it has of its own', async () => {
  const header = ['Title', 'Price', 'SKU', 'UPC', 'Compare At Price', 'Cost', 'Description', 'Brand', 'Tags'];
  const own: Record<string, object> = {
    compare: { variant: { compareAtPrice: '99.90' } },
    barcode: { variant: { barcode: '4006381333931' } },
    cost: { variant: { inventoryItem: { cost: '3.00', sku: undefined } } },
    policy: { variant: { inventoryPolicy: 'CONTINUE', inventoryItem: { tracked: true } } },
    weight: { variant: { inventoryItem: { measurement: { weight: { value: 2, unit: 'KILOGRAMS' } } } } },
    texts: { product: { descriptionHtml: '<p>Theirs</p>', vendor: 'Theirs', productType: 'Theirs' } },
    tags: { product: { tags: ['theirs'] } },
    images: { images: 2 },
    sizes: { sizes: ['S', 'M'] },
  };
  const names = [...Object.keys(own), 'sku'];
  for (const [name, of] of Object.entries(own))
    await createByMerchant(stack, `Own ${name}`, `OW-${name}`, of);
  const upc = '4012345678901';
  await createByMerchant(stack, 'Own sku', 'THEIRS', { variant: { barcode: upc } });
  const rows = names.map((name) =>
    name === 'sku'
      ? [`Own ${name}`, '9', 'OW-sku', upc, '', '', '', '', '']
      : [`Own ${name}`, '9', `OW-${name}`, name === 'barcode' ? '4011111111116' : '', '', '', '', '', ''],
  );
  const before = await untimed('Own');
  const { id } = await importOf(csvOf([header, ...rows]), '9d'.repeat(32));
  await loseAnswers(names.length);
  await takeOver(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: names.length });
  await stack.store.clearFaults();
  expect(await withoutBaseline(id)).toEqual([]);
  expect((await undo(id)).map(({ result, result_code }) => result_code ?? result)).toEqual(
    names.map(() => 'restore'),
  );
  expect(await untimed('Own')).toEqual(before);

  // The next list skips none, and neither does one after a take-over of products that have our id already.
  const next = async (price: string) => {
    for (const [at] of names.entries()) await edit(id, at + 1, { price });
  };
  await takeOver(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: names.length });
  await next('11');
  await stack.database.pool.query(
    'delete from listings where store_product_id in (select store_product_id from outcomes where import_id = $1)',
    [id],
  );
  await copyStore(stack);
  await plan(id);
  const choice = { about: 'different-content', choice: 'update' };
  expect(await call('POST', `/api/queue/${id}/plan/choices`, choice)).toMatchObject({
    body: { decided: names.length },
  });
  await loseAnswers(names.length);
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: names.length });
  await stack.store.clearFaults();
  expect(await withoutBaseline(id)).toEqual([]);
  await next('12');
  await push(id);
  expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: names.length, skipped: 0 });
});

longIt(
  'an update is as it was sent after a lost answer or a death, whatever it leaves as others have it',
  async () => {
    await savePreferences(stack.database.db, { sendNonOverlapping: true });
    type Variant = { id?: string; optionValues: { optionName: string; name: string }[] };
    const [small, medium] = ['S', 'M'].map((name) => ({ optionValues: [{ optionName: 'Size', name }] }));
    const of = (change: object) => [{ ...small, ...change }, medium];
    const edits: Record<string, object> = {
      title: { title: 'Left title, by Kim' },
      description: { descriptionHtml: '<p>By Kim</p>' },
      tags: { tags: ['kim'] },
    };
    const variants: Record<string, (Variant & object)[]> = Object.fromEntries(
      Object.entries({
        price: of({ price: '77.00' }),
        compare: of({ compareAtPrice: '99.90' }),
        cost: of({ inventoryItem: { cost: '1.00' } }),
        sku: of({ sku: 'KIM' }),
        barcode: of({ barcode: '4006381333931' }),
        weight: of({ inventoryItem: { measurement: { weight: { value: 2, unit: 'KILOGRAMS' } } } }),
        policy: of({ inventoryPolicy: 'CONTINUE' }),
        option: of({ optionValues: [{ optionName: 'Size', name: 'Small' }] }),
        added: [...of({}), { optionValues: [{ optionName: 'Size', name: 'Gift box' }], price: '5.00' }],
        deleted: [medium],
      }),
    ) as typeof variants;
    const names = [...Object.keys(edits), ...Object.keys(variants)];
    const header = ['Handle', 'Title', 'Price', 'SKU', 'Cost', 'Brand', 'Option1 Name', 'Option1 Value'];
    const rows = names.flatMap((name) =>
      ['S', 'M'].map((size) => [
        `left-${name}`,
        `Left ${name}`,
        '9',
        `LE-${name}-${size}`,
        '4',
        'A',
        'Size',
        size,
      ]),
    );
    const { id } = await importOf(csvOf([header, ...rows]), '3c'.repeat(32));
    await push(id);
    expect(await reach(id, 'completed', 'failed')).toMatchObject({ created: names.length });
    for (const name of names) {
      const [product] = await productsNamed(`Left ${name}`);
      if (!product) throw new Error(name);
      if (edits[name]) await stack.store.edit(product.id, edits[name]);
      const ids = product.variants.map(
        (one) => `gid://shopify/ProductVariant/${(one as { id?: number }).id}`,
      );
      const set = variants[name]?.map((one, at) => ({ ...one, id: name === 'deleted' ? ids[1] : ids[at] }));
      if (!set) continue;
      const values = set.map(({ optionValues: [value] }) => ({ name: value?.name ?? '' }));
      const input = { productOptions: [{ name: 'Size', values }], variants: set } as ProductSetInput;
      await setProduct(storeClient(stack), {
        identifier: { id: `gid://shopify/Product/${product.id}` },
        input,
      });
    }
    const before = await untimed('Left');
    const change = async (price: string) => {
      for (const [at] of names.entries()) await edit(id, 2 * at + 2, { price });
    };
    await change('12');
    for (const [at] of names.entries()) await edit(id, 2 * at + 1, { vendor: 'B' });
    await loseAnswers(names.length);
    await push(id);
    expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: names.length, skipped: 0 });
    await stack.store.clearFaults();
    expect(await withoutBaseline(id)).toEqual([]);
    const written = (price: string) =>
      before.map((product) => ({
        ...{ title: product.title, vendor: 'B' },
        variants: product.variants.map((one) =>
          (one as { sku?: string }).sku?.endsWith('-M') ? { ...one, price } : one,
        ),
      }));
    const shown = async () =>
      (await untimed('Left')).map((one) => {
        const { title, vendor, variants: all } = one as typeof one & { vendor: string };
        return { title, vendor, variants: all };
      });
    expect(await shown()).toEqual(written('12.00'));
    expect((await undo(id)).map(({ result, result_code }) => result_code ?? result)).toEqual(
      names.map(() => 'restore'),
    );
    expect(await untimed('Left')).toEqual(before);

    // Killed after its writes were recorded, and before it has read them back.
    await push(id);
    expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: names.length, skipped: 0 });
    await stack.database.pool.query(
      `update listings set baseline = null, baseline_read_at = null from pushed_states
     where listings.state_id = pushed_states.id and import_id = $1`,
      [id],
    );
    await change('13');
    await push(id);
    expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: names.length, skipped: 0 });
    expect(await shown()).toEqual(written('13.00'));
  },
);
