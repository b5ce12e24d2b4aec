import { type Kysely, sql } from 'kysely';

/**
 * Stores values of fields without a column of their own, the definitions of a store's metafields, and the categories
 * that were chosen for suppliers' own.
 */
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
    create table category_choices (
      supplier integer not null default 0,
      path text not null,
      id text not null,
      name text not null,
      primary key (supplier, path)
    );
  `.execute(db);
}
