import { goneUntil } from '@draftshelf/domain/suppliers/gone';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { readAnswers } from './suppliers.ts';

/** The newest list by which items that no list has had since are gone; null: none is. Lists of prices do not count. */
export async function readGoneUntil(db: Db, supplier: number): Promise<number | null> {
  const answers = await readAnswers(db, supplier);
  if (!answers) return null;
  const counted = await db
    .selectFrom('supplier_lists')
    .select(['number', 'is_complete as isComplete', 'answers'])
    .where('supplier', '=', supplier)
    .where('state', '=', 'counted')
    .where('is_complete', 'is not', null)
    .orderBy('counted_at', 'desc')
    .orderBy('number', 'desc')
    .limit(answers.goneAfter)
    .execute();
  return goneUntil(
    counted.map(({ answers: { isWhole }, ...list }) => ({ ...list, isWhole })),
    answers,
  );
}

/** SQL condition: an item is gone by the list number `until`. */
const isGone = (supplier: number, until: number) => sql`
  items.supplier = ${supplier} and items.missed_since <= ${until} and items.content_list is not null`;

/** How many items are gone. */
export async function countGone(db: Db, supplier: number, until: number): Promise<number> {
  const { rows } = await sql<{ items: number }>`
    select count(*)::int as items from supplier_items items where ${isGone(supplier, until)}`.execute(db);
  return rows[0]?.items ?? 0;
}

/** An item that is gone: what its last list said, that list's file, and its product in a store, if there is one. */
export type GoneItem = {
  key: string;
  title: string | null;
  price: number | null;
  quantity: number | null;
  lastIn: string | null;
  url: string | null;
  product: string | null;
  /** As we know it from our last write or read. */
  status: string | null;
};

/** The items that are gone, by key after `after`, at most `limit`. */
export async function pageGone(
  db: Db,
  { supplier, until }: { supplier: number; until: number },
  { after, limit }: { after: string; limit: number },
): Promise<GoneItem[]> {
  const { rows } = await sql<GoneItem>`
    select items.key, title, price, quantity, in_store.url, in_store.product, in_store.status, (
      select filename from supplier_lists lists
      where lists.supplier = items.supplier and state = 'counted' and lists.number < missed_since
      order by lists.number desc limit 1
    ) as "lastIn"
    from (
      select * from supplier_items items where ${isGone(supplier, until)} and items.key > ${after}
      order by items.key limit ${limit}
    ) items
    left join lateral (
      select url, store_product_id as product, lower(coalesce(baseline->>'status', sent->>'status')) as status
      from listings join shops on shops.shop = listings.shop
      where listings.our_id = items.our_id and store_product_id is not null limit 1
    ) in_store on true
    order by items.key`.execute(db);
  return rows;
}
