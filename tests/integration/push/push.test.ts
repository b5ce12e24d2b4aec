import { readFacets } from '@draftshelf/core/review/row-facets';
import { retryImport } from '@draftshelf/core/work/import-actions';
import { currentRows } from '@draftshelf/core/work/runs';
import { describe, expect } from 'vitest';
import { editRow } from '../../support/edit-row.ts';
import { csvOf, productCsv, until } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { scenarioBackends } from '../../support/queue-backend.ts';
import { pushers, testsOnBackends, type WorkerStack } from '../../support/test.ts';

const backends = testsOnBackends(pushers, scenarioBackends());
let stack: WorkerStack;

const { read, reach, push, importOf, calls, outcomes } = pushSteps(() => stack);

describe.each(backends)('push, jobs in $backend', ({ it }) => {
  it.beforeAll(({ stack: shared }) => {
    stack = shared;
  });

  it('makes one draft per product, and a second push writes nothing and reports it', async () => {
    const { id } = await importOf(productCsv(60), 'a1'.repeat(32));
    await push(id);
    expect(await reach(id, 'completed', 'failed')).toMatchObject({
      status: 'completed',
      created: 60,
      push_done: 60,
      open_chunks: 0,
      shop: 'draftshelf-demo.myshopify.com',
    });
    const products = (await stack.store.products()).filter((product) => product.title.startsWith('Vase'));
    expect(products.length).toBe(60);
    expect(new Set(products.map((product) => product.status))).toEqual(new Set(['DRAFT']));
    const before = await calls();
    await push(id);
    expect(await reach(id, 'completed', 'failed')).toMatchObject({ created: 0, unchanged: 60, failed: 0 });
    expect(await calls()).toBe(before);
  });

  it('finds the same products when the same file is uploaded and pushed again', async () => {
    const csv = csvOf([
      ['Title', 'Price', 'SKU'],
      ['Same lamp', '10', 'SL'],
    ]);
    const first = await importOf(csv, 'b2'.repeat(32));
    await push(first.id);
    await reach(first.id, 'completed');
    const second = await importOf(csv, 'b2'.repeat(32));
    await push(second.id);
    expect(await reach(second.id, 'completed')).toMatchObject({ created: 0, unchanged: 1 });
    expect((await stack.store.products()).filter((product) => product.title === 'Same lamp').length).toBe(1);
  });

  it('sends only what an edit changed, as an update of the same product', async () => {
    const { id } = await importOf(
      csvOf([
        ['Title', 'Price', 'SKU'],
        ['Old title', '10', 'E1'],
      ]),
      'c3'.repeat(32),
    );
    await push(id);
    await reach(id, 'completed');
    const edited = await stack.database.db
      .transaction()
      .execute((trx) => editRow(trx, id, 1, { title: 'New title' }));
    expect(edited.ok).toBe(true);
    expect((await read(id)).status).toBe('processed');
    await push(id);
    expect(await reach(id, 'completed')).toMatchObject({ created: 0, updated: 1 });
    const named = (await stack.store.products()).filter((product) => /title$/.test(product.title));
    expect(named.map((product) => product.title)).toEqual(['New title']);
  });

  it('keeps a product that was changed in the store', async () => {
    const { id } = await importOf(
      csvOf([
        ['Title', 'Price', 'SKU'],
        ['Drifter', '10', 'D1'],
      ]),
      'd4'.repeat(32),
    );
    await push(id);
    await reach(id, 'completed');
    const product = (await stack.store.products()).find((one) => one.title === 'Drifter');
    await stack.store.edit(product?.id ?? 0, { title: 'Drifter by the merchant' });
    await stack.database.db.transaction().execute((trx) => editRow(trx, id, 1, { title: 'Drifter by us' }));
    await push(id);
    expect(await reach(id, 'failed')).toMatchObject({ skipped: 1, updated: 0 });
    expect(await outcomes(id)).toMatchObject([{ code: 'drifted' }]);
    expect((await stack.store.products()).find((one) => one.id === product?.id)?.title).toBe(
      'Drifter by the merchant',
    );
  });

  it('skips products without a required field, names it, and completes with the rest', async () => {
    const csv = csvOf([
      ['Title', 'Price'],
      ['Whole', '10'],
      ['No price', ''],
      ['', '5'],
    ]);
    const { id, status } = await importOf(csv, 'e5'.repeat(32));
    expect(status).toBe('queued');
    await push(id);
    expect(await reach(id, 'completed')).toMatchObject({ created: 1, skipped: 2, failed: 0 });
    const skipped = { outcome: 'skipped', code: 'missing-fields' };
    expect(await outcomes(id)).toEqual([
      { product: 1, outcome: 'created', code: null, message: null },
      { product: 2, ...skipped, message: 'Missing required fields: price' },
      { product: 3, ...skipped, message: 'Missing required fields: title' },
    ]);
  });

  it('skips values longer than the store accepts, without a call', async () => {
    const csv = csvOf([
      ['Title', 'Price', 'Vendor'],
      ['Long name '.repeat(30), '5', 'Long brand '.repeat(30)],
      ['Name of 255 letters'.padEnd(255, '.'), '5', 'Brand'],
    ]);
    const { id } = await importOf(csv, '3a'.repeat(32));
    expect(await readFacets(stack.database.db, currentRows(await read(id)))).toEqual([
      { class: 'valid', issue: '', rows: 2 },
      { class: 'valid', issue: 'any', rows: 1 },
      { class: 'valid', issue: 'brand-too-long', rows: 1 },
      { class: 'valid', issue: 'refused', rows: 1 },
      { class: 'valid', issue: 'title-too-long', rows: 1 },
    ]);
    const before = await calls();
    await push(id);
    expect(await reach(id, 'completed')).toMatchObject({ created: 1, skipped: 1, failed: 0, error_count: 0 });
    expect(await calls()).toBe(before + 1);
    const message = 'Over Shopify’s 255-character limit: title, brand';
    expect(await outcomes(id)).toEqual([
      { product: 1, outcome: 'skipped', code: 'too-long', message },
      { product: 2, outcome: 'created', code: null, message: null },
    ]);
  });

  it('ends in review, with its time, if a product was edited after it was sent', async () => {
    const { id } = await importOf(productCsv(3).replaceAll('Vase', 'Late'), '4b'.repeat(32));
    await stack.store.fault({ kind: 'delay', delayMs: 3_000, operation: 'productSet', after: 2 });
    await push(id);
    await until('the first product is sent', async () => (await read(id)).created > 0);
    const [sent] = await outcomes(id);
    const edited = await stack.database.db
      .transaction()
      .execute((trx) => editRow(trx, id, sent?.product ?? 0, { title: 'Late one' }));
    expect(edited.ok).toBe(true);
    const after = await reach(id, 'processed');
    expect(after).toMatchObject({ created: 3, completed_at: expect.any(Date) });
    expect(after.completed_at?.getTime()).toBeGreaterThan(after.started_at?.getTime() ?? Infinity);
  });

  it('records an answer that was lost after its effect, without a second product', async () => {
    const { id } = await importOf(productCsv(12).replaceAll('Vase', 'Lost'), 'f6'.repeat(32));
    await stack.store.fault({ kind: 'drop-after', operation: 'productSet', times: 3 });
    await push(id, 10);
    expect(await reach(id, 'completed', 'failed')).toMatchObject({
      status: 'completed',
      created: 12,
      updated: 0,
    });
    expect((await stack.store.products()).filter((product) => product.title.startsWith('Lost')).length).toBe(
      12,
    );
  });

  it('fails a product that the store refuses, and a retry pushes only that one', async () => {
    const csv = csvOf([
      ['Title', 'Price'],
      ['Fine thing', '10'],
      ['Thing beyond price', '1000000000000000000'],
    ]);
    const { id } = await importOf(csv, '07'.repeat(32));
    await push(id);
    const after = await reach(id, 'completed');
    expect(after).toMatchObject({ created: 1, failed: 1, error_count: 1 });
    expect(after.error_log[0]).toContain('must be less than 1000000000000000000');
    expect((await outcomes(id)).map(({ code }) => code)).toEqual([null, 'store-refused']);
    await stack.database.db.transaction().execute((trx) => editRow(trx, id, 2, { price: '5' }));
    await push(id);
    expect(await reach(id, 'completed')).toMatchObject({ created: 1, unchanged: 1, failed: 0 });
    const refused = await stack.database.db.transaction().execute((trx) => retryImport(trx, id, 25));
    expect(refused).toEqual({
      ok: false,
      reason: 'Nothing failed, so there’s nothing to retry.',
    });
  });

  it('adopts products with our id that this database never pushed, and overwrites nothing', async () => {
    const { id } = await importOf(productCsv(3).replaceAll('Vase', 'Restored'), '29'.repeat(32));
    await push(id);
    await reach(id, 'completed');
    await stack.database.db.deleteFrom('listings').execute();
    await stack.database.db
      .transaction()
      .execute((trx) => editRow(trx, id, 3, { title: 'Restored otherwise' }));
    const before = await calls();
    await push(id);
    expect(await reach(id, 'completed')).toMatchObject({ created: 0, updated: 0, unchanged: 2, skipped: 1 });
    expect(await calls()).toBe(before);
    const titles = (await stack.store.products()).map((product) => product.title);
    expect(titles.filter((title) => title.startsWith('Restored')).sort()).toEqual([
      'Restored 1',
      'Restored 2',
      'Restored 3',
    ]);
  });

  it('keeps one ledger line per product and run', async () => {
    const { id } = await importOf(productCsv(5).replaceAll('Vase', 'Ledger'), '18'.repeat(32));
    await push(id);
    await reach(id, 'completed');
    await push(id);
    await reach(id, 'completed');
    const lines = await stack.database.db
      .selectFrom('ledger')
      .select(['product', 'run', 'effect', 'origin'])
      .where('import_id', '=', id)
      .orderBy('run')
      .orderBy('product')
      .execute();
    expect(lines.map((one) => `${one.origin}:${one.run}:${one.product}:${one.effect}`)).toEqual([
      ...[1, 2, 3, 4, 5].map((product) => `push:1:${product}:created`),
      ...[1, 2, 3, 4, 5].map((product) => `push:2:${product}:unchanged`),
    ]);
  });
});
