import { type Kysely, sql } from 'kysely';

/**
 * Removes rows that deleted imports have left: from now on a deletion removes those of all runs. Drops columns and
 * a preference that only earlier releases used.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['row_matches', 'row_joins', 'row_items', 'product_lacks', 'rows', 'kept_places']) {
    const isKept = table === 'kept_places' ? sql`id in (select id from deleted_imports)` : sql`false`;
    // From import to import along the primary key, because tables may have 100 million rows.
    await sql`
      with recursive held (id) as (
        (select import_id from ${sql.table(table)} order by import_id limit 1)
        union all
        select (
          select import_id from ${sql.table(table)} where import_id > held.id order by import_id limit 1
        ) from held where id is not null
      )
      delete from ${sql.table(table)} where import_id = any(array(
        select id from held where id not in (select id from imports) and not ${isKept}))`.execute(db);
  }
  await sql`delete from chunks where task = 'remove-orphan-rows'`.execute(db);
  await sql`alter table watched_files drop column claimed_until`.execute(db);
  await sql`alter table sign_ins drop column claimed_until`.execute(db);
  await sql`alter table audits drop column position`.execute(db);
  await sql`update settings set preferences = preferences - 'keepSearchDays'`.execute(db);
}
