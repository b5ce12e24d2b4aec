import { type Kysely, sql } from 'kysely';

/**
 * Guards for the prices in a supplier's lists, those that the rows of a run were checked by, and the price of each
 * row's item in the list before. A process of the version before takes a row's broken guards away when it is edited.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table suppliers add column guard_cost double precision, add column guard_column text,
      add column guard_change integer;
    alter table runs add column guards json;
    alter table row_items add column price_then bigint;
  `.execute(db);
}
