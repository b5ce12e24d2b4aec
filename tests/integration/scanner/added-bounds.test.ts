import { randomUUID } from 'node:crypto';
import { enqueueFinalize } from '@draftshelf/database/chunks/chunks';
import { claimChunk } from '@draftshelf/database/chunks/claim-chunk';
import { completeParseRun, currentRows, endRun, readParseRun } from '@draftshelf/database/chunks/runs';
import { findImport } from '@draftshelf/database/imports/imports';
import { createScannedProduct } from '@draftshelf/database/scanner/scanned-products';
import { dimensionsDefault, weightDefault } from '@draftshelf/domain/scanned-product';
import { addToImport } from '@draftshelf/imports/added/add-to-import';
import { finalizeParse } from '@draftshelf/imports/finalize/finalize-parse';
import { beginReread } from '@draftshelf/imports/reread/begin-reread';
import { expect } from 'vitest';
import { editRow } from '../../support/edit-row.ts';
import { type Fixture, productCsv, storedImport } from '../../support/fixture.ts';
import { test } from '../../support/test.ts';

/** A multiple of the batches of finalize, so that the added row is alone in the last one. */
const rows = 100_000;

const counts = { total_rows: rows, total_products: rows, product_numbers: rows, parsed_rows: rows };

test('a re-read carries edit and outcome of an added row that begins a batch', async ({ fixture }) => {
  const { db, pool } = fixture.database;
  const { id } = await storedImport(fixture, {
    csv: productCsv(1),
    set: { ...counts, status: 'processed', open_chunks: 0, processed_products: rows, valid_products: rows },
  });
  await endRun(db, { import_id: id, stage: 'parse', run: 1 });
  await storeRows(fixture, id, 1);
  await db.transaction().execute(async (trx) => {
    const saved = await createScannedProduct(
      trx,
      { id: randomUUID(), ageMs: 0 },
      {
        ...{ name: 'Scanned', description: '', price: '24.99', sku: 'SCAN-1', upc: null, photos: [] },
        ...{ dimensions: dimensionsDefault, weight: weightDefault },
      },
    );
    if (!('product' in saved)) throw new Error('The product was not saved');
    expect(await addToImport(trx, id, saved.product)).toMatchObject({ ok: true, isRow: true });
  });
  await db.transaction().execute((trx) => editRow(trx, id, rows + 1, { title: 'Edited' }));
  await pool.query(
    `insert into outcomes (import_id, rows_run, product, run, our_id, outcome)
     select import_id, 1, product, 1, own_id, 'created' from rows where import_id = $1 and own_id is not null`,
    [id],
  );

  await reread(fixture, id);
  expect(await findImport(db, id)).toMatchObject({
    ...{
      status: 'processed',
      rows_run: 2,
      total_rows: rows + 1,
      parsed_rows: rows + 1,
      valid_products: rows + 1,
    },
    ...{ product_numbers: rows + 1, created: 1, edits_without_row: 0 },
  });
  const { rows: added } = await pool.query(
    `select row, title, outcome from rows left join outcomes using (import_id, product)
     where import_id = $1 and rows.run = 2 and rows_run = 2 and own_id is not null`,
    [id],
  );
  expect(added).toEqual([{ row: rows + 1, title: 'Edited', outcome: 'created' }]);
});

/** Stores the rows of a run as its chunk would, in one statement. */
async function storeRows({ database: { pool } }: Fixture, id: string, run: number): Promise<void> {
  await pool.query(
    `insert into rows (import_id, run, row, line, product, byte_from, class, enrichable, title, price, cells)
     select $1, $2, n, n + 1, n, n * 10, 'valid', false, 'Vase', '1.50', '["Vase","1.50",""]'
     from generate_series(1, $3::int) n`,
    [id, run, rows],
  );
  await pool.query(`delete from chunks where import_id = $1 and run = $2`, [id, run]);
  await pool.query(
    `insert into chunks (import_id, stage, run, kind, sequence, state, first_row, rows, first_product, products)
     values ($1, 'parse', $2, 'work', 0, 'done', 1, $3, 1, $3)`,
    [id, run, rows],
  );
}

/** Re-reads the file up to its finalize, which does its work. */
async function reread(fixture: Fixture, id: string): Promise<void> {
  const { db } = fixture.database;
  const of = { import_id: id, run: 2 };
  await db.transaction().execute((trx) => beginReread(trx, id, { dialect: { delimiter: ',' } }));
  await completeParseRun(db, of, await readParseRun(db, currentRows({ id, rows_run: 1 })));
  await storeRows(fixture, id, 2);
  await db
    .updateTable('imports')
    .set({ ...counts, open_chunks: 0, valid_products: rows })
    .where('id', '=', id)
    .execute();
  await enqueueFinalize(db, { ...of, stage: 'parse' });
  const finalize = await db
    .selectFrom('chunks')
    .selectAll()
    .where('import_id', '=', id)
    .where('kind', '=', 'finalize')
    .executeTakeFirstOrThrow();
  const claimed = await claimChunk(db, finalize);
  if (!claimed) throw new Error('The finalize could not be claimed');
  while (!(await finalizeParse(db, claimed))) expect(claimed.kind).toBe('finalize');
}
