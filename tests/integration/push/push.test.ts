import { readFacets } from '@draftshelf/core/review/row-facets';
import { retryImport } from '@draftshelf/core/work/import-actions';
import { currentRows } from '@draftshelf/core/work/runs';
import { describe, expect } from 'vitest';
import { csvOf, productCsv, until } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong, scenarioBackends } from '../../support/queue-backend.ts';
import { pushers, testsOnBackends, type WorkerStack } from '../../support/test.ts';

const backends = testsOnBackends(pushers, scenarioBackends());
let stack: WorkerStack;

const { read, reach, push, edit, importOf, calls, outcomes } = pushSteps(() => stack);

describe.each(backends)('push, jobs in $backend', ({ it }) => {
  it.beforeAll(({ stack: shared }) => {
    stack = shared;
  });

  it('makes one draft per product, and a second push writes nothing and reports it', async () => {
    const { id } = await importOf(productCsv(30), 'a1'.repeat(32));
    await push(id);
    expect(await reach(id, 'completed', 'failed')).toMatchObject({
      status: 'completed',
      created: 30,
      push_done: 30,
      open_chunks: 0,
      shop: 'draftshelf-demo.myshopify.com',
    });
    const products = (await stack.store.products()).filter((product) => product.title.startsWith('Vase'));
    expect(products.length).toBe(30);
    expect(new Set(products.map((product) => product.status))).toEqual(new Set(['DRAFT']));
    const before = await calls();
    await push(id);
    expect(await reach(id, 'completed', 'failed')).toMatchObject({ created: 0, unchanged: 30, failed: 0 });
    expect(await calls()).toBe(before);
    const { rows: lines } = await stack.database.pool.query(
      `select origin, run, effect, count(*)::int, count(distinct product)::int as products from ledger
       where import_id = $1 group by 1, 2, 3 order by run`,
      [id],
    );
    const ofPush = { origin: 'push', count: 30, products: 30 };
    expect(lines).toEqual([
      { ...ofPush, run: 1, effect: 'created' },
      { ...ofPush, run: 2, effect: 'unchanged' },
    ]);
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

  it.runIf(isLong)('ends in review, with its time, if a product was edited after it was sent', async () => {
    const { id } = await importOf(productCsv(3).replaceAll('Vase', 'Late'), '4b'.repeat(32));
    await stack.store.fault({ kind: 'delay', delayMs: 8_000, operation: 'productSet', after: 2 });
    await push(id);
    await until('the first product is sent', async () => (await read(id)).created > 0);
    const [sent] = await outcomes(id);
    await edit(id, sent?.product ?? 0, { title: 'Late one' });
    const after = await reach(id, 'processed');
    expect(after).toMatchObject({ created: 3, completed_at: expect.any(Date) });
    expect(after.completed_at?.getTime()).toBeGreaterThan(after.started_at?.getTime() ?? Infinity);
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
    await edit(id, 2, { price: '5' });
    await push(id);
    expect(await reach(id, 'completed')).toMatchObject({ created: 1, unchanged: 1, failed: 0 });
    const refused = await stack.database.db.transaction().execute((trx) => retryImport(trx, id, 25));
    expect(refused).toEqual({
      ok: false,
      reason: 'Nothing failed, so there’s nothing to retry.',
    });
  });
});
