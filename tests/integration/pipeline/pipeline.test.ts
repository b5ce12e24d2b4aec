import { findImport } from '@draftshelf/core/imports/imports';
import { readRowPage } from '@draftshelf/core/review/effective-rows';
import { resumeImport } from '@draftshelf/core/work/import-actions';
import { currentRows } from '@draftshelf/core/work/runs';
import { describe, expect } from 'vitest';
import { csvOf, productCsv, storedImport, until } from '../../support/fixture.ts';
import { queueBackends } from '../../support/queue-backend.ts';
import { readers, testsOnBackends, type WorkerStack } from '../../support/test.ts';

const backends = testsOnBackends(readers, queueBackends());
let stack: WorkerStack;

const statusOf = async (id: string) => (await findImport(stack.database.db, id))?.status;

describe.each(backends)('parse and enrich, jobs in $backend', ({ it }) => {
  it.beforeAll(({ stack: shared }) => {
    stack = shared;
  });

  it('stores every row of many chunks once and ends in processed when all products are valid', async () => {
    const record = await storedImport(stack, { csv: productCsv(1000), rowsMax: 37 });
    await until('processed', async () => (await statusOf(record.id)) === 'processed');
    const after = await findImport(stack.database.db, record.id);
    expect(after).toMatchObject({
      parsed_rows: 1000,
      processed_products: 1000,
      valid_products: 1000,
      open_chunks: 0,
    });
    const rows = await stack.database.db
      .selectFrom('rows')
      .select(['row', 'title', 'price', 'cells'])
      .where('import_id', '=', record.id)
      .orderBy('row')
      .execute();
    expect(rows.length).toBe(1000);
    expect(rows[999]).toEqual({
      row: 1000,
      title: 'Vase 1000',
      price: '1000.50',
      cells: ['Vase 1000', '1000.50', 'V-1000'],
    });
  });

  it('stores no row of a chunk with other rows than the upload counted, and all rows of the others', async () => {
    const { db } = stack.database;
    const paused = { status: 'paused', paused_from: 'processing', paused_by: 'operator' } as const;
    const { id } = await storedImport(stack, { csv: productCsv(60), rowsMax: 20, set: paused });
    // Its next error will be the fifth and last.
    await db
      .updateTable('chunks')
      .set({ rows: 21, attempts: 4 })
      .where('import_id', '=', id)
      .where('sequence', '=', 1)
      .execute();
    expect(await db.transaction().execute((trx) => resumeImport(trx, id))).toMatchObject({ ok: true });
    await until('failed', async () => (await statusOf(id)) === 'failed');
    expect((await findImport(db, id))?.error_message).toContain(
      'The upload counted 21 rows and 20 products here, the worker found 20 and 20',
    );
    const stored = await db.selectFrom('rows').select('row').where('import_id', '=', id).execute();
    expect(stored.map(({ row }) => row).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, i) => (i < 20 ? i + 1 : i + 21)),
    );
  });

  it('joins distant rows of one handle, and counts their product once', async () => {
    const csv = csvOf([
      ['Handle', 'Title', 'Price', 'Option1 Name', 'Option1 Value', 'SKU'],
      ['vase', 'Vase', '10', 'Size', 'S', 'V-S'],
      ['lamp', 'Lamp', '20', '', '', 'L-1'],
      ['vase', '', '12', 'Size', 'L', 'V-L'],
    ]);
    const record = await storedImport(stack, { csv, rowsMax: 1 });
    await until('processed', async () => (await statusOf(record.id)) === 'processed');
    const after = await findImport(stack.database.db, record.id);
    expect(after).toMatchObject({
      total_products: 2,
      processed_products: 2,
      valid_products: 2,
      product_numbers: 3,
    });
    const rows = await readRowPage(stack.database.db, currentRows(after ?? record), {
      after: 0,
      limit: 10,
    });
    expect(rows.map((row) => row.product)).toEqual([1, 2, 1]);
    expect(rows.map((row) => row.issues)).toEqual([0, 0, 0]);
  });

  it('finds image and brand in the row itself if a product with a valid UPC lacks them', async () => {
    const csv = csvOf([
      ['Title', 'Price', 'UPC', 'Description'],
      ['Lamp', '10', '036000291452', 'Brand: Lumen. <img src="https://example.com/lamp.jpg">'],
      ['Vase', '12', '', 'Brand: Nobody'],
    ]);
    const record = await storedImport(stack, { csv });
    await until('processed', async () => (await statusOf(record.id)) === 'processed');
    const after = await findImport(stack.database.db, record.id);
    const [lamp, vase] = await readRowPage(stack.database.db, currentRows(after ?? record), {
      after: 0,
      limit: 10,
    });
    expect(lamp?.values).toMatchObject({ vendor: 'Lumen', image: 'https://example.com/lamp.jpg' });
    expect(lamp?.sources).toEqual({ vendor: 'found', image: 'found' });
    expect(vase?.sources).toEqual({});
  });
});
