import { type Kysely, sql } from 'kysely';

/** Rules that set type, collections and tags of products by their words. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table category_rules (
      id uuid primary key,
      position integer not null,
      name text not null,
      rule json not null,
      enabled boolean not null,
      changed_at timestamptz not null default now()
    );
  `.execute(db);
}
