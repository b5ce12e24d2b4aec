import { type Kysely, sql } from 'kysely';

/**
 * Large tables are vacuumed after a fixed number of dead rows, not after a fifth of the table: with 100 million rows,
 * space that was freed would otherwise be used again only after 20 million more. Small tables that are updated all the
 * time keep room in their pages, so that an update needs no entry in an index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const large = [
    'rows',
    'row_search',
    'row_findings',
    'row_matches',
    'found_values',
    'outcomes',
    'product_lacks',
  ];
  for (const table of large) {
    await sql`
      alter table ${sql.table(table)} set (
        autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000,
        autovacuum_vacuum_insert_scale_factor = 0.2, autovacuum_analyze_scale_factor = 0.05)`.execute(db);
  }
  // A line stands for up to 1,024 rows, or for a product with its states.
  for (const table of ['row_bitmaps', 'chunks', 'pushed_states', 'kept_places', 'edits']) {
    await sql`
      alter table ${sql.table(table)} set (
        autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`.execute(db);
  }
  await sql`alter table imports set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02)`.execute(db);
  await sql`alter table processes set (fillfactor = 50)`.execute(db);
  await sql`alter table store_budgets set (fillfactor = 50)`.execute(db);
}
