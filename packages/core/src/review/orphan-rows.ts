import { sql } from 'kysely';
import type { Db, OpenDatabase } from '../connection/database.ts';
import { deleteBatch } from './remove-rows.ts';

/** Tables without a foreign key to imports: one made COPY take 2.4 times as long. */
const tables = ['row_matches', 'row_joins', 'row_items', 'product_lacks', 'kept_places', 'rows'] as const;

/**
 * Removes a batch of one table that belongs to deleted imports; returns 0 when none are left. A statement sees rows and
 * imports as of one moment, and rows are only written for a committed import, so an import that is still being stored
 * is never mistaken for a deleted one.
 */
export async function removeOrphanRows({ db }: Pick<OpenDatabase, 'db'>): Promise<number> {
  return db.transaction().execute(async (trx) => {
    for (const table of tables) {
      const importId = await findOrphan(trx, table);
      if (importId !== undefined) return deleteBatch(trx, table, sql`import_id = ${importId}`);
    }
    return 0;
  });
}

/** Kept places of a pushed or copied import outlive it if it was deleted on the screen. */
const isGone = (table: (typeof tables)[number]) => sql`
  not exists (select 1 from imports where imports.id = held.import_id) and ${
    table === 'kept_places'
      ? sql`not exists (select 1 from deleted_imports where deleted_imports.id = held.import_id)`
      : sql`true`
  }`;

/** Goes from import to import along the primary key: one look-up per import instead of a scan of all rows. */
async function findOrphan(db: Db, table: (typeof tables)[number]): Promise<string | undefined> {
  const { rows } = await sql<{ import_id: string }>`
    with recursive held (import_id) as (
      (select import_id from ${sql.table(table)} order by import_id limit 1)
      union all
      select (
        select next.import_id from ${sql.table(table)} next where next.import_id > held.import_id
        order by next.import_id limit 1
      ) from held where held.import_id is not null
    )
    select import_id from held
    where import_id is not null and ${isGone(table)}
    limit 1`.execute(db);
  return rows[0]?.import_id;
}
