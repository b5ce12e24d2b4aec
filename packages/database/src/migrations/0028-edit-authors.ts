import { type Kysely, sql } from 'kysely';

/** Who made a command, and the order of the history. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table edit_commands add column author text;
    create index edit_commands_listed on edit_commands (import_id, created_at desc, id desc);
    create index edit_commands_undone on edit_commands (import_id, undoes) where undoes is not null;
  `.execute(db);
}
