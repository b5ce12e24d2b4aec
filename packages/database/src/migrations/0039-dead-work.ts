import { type Kysely, sql } from 'kysely';

/** Finds dead chunks among all, and lets a process say what it waits for before it begins its work. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Chunks are few: 325,000 are read in 35 ms.
    -- squawk-ignore require-concurrent-index-creation
    create index chunks_dead on chunks (id) where state = 'dead';
    alter table processes add column waiting_for text;
  `.execute(db);
}
