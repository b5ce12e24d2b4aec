import { type Kysely, sql } from 'kysely';

/** Which sources are simulated ones, and the address of the store whose copy is looked at. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sources add column simulated boolean not null default false;
    update sources set simulated = true where base_url like 'http://127.0.0.1:%';
    alter table outside_access add column store_url text;
  `.execute(db);
}
