import { type Kysely, sql } from 'kysely';

/** The lists of a supplier that counted last are found by an index; and how far the missing items of one are marked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table supplier_lists add column missing_to text;
    -- Suppliers have few lists.
    -- squawk-ignore require-concurrent-index-creation
    create index supplier_lists_counted on supplier_lists (supplier, counted_at desc, number desc)
      where state = 'counted';
  `.execute(db);
}
