import type { ListDifference } from '@draftshelf/domain/suppliers/fetched-list';
import type { Item } from '@draftshelf/domain/suppliers/item-hashes';
import { bitOfChange } from '@draftshelf/domain/suppliers/list';
import { type RawBuilder, sql } from 'kysely';
import { type Db, readInSnapshot } from '../connection/database.ts';
import { runWithoutNestedLoops } from '../connection/planner.ts';
import { queryRow, queryRows, queryValue } from '../connection/query-rows.ts';
import type { ImportRecord, SupplierListRecord } from '../connection/schema.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { currentRows } from '../work/runs.ts';
import { selectMissingItems } from './count-rows.ts';
import { type ItemPage, type MissingItem, readItemPage } from './gone.ts';
import { selectItems } from './items-at.ts';
import { itemOfRow } from './row-items.ts';

/** A row of a compared list. `change`: bits of its changes. `price` and `quantity`: values before this list. */
type ListedRow = { row: number; change: number } & Record<'key' | 'title', string | null> &
  Record<'price' | 'quantity' | 'price_now', number | null>;

type ComparedList = Pick<SupplierListRecord, 'supplier' | 'number' | 'state'>;

const beforeOf = ({ state, number }: ComparedList) => (state === 'counted' ? number : null);

async function readRows(db: Db, record: ImportRecord, list: ComparedList, which: RawBuilder<unknown>) {
  const { import_id, run } = currentRows(record);
  const { supplier } = list;
  const items = selectItems({ supplier, before: beforeOf(list), ids: sql`array(select item from part)` });
  return queryRows<ListedRow>(db)`
    with part as materialized (
      select rows.row, change, rows.item_key as key, rows.title, item_price as price_now,
        ${itemOfRow(supplier, sql`row_items.item`)} as item
      from row_items cross join lateral (
        select row, item_key, title, item_price from rows
        where rows.import_id = ${import_id} and rows.run = ${run} and rows.row = row_items.row offset 0
      ) rows
      where row_items.import_id = ${import_id} and row_items.run = ${run} and ${which}
    )
    select row, change, items.price, items.quantity, part.key, part.title, price_now
    from part left join (${items}) items on items.id = item and content_list is not null order by row`;
}

/** Reads some rows of a compared list, by row number. */
export const readListedRows = (
  db: Db,
  record: ImportRecord,
  list: ComparedList,
  numbers: readonly number[],
) => readRows(db, record, list, sql`row_items.row = any(${numbers}::int[])`);

/** Reads the next rows after row `after` that differ from the supplier's earlier list. */
export async function readDifferingRows(
  db: Db,
  record: ImportRecord,
  list: ComparedList,
  { after, limit }: { after: number; limit: number },
) {
  const next = sql`
    row_items.row > ${after} and change & ${sql.lit(bitOfChange('unchanged'))} = 0 order by row_items.row limit ${limit}`;
  return readRows(db, record, list, next);
}

/** Reads a page of the items that a list lacks, ordered by key. Begins its own transaction. */
export async function readMissingItems(
  db: Db,
  record: ImportRecord,
  list: ComparedList,
  page: ItemPage,
): Promise<MissingItem[]> {
  const missing = selectMissingItems(currentRows(record), list.supplier, beforeOf(list));
  return readInSnapshot(db, (trx) => runWithoutNestedLoops(trx, () => readItemPage(trx, missing, page)));
}

const isListed = sql`content_list is not null and missed_since is null`;

/** Compares a file's items with a supplier's lists, in parts. An item with a changed key counts as new and missing. */
export function createListComparison(db: Db, supplier: number) {
  const seen = new Set<string>();
  const found = { new: 0, dearer: 0, cheaper: 0, known: 0 };
  return {
    async add(items: readonly Item[]): Promise<void> {
      const fresh = items.filter(({ key }) => !seen.has(key) && seen.add(key));
      const given = unnestRows<'key' | 'price'>('given', fresh, { key: 'text', price: 'bigint' });
      const ids = sql`array(select id from supplier_items where supplier = ${supplier} and key = any(${fresh.map(({ key }) => key)}::text[]))`;
      const part = await queryRow<typeof found>(db)`
        select count(*) filter (where listed.key is null)::int as new, count(listed.key)::int as known,
          count(*) filter (where given.price > listed.price)::int as dearer,
          count(*) filter (where given.price < listed.price)::int as cheaper
        from ${given} left join (select * from (${selectItems({ supplier, ids })}) items where ${isListed}) listed
          on listed.key = given.key`;
      for (const name of ['new', 'known', 'dearer', 'cheaper'] as const) found[name] += part[name];
    },
    /** Returns the counts, or null if no list of the supplier counts yet. */
    async end(): Promise<ListDifference | null> {
      const { known, ...differences } = found;
      const listed = await queryValue<number>(db)`
        select count(*)::int from (${selectItems({ supplier })}) items where ${isListed}`;
      return listed === 0 ? null : { ...differences, missing: listed - known };
    },
  };
}
