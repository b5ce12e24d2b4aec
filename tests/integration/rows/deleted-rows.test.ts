import { removeImportRecords } from '@draftshelf/core/work/delete-import';
import { expect } from 'vitest';
import { productCsv, storedImport } from '../../support/fixture.ts';
import { fixture, testOnFixture } from '../../support/test.ts';

const test = testOnFixture();

const tables = ['rows', 'row_matches'] as const;

/** An import at rest with rows and all their related data. */
async function importWithRows(rows: number): Promise<string> {
  const { pool } = fixture.database;
  const set = { status: 'processed', open_chunks: 0, total_rows: rows } as const;
  const { id } = await storedImport(fixture, { csv: productCsv(1), set });
  await pool.query(
    `insert into rows (import_id, run, row, line, byte_from, product, class, enrichable, cells)
     select $1, run, i, i, i, i, 'valid', false, '[]' from generate_series(1, $2::int) i, generate_series(1, 2) run`,
    [id, rows],
  );
  await pool.query(
    `insert into row_matches (import_id, run, row, field, other_import)
     select $1, 1, i, 'sku', $1 from generate_series(2, 3) i`,
    [id],
  );
  return id;
}

async function countsOf(id: string): Promise<number[]> {
  const counts = tables.map(async (table) => {
    const { rows } = await fixture.database.pool.query(
      `select count(*)::int as count from ${table} where import_id = $1`,
      [id],
    );
    return rows[0].count as number;
  });
  return Promise.all(counts);
}

test('a deletion removes the rows of all runs with their related data, and nothing else', async () => {
  const [kept, deleted] = [await importWithRows(5), await importWithRows(25_000)];
  while ((await removeImportRecords(fixture.database.db, { import_id: deleted })) > 0);
  expect(await countsOf(deleted)).toEqual([0, 0]);
  expect(await countsOf(kept)).toEqual([10, 2]);
});
