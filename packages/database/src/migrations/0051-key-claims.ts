import { type Kysely, sql } from 'kysely';

/** The keys of products that pushes create, and the products of the store that they update, while they do it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table key_claims (
      shop text not null,
      kind text not null check (kind in ('sku','gtin','item','product')),
      value text not null,
      our_id text not null,
      import_id uuid,
      chunk bigint,
      until timestamptz,
      claimed_at timestamptz not null default clock_timestamp(),
      ended_at timestamptz,
      primary key (shop, kind, value)
    );
    create index key_claims_of_product on key_claims (shop, our_id);
    create index key_claims_of_import on key_claims (import_id);
  `.execute(db);
}
