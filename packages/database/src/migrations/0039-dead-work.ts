import { type Kysely, sql } from 'kysely';

/** Finds dead chunks among all, and lets a process say what it waits for before it begins its work. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index chunks_dead on chunks (id) where state = 'dead';
    alter table processes add column waiting_for text;
  `.execute(db);
}
