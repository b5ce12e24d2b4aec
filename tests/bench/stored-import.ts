import type { OpenDatabase } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { insertImport, type NewParseRun } from '@draftshelf/core/work/runs';
import { mapHeaders } from '@draftshelf/domain/reading/mapping/header-mapping';

type StoredImport = {
  /** Its hash and the key of its object. */
  name: string;
  headers: readonly string[];
  /** One product each. */
  rows: number;
  rowsPerChunk: number;
  enableUpc: boolean;
};

/** Inserts an import with the run and the finished chunks of a parse worker. The caller inserts its rows. */
export async function insertStoredImport(
  { db, pool }: OpenDatabase,
  { name, headers, rows, rowsPerChunk, enableUpc }: StoredImport,
): Promise<ImportRecord> {
  const values = {
    ...{ filename: 'bench.csv', file_bytes: 1, sha256: name, object_key: name },
    ...{ test_mode: false, enable_upc: enableUpc, enable_ai: false, open_chunks: 0, total_rows: rows },
    ...{ status: 'processed' as const, total_products: rows, product_numbers: rows },
  } satisfies Parameters<typeof insertImport>[1];
  const dialect = { encoding: 'utf-8' } as NewParseRun['dialect'];
  const record = await insertImport(db, values, {
    dialect,
    headers: [...headers],
    mapping: mapHeaders(headers, []),
  });
  for (let first = 1; first <= rows; first += rowsPerChunk) {
    await pool.query(
      `insert into chunks (import_id, stage, run, kind, sequence, state, first_row, rows, first_product, products)
       values ($1, 'parse', 1, 'work', $2, 'done', $2, $3, $2, $3)`,
      [record.id, first, rowsPerChunk],
    );
  }
  await pool.query('update imports set rows_run = 1 where id = $1', [record.id]);
  return { ...record, rows_run: 1 };
}
