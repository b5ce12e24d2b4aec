import type { ListDifference } from '@draftshelf/domain/suppliers/fetched-list';
import type { Item } from '@draftshelf/domain/suppliers/item-hashes';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRow, queryValue } from '../connection/query-rows.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { itemsAt } from './items-at.ts';

const isListed = sql`content_list is not null and missed_since is null`;

/** Compares a file's items, part by part, with the supplier's lists. Changed keys count as new and missing. */
export function compareTaken(db: Db, supplier: number) {
  const seen = new Set<string>();
  const found = { new: 0, dearer: 0, cheaper: 0, known: 0 };
  return {
    async add(items: readonly Item[]): Promise<void> {
      const fresh = items.filter(({ key }) => !seen.has(key) && seen.add(key));
      const priced = fresh.map(({ key, price }) => ({ key, price }));
      const given = unnestRows('given', priced, { key: 'text', price: 'bigint' });
      const ids = sql`array(select id from supplier_items where supplier = ${supplier} and key = any(${fresh.map(({ key }) => key)}::text[]))`;
      const part = await queryRow<typeof found>(db)`
        select count(*) filter (where listed.key is null)::int as new, count(listed.key)::int as known,
          count(*) filter (where given.price > listed.price)::int as dearer,
          count(*) filter (where given.price < listed.price)::int as cheaper
        from ${given} left join (select * from (${itemsAt({ supplier, ids })}) items where ${isListed}) listed
          on listed.key = given.key`;
      for (const name of ['new', 'known', 'dearer', 'cheaper'] as const) found[name] += part[name];
    },
    /** Null: no list of the supplier counts yet. */
    async end(): Promise<ListDifference | null> {
      const { known, ...differences } = found;
      const listed = await queryValue<number>(db)`
        select count(*)::int from (${itemsAt({ supplier })}) items where ${isListed}`;
      return listed === 0 ? null : { ...differences, missing: listed - known };
    },
  };
}
