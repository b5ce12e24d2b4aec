import type { Db } from '../connection/database.ts';

/** What of an import was removed, or is being removed. */
export type Removed = { rows: boolean; file: boolean; deleting: boolean };

/** What of an import was removed; nothing if there is no such import. */
export async function readRemoved(db: Db, importId: string): Promise<Removed> {
  const found = await db
    .selectFrom('imports')
    .select(['rows_removed_at', 'file_removed_at', 'deletion_began_at'])
    .where('id', '=', importId)
    .executeTakeFirst();
  return {
    rows: found !== undefined && found.rows_removed_at !== null,
    file: found !== undefined && found.file_removed_at !== null,
    deleting: found !== undefined && found.deletion_began_at !== null,
  };
}
