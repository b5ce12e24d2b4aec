import { randomUUID } from 'node:crypto';
import type { Row, RowPage } from '@draftshelf/contract/review/rows';
import { changeImport, moveStatus } from '@draftshelf/core/imports/imports';
import { beginReread } from '@draftshelf/core/reading/begin-reread';
import { insertAddedRow } from '@draftshelf/core/scanner/added-rows';
import { lockScannedProduct } from '@draftshelf/core/scanner/scanned-products';
import { insertWorkChunks } from '@draftshelf/core/work/chunks';
import { cancelImport, pauseImport, pushImport, resumeImport } from '@draftshelf/core/work/import-actions';
import { insertEnrichRun } from '@draftshelf/core/work/runs';
import { enqueueTask } from '@draftshelf/core/work/tasks';
import { toScannedValues } from '@draftshelf/domain/scanner/scanned-product';
import { describe, expect } from 'vitest';
import type { ApiClient } from '../../support/api-client.ts';
import { csvOf, lockWaiters, productCsv, storedImport, until } from '../../support/fixture.ts';
import { duplicatesLock, installDuplicatesHold } from '../../support/hold-duplicates.ts';
import { importSteps } from '../../support/import-steps.ts';
import { importDifferences } from '../../support/import-truth.ts';
import { isLong } from '../../support/queue-backend.ts';
import { refreshed } from '../../support/refreshed-rows.ts';
import { scanned, scannerPath, scannerSteps } from '../../support/scanner-steps.ts';
import type { Stack } from '../../support/stack.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(pushers);
let client: ApiClient;
test.beforeAll(() => {
  client = stack.api;
});
const { saved, update, save, sync, read: readProduct } = scannerSteps(() => client);
const { read, reach, processed } = importSteps(() => ({ ...stack, api: client }));

const add = (productId: string, batchId: string) =>
  client.call('POST', `${scannerPath}/${productId}/add-to-batch`, { body: { batchId } });
const check = async (id: string, sku: string, product = '') =>
  (await client.call('GET', `/api/scanner/batches/${id}?sku=${encodeURIComponent(sku)}${product}`)).body;
const pageOf = async (id: string, query = '') =>
  (await client.call('GET', `/api/queue/${id}/rows?limit=200${query}`)).body as RowPage;
/** The row of a product in an import; undefined if it is none. */
const rowOf = async (id: string, productId: string): Promise<Row | undefined> =>
  (await pageOf(id)).rows.find((row) => row.scanned?.productId === productId);
const edit = (id: string, row: number, values: Record<string, string | null>) =>
  client.call('PATCH', `/api/queue/${id}/rows/${row}`, { body: { values } });
const reread = (id: string, dialect: object) =>
  client.call('POST', `/api/queue/${id}/dialect`, { body: dialect });
const inTransaction = <T>(work: (trx: Stack['database']['db']) => Promise<T>) =>
  stack.database.db.transaction().execute(work);
/** Waits until an import is processed and its tasks have ended, and checks its counts. */
async function settled(id: string) {
  const record = await reach(id, 'processed', 'queued');
  await until('the tasks have ended', async () => {
    const { rows } = await stack.database.pool.query(
      `select id from chunks where import_id = $1 and kind = 'task' and state in ('pending', 'published')`,
      [id],
    );
    return rows.length === 0;
  });
  expect(await importDifferences(stack.database, id)).toEqual([]);
  return record;
}

describe('a product is added to an import', () => {
  test('once, as a row behind the last row of the file', async () => {
    const id = await processed(productCsv(3));
    const product = await saved('Ceramic vase', { sku: 'VA-12', upc: '5901234123457', photos: [picture(1)] });
    const added = await add(product.id, id);
    expect(added).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: 'Added to products.csv.',
        product: { id: product.id, batches: [{ id, filename: 'products.csv', row: 4 }] },
        job: { id, totalProducts: 4, totalRows: 4, status: 'processed' },
      },
    });
    expect((await add(product.id, id)).body).toEqual(added.body);
    await settled(id);

    const row = await rowOf(id, product.id);
    expect(row).toMatchObject({
      row: 4,
      line: 0,
      class: 'valid',
      values: {
        title: 'Ceramic vase',
        price: '24.99',
        sku: 'VA-12',
        upc: '5901234123457',
        image: picture(1),
      },
      cells: ['Ceramic vase', '24.99', 'VA-12'],
      sources: { upc: 'found', image: 'found' },
      found: { upc: { source: 'Product Scanner' } },
    });
    expect((await pageOf(id, '&q=va-12')).rows).toHaveLength(1);
    const { body } = await client.call('GET', `/api/jobs/${id}`);
    expect(body).toMatchObject({ csvData: { 3: { Title: 'Ceramic vase', SKU: 'VA-12' } } });
    expect(await edit(id, 4, { title: 'Vase, blue' })).toMatchObject({ status: 200 });
    expect(await edit(id, 4, { title: null })).toMatchObject({ status: 200 });
    expect((await rowOf(id, product.id))?.values.title).toBe('Ceramic vase');
    await settled(id);
  });

  test.runIf(isLong)('with its save, or neither is stored', async () => {
    const id = await processed(productCsv(1));
    const product = await saved('Saved with batch', { selectedBatch: id });
    expect(product.batches).toEqual([{ id, filename: 'products.csv', row: 2 }]);
    expect((await update(product.id, scanned('Saved again', { selectedBatch: id }))).status).toBe(200);
    expect((await pageOf(id)).rows.map(({ values }) => values.title)).toEqual(['Vase 1', 'Saved again']);
    for (const batch of [randomUUID(), 'no-id']) {
      const unknown = randomUUID();
      const refused = await save({ id: unknown, ...scanned('Refused', { selectedBatch: batch }) });
      expect(refused).toMatchObject({ status: 404, body: { message: 'Import not found.' } });
      expect((await readProduct(unknown)).status).toBe(404);
      expect((await add(product.id, batch)).status).toBe(404);
    }
    expect((await add(randomUUID(), id)).status).toBe(404);
    await settled(id);
  });

  test.runIf(isLong)('although a row has its SKU, which is said before', async () => {
    const id = await processed(productCsv(3));
    expect(await check(id, 'V-2')).toEqual({
      refusal: null,
      sameSku: 'products.csv already has this SKU in row 2.',
    });
    expect(await check(id, 'V-20')).toEqual({ refusal: null, sameSku: null });
    const product = await saved('Twin', { sku: 'V-2' });
    await add(product.id, id);
    const single = await saved('Single', { sku: 'SINGLE-1' });
    await add(single.id, id);
    expect(await check(id, 'SINGLE-1')).toMatchObject({ sameSku: expect.stringContaining('in row 5.') });
    expect(await check(id, 'SINGLE-1', `&product=${single.id}`)).toEqual({ refusal: null, sameSku: null });
    expect((await rowOf(id, product.id))?.issues).toMatchObject([{ code: 'duplicate', field: 'sku' }]);
    await settled(id);
  });

  test('unless the import is being pushed or has ended', async () => {
    const product = await saved('Refused');
    const ended = 'This import has ended. Add the product to another one.';
    const pushed = 'This import is being pushed. Add the product after the push.';
    for (const [set, message] of [
      [{ status: 'completed' }, ended],
      [{ status: 'failed', failed_in: 'parse' }, ended],
      [{ status: 'cancelled' }, ended],
      [{ status: 'paused', paused_from: 'uploading', paused_by: 'operator' }, pushed],
    ] as const) {
      const { id } = await storedImport(stack, { csv: productCsv(1), set });
      expect(await check(id, '')).toEqual({ refusal: message, sameSku: null });
      expect(await add(product.id, id)).toMatchObject({ status: 409, body: { message } });
    }
    expect((await readProduct(product.id)).body).toMatchObject({ batches: [] });
  });
});

const picture = (n: number) => `https://images.example/photo-${n}.jpg`;

describe('the rows of an import are replaced', () => {
  test.runIf(isLong)(
    'by a re-read in another dialect and encoding: the added row stays, with its edits',
    async () => {
      const id = await processed('Note,,\nTitle,Price,SKU\nLamp,10,L-1\nVase,20,L-2\n', {
        dialect: '{"headerRecord":1}',
      });
      const product = await saved('Added', { sku: 'AD-1' });
      await add(product.id, id);
      await edit(id, 3, { title: 'Edited' });
      const { own_id } = await stack.database.db
        .selectFrom('rows')
        .select('own_id')
        .where('import_id', '=', id)
        .where('line', '=', 0)
        .executeTakeFirstOrThrow();

      for (const [dialect, row] of [
        [{ headerRecord: 2 }, 2],
        // A row of the file takes the number that the added one had, and keeps its own offset.
        [{ headerRecord: 1, encoding: 'gb18030' }, 3],
      ] as const) {
        await reread(id, dialect);
        await settled(id);
        expect(await rowOf(id, product.id)).toMatchObject({ row, values: { title: 'Edited' } });
        const rows = await stack.database.db
          .selectFrom('rows')
          .innerJoin('imports', (join) =>
            join.onRef('imports.id', '=', 'import_id').onRef('rows_run', '=', 'run'),
          )
          .select(['line', 'byte_from', 'own_id'])
          .where('import_id', '=', id)
          .orderBy('row')
          .execute();
        expect(rows.filter((one) => one.byte_from === -1)).toEqual([{ line: 0, byte_from: -1, own_id }]);
        expect(rows.filter((one) => one.own_id !== null)).toHaveLength(1);
      }
      await reread(id, { headerRecord: 2, encoding: 'gb18030' });
      await settled(id);
      expect(await rowOf(id, product.id)).toMatchObject({ row: 2, values: { title: 'Edited' } });
    },
  );

  test.runIf(isLong)('by a reading with other columns: its cells follow the mapping', async () => {
    const id = await processed(
      csvOf([
        ['Title', 'Price', 'SKU', 'Note'],
        ['Lamp', '10', 'L-1', 'Green'],
      ]),
    );
    const product = await saved('Added', { sku: 'AD-2', description: 'Blown by hand' });
    await add(product.id, id);
    expect((await rowOf(id, product.id))?.cells).toEqual(['Added', '24.99', 'AD-2', '']);
    const changed = await client.call('PUT', `/api/queue/${id}/mapping`, {
      body: { Note: 'description', SKU: null },
    });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    await settled(id);
    expect(await rowOf(id, product.id)).toMatchObject({
      cells: ['Added', '24.99', '', 'Blown by hand'],
      values: { sku: 'AD-2', description: 'Blown by hand' },
    });
  });

  test.runIf(isLong)('by another import of the same file: it has neither the row nor its edits', async () => {
    const csv = productCsv(5);
    const id = await processed(csv);
    const product = await saved('Only there');
    await add(product.id, id);
    await edit(id, 6, { title: 'Edited there' });
    await edit(id, 1, { title: 'Edited in both' });
    const again = await processed(csv);
    expect((await pageOf(again)).rows.map(({ values }) => values.title)).toEqual([
      'Edited in both',
      ...['Vase 2', 'Vase 3', 'Vase 4', 'Vase 5'],
    ]);
    expect(await settled(again)).toMatchObject({ edits_without_row: 0 });
  });
});

describe('a product is added while the file is being read', () => {
  const appears = 'Added. The product appears once the file has been read.';

  test('for the first time', async () => {
    const record = await storedImport(stack, {
      csv: productCsv(4),
      set: { status: 'paused', paused_from: 'processing', paused_by: 'operator' },
    });
    const product = await saved('Early');
    expect((await add(product.id, record.id)).body).toMatchObject({
      message: appears,
      job: { totalProducts: 4 },
    });
    expect((await readProduct(product.id)).body).toMatchObject({ batches: [{ id: record.id, row: null }] });
    await inTransaction((trx) => resumeImport(trx, record.id));
    expect(await settled(record.id)).toMatchObject({ total_rows: 5, total_products: 5 });
    expect(await rowOf(record.id, product.id)).toMatchObject({ row: 5 });
  });

  test.runIf(isLong)('again, and the re-read is cancelled', async () => {
    const id = await processed(productCsv(2));
    const [first, second] = [await saved('Before'), await saved('During')];
    await add(first.id, id);
    // Nothing is read before the import is paused.
    await inTransaction(async (trx) => {
      await beginReread(trx, id, { dialect: { delimiter: ';' } });
      await pauseImport(trx, id);
    });
    expect((await add(second.id, id)).body).toMatchObject({ message: appears });
    await update(first.id, scanned('Changed meanwhile'));
    expect((await rowOf(id, first.id))?.values.title).toBe('Before');
    await inTransaction((trx) => cancelImport(trx, id));
    await until('the row is there', async () => (await rowOf(id, second.id)) !== undefined);
    expect(await settled(id)).toMatchObject({ status: 'processed', total_rows: 4 });
    expect((await rowOf(id, first.id))?.values.title).toBe('Changed meanwhile');
  });

  test.runIf(isLong)(
    'again after a failed push, and the re-read is cancelled: the next push ends with the row',
    async () => {
      const id = await processed(
        csvOf([
          ['Title', 'Price', 'SKU'],
          ['Lamp', '1000000000000000000000', 'L-9'],
        ]),
      );
      await settled(id);
      await client.call('POST', `/api/queue/${id}/push`, { body: {} });
      await reach(id, 'failed');
      const product = await saved('After a failure');
      await inTransaction(async (trx) => {
        await beginReread(trx, id, { dialect: { delimiter: ';' } });
        await pauseImport(trx, id);
      });
      expect((await add(product.id, id)).body).toMatchObject({ message: appears });
      await inTransaction((trx) => cancelImport(trx, id));
      // A retry pushes the products that have failed: their number must not change before.
      const batch = (row: number | null) => ({ batches: [{ id, row }] });
      expect(await reach(id, 'failed')).toMatchObject({ total_products: 1 });
      expect((await readProduct(product.id)).body).toMatchObject(batch(null));
      await edit(id, 1, { price: '10' });
      expect(await client.call('POST', `/api/queue/${id}/retry`, { body: {} })).toMatchObject({
        status: 200,
      });
      await until('the row is there', async () => (await rowOf(id, product.id)) !== undefined);
      expect(await settled(id)).toMatchObject({ status: 'processed', total_products: 2, created: 1 });
      expect((await readProduct(product.id)).body).toMatchObject(batch(2));
    },
  );

  test.runIf(isLong)('and its values are looked up: its row gets a chunk of that stage', async () => {
    const id = await processed(productCsv(3));
    await settled(id);
    const product = await saved('Looked up', { upc: '4006381333931' });
    // As after the parse stage, before the first look-up.
    const run = { import_id: id, stage: 'enrich' as const, run: (await read(id)).enrich_run + 1 };
    await inTransaction(async (trx) => {
      await insertEnrichRun(trx, run);
      await insertWorkChunks(trx, run, [{ first_row: 1, rows: 3 }]);
      const paused = { paused_from: 'processing', paused_by: 'operator', stage: 'enrich' } as const;
      const counts = { enrich_run: run.run, enrich_rows: 3, enriched_rows: 0, open_chunks: 1 };
      await moveStatus(trx, id, { from: ['processed'], to: 'paused', set: { ...paused, ...counts } });
    });
    expect(await add(product.id, id)).toMatchObject({
      status: 200,
      body: { message: 'Added to products.csv.', job: { totalProducts: 4 } },
    });
    const chunks = await stack.database.db
      .selectFrom('chunks')
      .select(['first_row', 'rows'])
      .where('import_id', '=', id)
      .where('stage', '=', 'enrich')
      .where('run', '=', run.run)
      .orderBy('first_row')
      .execute();
    expect(chunks).toEqual([
      { first_row: 1, rows: 3 },
      { first_row: 4, rows: 1 },
    ]);
    await inTransaction((trx) => resumeImport(trx, id));
    expect(await settled(id)).toMatchObject({ total_products: 4, open_chunks: 0 });
    expect((await rowOf(id, product.id))?.values.upc).toBe('4006381333931');
  });

  test.runIf(isLong)('after the step that appends rows has passed', async () => {
    const id = await processed(productCsv(2));
    await settled(id);
    const product = await saved('Late');
    const { db, pool } = stack.database;
    const holder = await pool.connect();
    try {
      await holder.query('begin; set local idle_in_transaction_session_timeout = 0');
      // Finalize looks for duplicates behind that step.
      await installDuplicatesHold(pool);
      await holder.query(duplicatesLock);
      await reread(id, { delimiter: ',' });
      await until('finalize waits', async () => (await lockWaiters(stack)) > 0);
      const record = await lockScannedProduct(db, product.id);
      if (!record) throw new Error('The product is gone');
      await insertAddedRow(db, id, record, toScannedValues(record));
      await holder.query('commit');
    } finally {
      holder.release();
    }
    await settled(id);
    expect(await rowOf(id, product.id)).toMatchObject({ row: 3 });
  });
});

describe('a product is changed in the library', () => {
  test.runIf(isLong)('its rows follow below their edits, in the two newest imports at once', async () => {
    const older = await processed(productCsv(3));
    const ids = [await processed(productCsv(1)), await processed(productCsv(2))];
    const product = await saved('Old name', { price: '10', upc: '4006381333931' });
    for (const id of [older, ...ids]) await add(product.id, id);
    await edit(ids[0] ?? '', 2, { price: '12' });
    await update(product.id, scanned('New name', { price: '11', sku: 'NEW-1' }));
    const rows = await Promise.all(ids.map((id) => rowOf(id, product.id)));
    expect(rows.map((row) => row?.values)).toEqual([
      { title: 'New name', price: '12', sku: 'NEW-1' },
      { title: 'New name', price: '11.00', sku: 'NEW-1' },
    ]);
    await until(
      'the older import follows',
      async () => (await rowOf(older, product.id))?.values.title === 'New name',
    );
    for (const id of [older, ...ids]) {
      expect((await pageOf(id, '&q=new name')).rows).toHaveLength(1);
      await settled(id);
    }
  });

  test('and the rows were removed: a task that waits for them ends with a sentence, and none begins', async () => {
    const id = await processed(productCsv(2));
    const product = await saved('Kept', { price: '10' });
    await add(product.id, id);
    const { rows_run: run } = await settled(id);
    const { db, pool } = stack.database;
    const openTasks = async () =>
      (
        await pool.query(
          `select 1 from chunks where import_id = $1 and kind = 'task' and state in ('pending', 'published')`,
          [id],
        )
      ).rows.length;
    await inTransaction(async (trx) => {
      await changeImport(trx, id, { rows_removed_at: new Date() });
      await enqueueTask(trx, { import_id: id, run }, 'update-added');
    });
    await until('the task has ended', async () => (await openTasks()) === 0);
    expect((await read(id)).error_log).toEqual([
      'Scanned products were not updated. The rows of this import were removed to save space. Choose Read Again first.',
    ]);
    await update(product.id, scanned('Kept on', { price: '11' }));
    expect(await openTasks()).toBe(0);
    await changeImport(db, id, { rows_removed_at: null });
  });

  test.runIf(isLong)('and deleted: its rows stay, without a link', async () => {
    const id = await processed(productCsv(1));
    const product = await saved('Gone');
    await add(product.id, id);
    await settled(id);
    const path = `/api/queue/${id}/rows?limit=200`;
    const etag = (await client.call('GET', path)).headers.get('etag') ?? '';
    const again = () => client.call('GET', path, { headers: { 'if-none-match': etag } });
    expect((await again()).status).toBe(304);
    await client.call('DELETE', `${scannerPath}/${product.id}`);
    const after = await again();
    expect(after.status).toBe(200);
    expect((after.body as RowPage).rows[1]?.scanned).toEqual({ productId: null });
    await reread(id, { delimiter: ',' });
    await settled(id);
    expect((await pageOf(id)).rows[1]).toMatchObject({
      values: { title: 'Gone' },
      scanned: { productId: null },
    });
    expect(await read(id)).toMatchObject({ total_products: 2 });
  });
});

describe('sync and push send one product', () => {
  const csv = () =>
    csvOf([
      ['Title', 'Price', 'SKU', 'Color'],
      ['Lamp', '10', `L-${randomUUID()}`, 'Blue'],
    ]);
  const push = async (id: string) => {
    expect(await client.call('POST', `/api/queue/${id}/push`, { body: {} })).toMatchObject({ status: 200 });
    return reach(id, 'completed', 'failed');
  };
  const inStore = async (title: string) =>
    (await stack.store.products()).filter((product) => product.title === title);

  test.runIf(isLong).for([0, 3])('with %d photos, in both orders', async (photos) => {
    const addresses = Array.from({ length: photos }, (_, at) => picture(at));
    const upc = photos === 0 ? '012345678905' : '4006381333931';
    const values = { upc, description: 'Blown by hand', photos: addresses };
    const synced = await saved(`Synced first ${photos}`, { ...values, upc: null });
    const pushed = await saved(`Pushed first ${photos}`, values);
    expect((await sync(synced.id)).body).toMatchObject({ outcome: 'created' });

    const id = await processed(csv());
    for (const { id: product } of [synced, pushed]) await add(product, id);
    await settled(id);
    expect(await push(id)).toMatchObject({ status: 'completed', created: 2, unchanged: 1 });
    expect((await readProduct(pushed.id)).body).toMatchObject({ status: 'synced' });
    for (const { id: product } of [synced, pushed]) {
      expect((await sync(product)).body).toMatchObject({
        outcome: 'unchanged',
        product: { status: 'synced' },
      });
    }
    const media = addresses.map(() => expect.anything());
    for (const { name } of [synced, pushed]) expect(await inStore(name)).toMatchObject([{ media }]);
  });

  test.runIf(isLong)(
    'with what was edited and found in the import, also while that is being pushed',
    async () => {
      const product = await saved('One draft', { price: '10' });
      const id = await processed(csv());
      await add(product.id, id);
      await stack.database.db
        .insertInto('found_values')
        .values({ import_id: id, run: 1, row: 2, field: 'vendor', value: 'Acme', source: 'own', gtin: '1' })
        .execute();
      await refreshed(stack.database.db, id, [2]);
      await edit(id, 2, { title: 'Edited draft' });
      await push(id);
      expect((await sync(product.id)).body).toMatchObject({ outcome: 'unchanged' });
      await edit(id, 1, { title: 'Lamp, edited' });
      // Nothing is pushed before the import is paused.
      await inTransaction(async (trx) => {
        await pushImport(trx, id, undefined, { supplier: null });
        await pauseImport(trx, id);
      });
      await update(product.id, scanned('Not shown', { price: '11' }));
      expect((await rowOf(id, product.id))?.values.price).toBe('10.00');
      expect((await sync(product.id)).body).toMatchObject({ outcome: 'updated' });
      expect(await inStore('Edited draft')).toMatchObject([{ variants: [{ price: '11.00' }] }]);
      await inTransaction((trx) => resumeImport(trx, id));
      expect(await reach(id, 'completed', 'failed')).toMatchObject({ updated: 1, unchanged: 1 });
      expect(await inStore('Edited draft')).toMatchObject([{ variants: [{ price: '11.00' }] }]);
      expect((await readProduct(product.id)).body).toMatchObject({ status: 'synced' });
      await until('the row follows', async () => (await rowOf(id, product.id))?.values.price === '11.00');

      await update(product.id, scanned('Not shown', { price: '12' }));
      expect((await readProduct(product.id)).body).toMatchObject({ status: 'active' });
      await edit(id, 1, { title: 'Lamp' });
      await push(id);
      expect((await readProduct(product.id)).body).toMatchObject({ status: 'synced' });
      await stack.database.pool.query(`update listings set sending = sent where our_id = $1`, [
        product.id.replaceAll('-', ''),
      ]);
      expect((await readProduct(product.id)).body).toMatchObject({ status: 'active' });
    },
  );

  test.runIf(isLong)('with its newest values, also if a push has read older ones before a sync', async () => {
    const { store } = stack;
    const fresh = await saved('Fresh', { price: '10' });
    const known = await saved('Known', { price: '10' });
    await sync(known.id);
    const id = await processed(csv());
    for (const { id: product } of [fresh, known]) await add(product, id);
    await update(known.id, scanned('Known', { price: '11' }));
    await settled(id);
    const operation = 'productByIdentifier';
    const asked = async () => (await store.stats()).requests[operation] ?? 0;
    const before = await asked();
    // The push has read rows and listings then.
    await store.fault({ kind: 'delay', delayMs: 6_000, operation });
    const pushing = push(id);
    await until('the push asks the store', async () => (await asked()) > before);
    for (const { id: product, name } of [fresh, known]) {
      await update(product, scanned(name, { price: '21' }));
      expect((await sync(product)).body).toMatchObject({ product: { status: 'synced' } });
    }
    expect(await pushing).toMatchObject({ status: 'completed', created: 1, unchanged: 2 });
    for (const { id: product, name } of [fresh, known]) {
      expect(await inStore(name)).toMatchObject([{ variants: [{ price: '21.00' }] }]);
      expect((await readProduct(product)).body).toMatchObject({ status: 'synced' });
    }
  });
});
