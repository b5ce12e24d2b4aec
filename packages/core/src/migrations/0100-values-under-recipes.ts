import { type Kysely, sql } from 'kysely';

/** Whether a command has changed a value after it was set by hand. Of earlier values that is not known: they stay. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table carried_values add column is_final boolean not null default true;
    alter table edits add column under_recipes boolean;
  `.execute(db);
}
