import { type Kysely, sql } from 'kysely';

/** What the operator has decided about prices in another currency, and for which run of the rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table imports add column price_answer text check (price_answer in ('send','hold')),
      add column price_answer_run integer;
  `.execute(db);
}
