import { type Kysely, sql } from 'kysely';

/**
 * Removes rows that deleted imports have left: from now on a deletion removes those of all runs. Drops columns and
 * a preference that only earlier releases used.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['row_matches', 'row_joins', 'row_items', 'product_lacks', 'rows', 'kept_places']) {
    const isKept =
      table === 'kept_places'
        ? sql`exists (select from deleted_imports where deleted_imports.id = held.import_id)`
        : sql`false`;
    await sql`
      delete from ${sql.table(table)} held
      where not exists (select from imports where imports.id = held.import_id) and not ${isKept}`.execute(db);
  }
  await sql`delete from chunks where task = 'remove-orphan-rows'`.execute(db);
  await sql`alter table watched_files drop column claimed_until`.execute(db);
  await sql`alter table sign_ins drop column claimed_until`.execute(db);
  await sql`alter table audits drop column position`.execute(db);
  await sql`update settings set preferences = preferences - 'keepSearchDays'`.execute(db);
}
