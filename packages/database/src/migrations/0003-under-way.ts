import { type Kysely, sql } from 'kysely';

/** Relays, sweeps and polls ask for imports that have not ended, which are few among all that there have been. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index imports_under_way on imports (status) where status not in ('completed','failed','cancelled')`.execute(
    db,
  );
}
