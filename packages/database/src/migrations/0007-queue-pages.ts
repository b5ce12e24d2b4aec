import { type Kysely, sql } from 'kysely';

/** The queue shows the newest imports that have not ended and the newest that have; every poll looks for both. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index imports_newest_open on imports (created_at desc, id)
      where status not in ('completed','failed','cancelled');
    create index imports_newest_ended on imports (created_at desc, id)
      where status in ('completed','failed','cancelled')`.execute(db);
}
