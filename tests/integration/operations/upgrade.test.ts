import { randomBytes } from 'node:crypto';
import { openDatabase } from '@draftshelf/database/connection/database';
import { cancelImport } from '@draftshelf/database/imports/import-actions';
import { findImport } from '@draftshelf/database/imports/imports';
import { migrate } from '@draftshelf/database/migrate';
import { up as start } from '@draftshelf/database/migrations/0001-start';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

const name = `upgrade_${randomBytes(6).toString('hex')}`;
const { postgresUrl } = inject('services');
const url = new URL(postgresUrl);
url.pathname = `/${name}`;

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: postgresUrl });
  await admin.connect();
  await admin.query(statement).finally(() => admin.end());
}

beforeAll(() => asAdmin(`create database ${name}`));
afterAll(() => asAdmin(`drop database ${name} with (force)`));

test('a database of the first schema keeps its imports, and a re-read under way the state to return to', async () => {
  const database = openDatabase({ connectionString: url.href, applicationName: 'draftshelf-test' });
  const { db, pool } = database;
  try {
    await start(db as Parameters<typeof start>[0]);
    // As Kysely writes down what has run.
    await pool.query(`
      create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
      insert into kysely_migration values ('0001-start', '2026-11-01T00:00:00.000Z')`);
    const insert = async (columns: string, values: string): Promise<string> => {
      const { rows } = await pool.query<{ id: string }>(`
        insert into imports (filename, file_bytes, sha256, object_key, test_mode, enable_upc, enable_ai, total_rows,
          total_products, product_numbers, ${columns})
        values ('a.csv', 30, 'digest', gen_random_uuid(), false, true, true, 9, 9, 9, ${values}) returning id`);
      return rows[0]?.id ?? '';
    };
    const resting = await insert('status, open_chunks, valid_products', `'processed', 0, 9`);
    const rereading = await insert(
      'status, open_chunks, parse_run, rows_run, started_at, error_log',
      `'processing', 1, 2, 1, now(), '{during}'`,
    );
    for (const id of [resting, rereading]) {
      await pool.query(`insert into runs (import_id, stage, run, dialect) values ($1, 'parse', 1, '{}')`, [
        id,
      ]);
      await pool.query(
        `insert into rows (import_id, run, row, line, byte_from, product, class, enrichable, ignored, cells)
         select $1, 1, i, i, i, (i + 1) / 2, class, i < 3, case when i = 6 then 'totals' end, '[]'
         from unnest(array['valid', 'warning', 'valid', 'valid', 'error', 'valid']) with ordinality given(class, i)`,
        [id],
      );
    }
    await pool.query(
      `insert into runs (import_id, stage, run, dialect, earlier_status) values ($1, 'parse', 2, '{}', 'queued')`,
      [rereading],
    );
    const before = await pool.query(
      'select * from imports join rows on import_id = id where id = $1 order by row',
      [resting],
    );

    expect(await migrate(database)).toEqual([
      '0002-earlier-state',
      '0003-under-way',
      '0004-cells-as-read',
      '0005-edit-commands',
      '0006-processes',
      '0007-queue-pages',
    ]);

    const after = await pool.query(
      'select * from imports join rows on import_id = id where id = $1 order by row',
      [resting],
    );
    expect(after.rows).toEqual(before.rows.map((row) => ({ ...row, offsets_in: null, cells_as_read: null })));
    const cancelled = await db.transaction().execute((trx) => cancelImport(trx, rereading));
    expect(cancelled).toMatchObject({ ok: true, reread: true });
    expect(await findImport(db, rereading)).toMatchObject({
      ...{ status: 'queued', parse_run: 1, rows_run: 1, open_chunks: 0, total_rows: 6, parsed_rows: 6 },
      ...{ total_products: 3, processed_products: 3, product_numbers: 3 },
      ...{ valid_products: 1, warning_products: 1, error_products: 1 },
      ...{ enrich_rows: 2, enriched_rows: 2, error_message: null, error_log: [], error_count: 0 },
    });
    expect(await migrate(database)).toEqual([]);
  } finally {
    await database.close();
  }
});
