import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';

/** Whether a supplier has lists of other imports, or of deleted ones. */
export async function hasOtherLists(db: Db, supplier: number, importId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select 1 from supplier_lists
      where supplier = ${supplier} and import_id is distinct from ${importId}::uuid) as has`.execute(db);
  return rows[0]?.has ?? false;
}

/** Makes an import the newest list of a supplier, which the caller has locked. */
export async function beginList(
  db: Db,
  supplier: number,
  { id, filename, file_at, sha256 }: Pick<ImportRecord, 'id' | 'filename' | 'file_at' | 'sha256'>,
  fields: readonly string[],
): Promise<void> {
  await sql`
    with next as (
      update suppliers set last_number = last_number + 1 where id = ${supplier} returning last_number
    )
    insert into supplier_lists (supplier, number, import_id, filename, file_at, sha256, fields)
    select ${supplier}, last_number, ${id}, ${filename}, ${file_at}::timestamptz, ${sha256}, ${fields}::text[]
    from next`.execute(db);
}
