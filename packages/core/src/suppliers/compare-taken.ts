import type { ListDifference } from '@draftshelf/domain/suppliers/fetched-list';
import type { Item } from '@draftshelf/domain/suppliers/item-hashes';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows, queryValue } from '../connection/query-rows.ts';
import { itemsAt } from './items-at.ts';

/**
 * Compares items of a file that is no import, part by part, with what the supplier's lists said last. Keys that have
 * changed since count as new and missing.
 */
export function compareTaken(db: Db, supplier: number) {
  const seen = new Set<string>();
  const found = { new: 0, dearer: 0, cheaper: 0 };
  let listedSeen = 0;
  return {
    async add(items: readonly Item[]): Promise<void> {
      const fresh = new Map<string, Item>();
      for (const item of items) {
        if (seen.has(item.key)) continue;
        seen.add(item.key);
        fresh.set(item.key, item);
      }
      const known = await listedItems(db, supplier, [...fresh.keys()]);
      for (const [key, { price }] of fresh) {
        const before = known.get(key);
        if (!before) found.new += 1;
        else {
          listedSeen += 1;
          if (price !== null && before.price !== null && price > before.price) found.dearer += 1;
          if (price !== null && before.price !== null && price < before.price) found.cheaper += 1;
        }
      }
    },
    /** Null: no list of the supplier counts yet. */
    async end(): Promise<ListDifference | null> {
      const listed = await countListed(db, supplier);
      return listed === 0 ? null : { ...found, missing: listed - listedSeen, items: listed };
    },
  };
}

const isListed = sql`content_list is not null and missed_since is null`;

async function listedItems(db: Db, supplier: number, keys: readonly string[]) {
  const ids = sql`array(
    select id from supplier_items where supplier = ${supplier} and key = any(${keys}::text[]))`;
  const items = await queryRows<{ key: string; price: number | null }>(db)`
    select key, price from (${itemsAt({ supplier, ids })}) items where ${isListed}`;
  return new Map(items.map((item) => [item.key, item]));
}

const countListed = (db: Db, supplier: number) =>
  queryValue<number>(db)`select count(*)::int from (${itemsAt({ supplier })}) items where ${isListed}`;
