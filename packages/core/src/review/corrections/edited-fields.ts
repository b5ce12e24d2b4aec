import type { Db } from '../../connection/database.ts';

export async function readEditedFields(db: Db, importId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('edits')
    .select('field')
    .distinct()
    .where('import_id', '=', importId)
    .execute();
  return new Set(rows.map(({ field }) => field));
}
