import { type Kysely, sql } from 'kysely';

/** Finds by product of the store which pushes have skipped it, because it is there under another id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Only pushes write this table, and they wait for it without a limit.
    -- squawk-ignore require-concurrent-index-creation
    create index ledger_skipped on ledger (shop, store_product_id, id)
      where effect = 'skipped' and store_product_id is not null;
  `.execute(db);
}
