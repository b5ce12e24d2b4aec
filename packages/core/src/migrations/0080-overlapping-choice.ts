import { type Kysely, sql } from 'kysely';

/**
 * Products that were changed in the store get our changes of their other parts in new installations. One that has
 * imports and did not say so keeps asking.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into preferences (value) select '{"sendNonOverlapping":false}'
    where exists (select from imports) or exists (select from listings)
    on conflict (singleton) do update set value = excluded.value || preferences.value`.execute(db);
}
