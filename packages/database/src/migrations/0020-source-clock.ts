import { type Kysely, sql } from 'kysely';

/** When calls of a source were admitted last, to notice a clock that was set back (docs/decisions/0084). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sources add column admitted_at timestamptz not null default clock_timestamp()`.execute(
    db,
  );
}
