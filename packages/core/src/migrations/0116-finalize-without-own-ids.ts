import { type Kysely, sql } from 'kysely';

/** Runs in a step that is gone continue with the next one, which finds the same ids. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update runs set finalize = jsonb_set(finalize::jsonb, '{step}', '"find items"')::json
    where finalize ->> 'step' = 'carry own ids'`.execute(db);
}
