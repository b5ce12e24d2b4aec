import { randomUUID } from 'node:crypto';
import { type Db, withPinnedConnection } from '@draftshelf/core/connection/database';
import { findImport } from '@draftshelf/core/imports/imports';
import { beginReread } from '@draftshelf/core/reading/begin-reread';
import { addToImport } from '@draftshelf/core/scanner/add-to-import';
import { createScannedProduct } from '@draftshelf/core/scanner/scanned-products';
import { runUpdateAddedTask } from '@draftshelf/core/scanner/update-added-rows';
import { enqueueFinalize } from '@draftshelf/core/work/chunks';
import { claimChunk } from '@draftshelf/core/work/claim-chunk';
import { finalizeParse } from '@draftshelf/core/work/finalize/finalize-parse';
import { completeParseRun, currentRows, endRun, readParseRun } from '@draftshelf/core/work/runs';
import { enqueueTask } from '@draftshelf/core/work/tasks';
import { dimensionsDefault, weightDefault } from '@draftshelf/domain/scanner/scanned-product';
import { expect } from 'vitest';
import { editRow } from '../../support/edit-row.ts';
import { type Fixture, productCsv, storedImport, until } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { test } from '../../support/test.ts';

/** A multiple of the batches of finalize, so that the added row is alone in the last one. */
const rows = 100_000;

const counts = { total_rows: rows, total_products: rows, product_numbers: rows, parsed_rows: rows };

test.runIf(isLong)(
  'a re-read carries edit and outcome of an added row that begins a batch',
  async ({ fixture }) => {
    const { db, pool } = fixture.database;
    const id = await largeImport(fixture);
    await db.transaction().execute((trx) => addScanned(trx, id));
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
  },
);

test.runIf(isLong)(
  'added products lock a large import for a few rows at a time, with room for an edit between',
  async ({ fixture }) => {
    const { db, pool } = fixture.database;
    const id = await largeImport(fixture);
    const read = await withPinnedConnection(fixture.database, ({ db: own, client }) =>
      own.transaction().execute(async (trx) => {
        // Counts of the transaction before may not be stored yet.
        const readSoFar = async (): Promise<number> => {
          const { rows: tables } = await client.query(
            'select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables',
          );
          return tables[0].read;
        };
        const before = await readSoFar();
        await addScanned(trx, id);
        return (await readSoFar()) - before;
      }),
    );
    // The signatures of all rows, and few rows.
    expect(read).toBeLessThan(rows / 20);

    // Products that were added during a push, which a task appends behind it.
    await pool.query(
      `insert into added_rows (import_id, product_id, ordinal, own_id, values, version)
     select $1, gen_random_uuid(), n, 'scanned' || n, '{"title":"Scanned","price":"24.99"}', 1
     from generate_series(2, 1201) n`,
      [id],
    );
    const chunk = await claimedTask(fixture, id);
    const rowsNow = async (own: Db) => (await findImport(own, id))?.total_rows;
    const waiting = async () =>
      (
        await pool.query(`select 1 from pg_stat_activity
        where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`)
      ).rows.length;
    // A lock of the session: a transaction that is idle would be ended.
    const holder = await pool.connect();
    const lock = "hashtext('draftshelf rows'), hashtext($1)";
    await holder.query(`select pg_advisory_lock(${lock})`, [id]);
    const parts = (async () => {
      const totals = [];
      for (let progress: unknown = 'more'; progress === 'more'; totals.push(await rowsNow(db))) {
        progress = await runUpdateAddedTask(db, chunk);
      }
      return totals;
    })();
    await until('the first part waits', async () => (await waiting()) === 1);
    const edited = db.transaction().execute(async (trx) => {
      const { ok } = await editRow(trx, id, 7, { title: 'Edited' });
      return { ok, rows: await rowsNow(trx) };
    });
    await until('the edit waits, too', async () => (await waiting()) === 2);
    await holder.query(`select pg_advisory_unlock(${lock})`, [id]);
    holder.release();
    expect(await edited).toEqual({ ok: true, rows: rows + 500 });
    expect(await parts).toEqual([rows + 500, rows + 1_000, rows + 1_201]);
  },
);

/** An import in review with as many rows as `rows`. */
async function largeImport(fixture: Fixture): Promise<string> {
  const { id } = await storedImport(fixture, {
    csv: productCsv(1),
    set: { ...counts, status: 'processed', open_chunks: 0, processed_products: rows, valid_products: rows },
  });
  await endRun(fixture.database.db, { import_id: id, stage: 'parse', run: 1 });
  await storeRows(fixture, id, 1);
  return id;
}

/** Saves a product in the library and adds it to an import, as a call does. */
async function addScanned(db: Db, importId: string): Promise<void> {
  const saved = await createScannedProduct(
    db,
    { id: randomUUID(), ageMs: 0 },
    {
      ...{ name: 'Scanned', description: '', price: '24.99', sku: 'SCAN-1', upc: null, photos: [] },
      ...{ dimensions: dimensionsDefault, weight: weightDefault },
    },
  );
  if (!('product' in saved)) throw new Error('The product was not saved');
  expect(await addToImport(db, importId, saved.product)).toMatchObject({ ok: true, isRow: true });
}

/** The task that updates the added rows of an import, as a worker has it. */
async function claimedTask({ database: { db } }: Fixture, id: string) {
  await enqueueTask(db, { import_id: id, run: 1 }, 'update-added');
  const pending = await db
    .selectFrom('chunks')
    .selectAll()
    .where('import_id', '=', id)
    .where('task', '=', 'update-added')
    .executeTakeFirstOrThrow();
  const claimed = await claimChunk(db, pending);
  if (!claimed) throw new Error('The task could not be claimed');
  return claimed;
}

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
  await storeRows(fixture, id, 2);
  const state = { ...counts, open_chunks: 0, valid_products: rows };
  await completeParseRun(db, of, await readParseRun(db, currentRows({ id, rows_run: 1 })), state);
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
