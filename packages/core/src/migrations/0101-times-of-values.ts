import { type Kysely, sql } from 'kysely';

/** When a value was set by hand, and a recipe ordered. Of those that are there it is not known: the epoch. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table carried_values drop column is_final, add column set_at timestamptz not null default 'epoch';
    alter table carried_values alter column set_at set default now();
    alter table edits drop column under_recipes, add column set_at timestamptz;
    alter table supplier_recipes add column ordered_at timestamptz not null default 'epoch';
    alter table supplier_recipes alter column ordered_at set default now();
  `.execute(db);
}
