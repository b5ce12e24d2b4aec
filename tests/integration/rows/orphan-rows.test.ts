import { removeOrphanRows } from '@draftshelf/core/review/remove-rows';
import { expect } from 'vitest';
import { type Fixture, productCsv, storedImport } from '../../support/fixture.ts';
import { test } from '../../support/test.ts';

let fixture: Fixture;
test.beforeAll(({ fixture: own }) => {
  fixture = own;
});

const tables = ['rows', 'row_matches'] as const;

/** An import at rest with rows and all their related data. */
async function importWithRows(rows: number): Promise<string> {
  const { pool } = fixture.database;
  const set = { status: 'processed', open_chunks: 0, total_rows: rows } as const;
  const { id } = await storedImport(fixture, { csv: productCsv(1), set });
  await pool.query(
    `insert into rows (import_id, run, row, line, byte_from, product, class, enrichable, cells)
     select $1, 1, i, i, i, i, 'valid', false, '[]' from generate_series(1, $2::int) i`,
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

test('a worker removes rows of deleted imports with their related data, and nothing else', async () => {
  const ids: string[] = [];
  for (const rows of [5, 25_000, 5, 5, 5]) ids.push(await importWithRows(rows));
  const [kept = '', ...deleted] = ids;
  await fixture.database.pool.query('delete from imports where id = any($1)', [deleted]);
  while ((await removeOrphanRows(fixture.database)) > 0);
  const left = await Promise.all(deleted.map(countsOf));
  expect(left.flat().every((count) => count === 0)).toBe(true);
  expect(await countsOf(kept)).toEqual([5, 2]);
});
