import { type Kysely, sql } from 'kysely';

/** Stores values of fields without a column of their own, and the definitions of a store's metafields. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table rows add column further_values json;
    create table metafield_definitions (
      shop text not null,
      namespace text not null,
      key text not null,
      name text not null,
      description text,
      type text not null,
      validations json not null,
      primary key (shop, namespace, key)
    );
  `.execute(db);
}
