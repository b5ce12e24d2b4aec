import { type Kysely, sql } from 'kysely';

/** An answer how a column is read holds for the suppliers whose lists it was given for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mappings add column suppliers integer[] not null default '{}'`.execute(db);
}
