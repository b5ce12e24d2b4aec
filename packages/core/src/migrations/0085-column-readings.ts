import { type Kysely, sql } from 'kysely';

/** How the cells of a column are read, as the operator has answered, is remembered with the fields of its file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mappings add column readings jsonb not null default '{}'`.execute(db);
}
