import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ImportRecord, OutcomeRecord } from '../schema.ts';
import { isUuid } from './imports.ts';

/** The version of an import, for an ETag; undefined when there is none. */
export async function readImportVersion(db: Db, id: string): Promise<number | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await db.selectFrom('imports').select('version').where('id', '=', id).executeTakeFirst();
  return row?.version;
}

/** The outcomes of some products of an import, by product number. */
export async function readOutcomesOf(
  db: Db,
  record: Pick<ImportRecord, 'id' | 'rows_run'>,
  products: readonly number[],
): Promise<Map<number, OutcomeRecord>> {
  const rows = await db
    .selectFrom('outcomes')
    .selectAll()
    .where('import_id', '=', record.id)
    .where('rows_run', '=', record.rows_run)
    .where('product', '=', sql<number>`any(${products}::int[])`)
    .execute();
  return new Map(rows.map((row) => [row.product, row]));
}
