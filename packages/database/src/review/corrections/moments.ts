import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { lastEdit } from '../commands/stored-edits.ts';
import type { ValuesUntil } from '../effective-rows.ts';

/** The moment of a consistent read: the import's last edit that it sees, and the time. */
export async function readMoment(db: Db, importId: string): Promise<ValuesUntil> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
  return { edit: await lastEdit(db, importId), at: rows[0]?.at ?? new Date() };
}

/** The fields that were ever edited in an import. */
export async function readEditedFields(db: Db, importId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('edits')
    .select('field')
    .distinct()
    .where('import_id', '=', importId)
    .execute();
  return new Set(rows.map(({ field }) => field));
}
