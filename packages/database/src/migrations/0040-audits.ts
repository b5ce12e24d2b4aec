import { type Kysely, sql } from 'kysely';

/** Results of the daily comparison of counters, outcomes, ledger and listings. At most one audit has not ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audits (
      id bigint generated always as identity primary key,
      started_at timestamptz not null default clock_timestamp(),
      ended_at timestamptz,
      position json not null,
      imports integer not null default 0,
      products bigint not null default 0,
      listings bigint not null default 0,
      difference_count integer not null default 0,
      differences json not null,
      problem text
    );
    create unique index audits_one_open on audits ((ended_at is null)) where ended_at is null;
    -- Only pushes write listings, and they wait for it without a limit.
    -- squawk-ignore require-concurrent-index-creation
    create index listings_of_store_product on listings (shop, store_product_id)
      where store_product_id is not null;
  `.execute(db);
}
