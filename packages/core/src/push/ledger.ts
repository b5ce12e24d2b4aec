import type { Insertable, Selectable } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findValue, queryRow, queryRows } from '../connection/query-rows.ts';
import type { LedgerTable } from '../connection/schema.ts';
import { finalStatusList } from '../imports/queue-page.ts';

export type LedgerEntry = Insertable<LedgerTable>;

/** Writes entries to the ledger. Entries of a push have import, product and run. */
export async function insertLedgerEntries(db: Db, entries: readonly LedgerEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await db.insertInto('ledger').values(entries).execute();
}

export type LedgerLine = Selectable<LedgerTable> & { product: number };

/** Reads the next ledger entries of an import's products after a position, ordered by product and time. */
export const readLedgerPage = (
  db: Db,
  importId: string,
  { after, limit }: { after: { product: number; id: number }; limit: number },
) =>
  queryRows<LedgerLine>(db)`
    select * from ledger
    where import_id = ${importId} and (product, id) > (${after.product}::int, ${after.id}::bigint)
    order by product, id limit ${limit}`;

export const findLedgerProductNumber = (
  db: Db,
  of: { shop: string; ourId: string; importId: string; run: number },
) =>
  findValue<number>(db)`
    select product from ledger
    where shop = ${of.shop} and our_id = ${of.ourId} and import_id = ${of.importId} and run = ${of.run}
      and product is not null limit 1`;

/** The effect of an undo on a product. The undo removed the product's outcome. */
export type UndoneEntry = Pick<LedgerLine, 'our_id' | 'store_product_id'> & {
  effect: 'restored' | 'deleted' | 'archived';
};

/** Finds the latest undo entries of an import's products, by our id. Kept products are absent. */
export async function findUndoneEntries(
  db: Db,
  of: { shop: string; importId: string },
  ourIds: readonly string[],
): Promise<Map<string, UndoneEntry>> {
  if (ourIds.length === 0) return new Map();
  const rows = await queryRows<UndoneEntry>(db)`
    select distinct on (our_id) our_id, store_product_id, effect from ledger
    where shop = ${of.shop} and our_id = any(${ourIds}::text[]) and import_id = ${of.importId}
      and origin = 'undo' and effect <> 'kept'
    order by our_id, id desc`;
  return new Map(rows.map((row) => [row.our_id, row]));
}

/** Position in our writes to stores. If two positions are equal, no write was made between them. */
export type StoreWritePosition = {
  last: number | null;
  ended: string | null;
  isPushing: boolean;
};

/** Reads the position of the writes of all processes, using only indexes. */
export const readStoreWritePosition = (db: Db) =>
  queryRow<StoreWritePosition>(db)`
    select (select max(id) from ledger) as last,
      (select id || ' ' || completed_at from import_records where status in (${finalStatusList})
        order by completed_at desc nulls last, id limit 1) as ended,
      exists (select 1 from imports where status = 'uploading') as "isPushing"`;
