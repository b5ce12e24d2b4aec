import { toIssueSet } from '@draftshelf/domain/review/issue-set';
import {
  bitOfChange,
  changeGroups,
  decodeChanges,
  type FieldGroup,
  type ListChange,
  type ListCounts,
  listChanges,
} from '@draftshelf/domain/suppliers/list';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryFreshRows } from '../connection/planner.ts';
import { hasRows, queryRows } from '../connection/query-rows.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { deriveOurIdInSql, ownOrItemId } from '../imports/our-id.ts';
import { keptPlaces } from '../reading/kept-places.ts';
import { currentRows, type RunOfRows } from '../work/runs.ts';
import { groupHash, groupHashOrNull, isUncleanedKey, readKeyAliases, selectItems } from './items-at.ts';

const ofRun = ({ import_id, run }: RunOfRows) => sql`import_id = ${import_id} and run = ${run}`;

/** SQL condition: the row may have an item. A row that repeats a price in another currency has another row's key. */
export const mayHaveItem = sql`ignored is null and line > 0 and issues & ${sql.lit(toIssueSet(['price-repeated']))} = 0`;
const bit = (change: ListChange) => sql.lit(bitOfChange(change));

/** SQL query: rows of a run with the key of the item in `items`. */
export const rowsWithItemKey = (of: RunOfRows) => sql`
  select from rows where ${ofRun(of)} and ${mayHaveItem} and item_key = items.key`;

/** SQL condition: a run has no row of the item in `items`. */
export const hasNoRow = (of: RunOfRows) => sql`
  not exists (${rowsWithItemKey(of)}) and not exists (select from row_items where ${ofRun(of)} and item = items.id)`;

/** SQL condition: the `change` bits mark the row's item as uncertain. */
export const isUnsure = sql<boolean>`
  coalesce(change, 0) & ${sql.lit(bitOfChange('doubled') + bitOfChange('doubtful'))} > 0`;

/** SQL condition: the `change` bits show that other rows with the same key have other content. */
export const isKeyDoubled = sql`coalesce(change & ${bit('doubled')}, 0) <> 0`;

/** SQL value: a row's item: `found` or, if that was joined with another item, the item with the row's key. */
export const itemOfRow = (supplier: number | RawBuilder<unknown>, found: RawBuilder<unknown>) =>
  sql<number | null>`coalesce(
    (select id from supplier_items where id = ${found} and not starts_with(key, 'same:')),
    (select id from supplier_items where supplier = ${supplier} and key = item_key))`;

/** SQL join: the items found for rows of `table`. Lateral, because a plain join of a run without statistics is slow. */
export const joinFoundItems = (table: 'rows' | 'part') => {
  const of = (column: string) => sql.ref(`${table}.${column}`);
  return sql`left join lateral (
    select item, our_id, change from row_items
    where row_items.import_id = ${of('import_id')} and row_items.run = ${of('run')} and row_items.row = ${of('row')}
    offset 0
  ) row_items on true`;
};

/** Removes a run's items that an earlier attempt found. */
export async function removeRowItems(db: Db, of: RunOfRows): Promise<void> {
  await sql`delete from row_items where ${ofRun(of)}`.execute(db);
}

/**
 * Gives pushed products their published ids in a new run, by the offset of their first rows. Call it after items are
 * found. Skipped products get ids like new products. Without a supplier, products keep the deleted supplier's ids.
 */
export async function pinPublishedIds(db: Db, record: ImportRecord, to: RunOfRows): Promise<void> {
  const from = currentRows(record);
  const outcomes = sql`select product, our_id from outcomes
    where import_id = ${from.import_id} and rows_run = ${from.run} and outcome <> 'skipped'`;
  await queryFreshRows(db)`
    with pushed as materialized (${outcomes}), earlier as (
      select byte_from, ${deriveOurIdInSql(record)} as our_id from (
        select distinct on (product) product, byte_from, ${ownOrItemId} as own_id from rows
        where ${ofRun(from)} and ignored is null and line > 0 and product in (select product from pushed)
        order by product, row
      ) first_rows
      union all
      select byte_from, our_id from (
        select byte_from, ${deriveOurIdInSql(record)} as our_id from (${keptPlaces(from, sql`true`)}) kept
      ) kept
      where our_id in (select our_id from pushed)
      ${record.supplier === null ? ownIdsOf(from) : sql``}
    ), pinned as materialized (
      select distinct on (first_rows.row) first_rows.row, our_id from (
        select distinct on (product) product, row, byte_from from rows
        where ${ofRun(to)} and ignored is null and line > 0 order by product, row
      ) first_rows join earlier using (byte_from) order by first_rows.row
    )
    insert into row_items (import_id, run, row, our_id, change)
    select ${to.import_id}, ${to.run}, row, our_id, 0 from pinned
    union all
    select import_id, run, row, null, change from row_items
    where ${ofRun(to)} and our_id in (select our_id from pinned) and row not in (select row from pinned)
    on conflict (import_id, run, row) do update set our_id = excluded.our_id`;
}

const ownIdsOf = (of: RunOfRows) => sql`
  union all
  select byte_from, own_id from (
    select byte_from, ${ownOrItemId} as own_id from rows where ${ofRun(of)} and line > 0
    union all
    select byte_from, own_id from (${keptPlaces(of, sql`true`)}) kept
  ) of_places where own_id is not null`;

/** Returns whether any product of a run has its id from an item of a supplier. */
export const hasOwnIds = (db: Db, of: RunOfRows): Promise<boolean> =>
  hasRows(db)`
    select from row_items where ${ofRun(of)}
    union all select from rows where ${ofRun(of)} and own_id is not null and line > 0
    union all select from kept_places where ${ofRun(of)} and own_ids is not null limit 1`;

/** Reads, by row, the price that the row's item had before this list, in ten-thousandths. */
export async function readEarlierPrices(db: Db, of: RunOfRows, rows: readonly number[]) {
  const found = await queryRows<{ row: number; price_then: number | null }>(db)`
    select row, price_then from row_items where ${ofRun(of)} and row = any(${rows}::int[])`;
  return new Map(found.map(({ row, price_then }) => [row, price_then]));
}

export type ItemComparison = {
  supplier: number;
  /** The list that is read again: items are compared as they were before that list. Null: as they are now. */
  before: number | null;
  /** Field groups that both lists have, or null if only items and ids are found. */
  groups: readonly FieldGroup[] | null;
};

type FoundItems = { accents: number; items: number; missing: number };

/**
 * Finds the items of a run's rows by key, else by a former key, else by a GTIN that is unique among the remaining rows
 * and items. A product gets the id that most of its rows have, unless more rows of another product have that id.
 * Returns the counts that countListChanges does not return. The run must have no row items. One hash join finds a
 * million keys: parts of 20,000 rows took 2.6 times as long, and storing ids in `rows` took 7 times as long.
 */
export async function findRowItems(db: Db, of: RunOfRows, compared: ItemComparison): Promise<FoundItems> {
  const { left, disputed, ...found } = await matchKeys(db, of, compared);
  const moved = left > 0 ? await matchLeftRows(db, of, compared) : { rows: 0, accents: 0, listed: 0 };
  if (disputed > 0 || moved.rows > 0) await settleIds(db, of, compared);
  return { ...found, accents: found.accents + moved.accents, missing: found.missing - moved.listed };
}

/** SQL columns: the differences between the rows and items of `pairs`. */
const differencesOf = (groups: ItemComparison['groups']) => sql`
  ${groups ? changeOf(groups) : unsureOf} as change, ${groups ? isAccent(groups) : sql`false`} as is_accent,
  missed_since is null and content_list is not null as is_listed,
  case when content_list is not null then price_then end as price_then`;

/**
 * Inserts row items for all rows, each with the item of the same key. If several equal rows share a key, only the
 * first row votes for the id of the item. A product gets an id if all its rows and no other product's rows vote for
 * it, else it is counted in `disputed`. `left` is an upper bound of the rows that may match an item by another key.
 */
async function matchKeys(db: Db, of: RunOfRows, { supplier, before, groups }: ItemComparison) {
  const letters = (hashes: string) => groupHashOrNull(sql.ref(hashes), 'letters');
  const [found] = await queryFreshRows<FoundItems & { left: number; disputed: number }>(db)`
    with keyed as materialized (
      select row, product, item_key as key, item_hashes as hashes, item_price as price, item_gtin as gtin
      from rows where ${ofRun(of)} and ${mayHaveItem}
    ), twice as materialized (
      -- Before Postgres 18, bytea has no min.
      select key, min(row) as first_row, count(distinct hashes) < 2 as is_alike from keyed
      where key in (select key from keyed where key is not null group by key having count(*) > 1) group by key
    ), found as materialized (
      select row, product, item, our_id, is_first, key is not null and item is null and not is_doubled as is_left,
        may_have_other_key, row is not null and item is not null and is_first and not is_doubled and not is_doubtful
          as votes, ${differencesOf(groups)}
      from (
        select keyed.row, product, keyed.key, items.id as item, items.our_id, true as is_known,
          coalesce(twice.first_row = keyed.row, true) as is_first, not coalesce(is_alike, true) as is_doubled,
          coalesce(items.gtin <> keyed.gtin and ${letters('items.hashes')} <> ${letters('keyed.hashes')}, false)
            as is_doubtful,
          coalesce(keyed.hashes, items.hashes) as hashes, keyed.price, items.hashes as hashes_then,
          items.price as price_then, items.content_list, items.missed_since,
          keyed.row is null and (items.gtin is not null or ${isUncleanedKey(sql`items.key`)}) as may_have_other_key
        from (keyed left join twice on twice.key = keyed.key)
          full join (${selectItems({ supplier, before })}) items on items.key = keyed.key
      ) pairs
    ), products as materialized (
      select first_row, our_id from (
        select product, min(row) as first_row, count(*) filter (where votes) as votes
        from found where row is not null group by product
      ) of_product left join (
        select min(product) as product, our_id, count(*) as votes
        from found where votes group by our_id having min(product) = max(product)
      ) of_id using (product, votes)
      where votes > 0
    ), inserted as (
      insert into row_items (import_id, run, row, item, our_id, change, price_then)
      select ${of.import_id}, ${of.run}, row, item, products.our_id, change, case when votes then price_then end
      from found left join products on first_row = row
      where row is not null order by row
    )
    select (count(*) filter (where is_accent))::int as accents,
      (count(*) filter (where is_listed and is_first))::int as items,
      (count(*) filter (where is_listed and row is null))::int as missing,
      least(count(*) filter (where is_left), count(*) filter (where may_have_other_key))::int as left,
      (select count(*) from products where our_id is null)::int as disputed
    from found`;
  return found ?? { accents: 0, items: 0, missing: 0, left: 0, disputed: 0 };
}

/** SQL query: ids of items that were not found for any row of a run. */
export const unmatchedItems = (of: RunOfRows, supplier: number) => sql`
  select id from supplier_items where supplier = ${supplier} and not exists (
    select from row_items where ${ofRun(of)} and item = supplier_items.id)`;

/**
 * Finds items for the remaining rows by the items' former keys, else by GTIN. For settleIds, clears the ids of these
 * rows' products and of products with the same ids. `listed`: number of found items in the last list.
 */
async function matchLeftRows(db: Db, of: RunOfRows, { supplier, before, groups }: ItemComparison) {
  const aliases = await readKeyAliases(db, { supplier, before });
  const [moved] = await queryFreshRows<{ rows: number; accents: number; listed: number }>(db)`
    with left_rows as materialized (
      select row, product, item_key as key, item_hashes as hashes, item_price as price, item_gtin as gtin,
        row = min(row) over (partition by item_key) as is_first
      from row_items cross join lateral (
        select product, item_key, item_hashes, item_price, item_gtin from rows
        where ${ofRun(of)} and row = row_items.row offset 0
      ) rows
      where ${ofRun(of)} and item is null and not ${isKeyDoubled} and item_key is not null
    ), left_items as materialized (
      ${selectItems({ supplier, before, ids: sql`array(${unmatchedItems(of, supplier)})` })}
    ), renamed as materialized (
      select left_items.id, left_rows.key, true as is_known from (${aliases}) aliases
      join left_items on left_items.key = aliases.key join left_rows on left_rows.key = cleaned and is_first
    ), moved as materialized (
      select row, product, item, our_id, is_first, ${differencesOf(groups)} from (
        select row, product, left_rows.key, is_first, left_rows.hashes, left_rows.price, is_known, items.id as item,
          our_id, items.hashes as hashes_then, items.price as price_then, content_list, missed_since,
          false as is_doubled, false as is_doubtful
        from (
          select * from renamed
          union all
          select id, key, false from (
            select gtin, min(key) as key from left_rows
            where is_first and key not in (select key from renamed) group by gtin having count(*) = 1
          ) of_rows join (
            select gtin, min(id) as id from left_items
            where id not in (select id from renamed) group by gtin having count(*) = 1
          ) of_items using (gtin)
        ) pairs join left_items items using (id) join left_rows on left_rows.key = pairs.key
      ) pairs
    ), stored as (
      update row_items set item = moved.item, our_id = null, change = moved.change, price_then = moved.price_then
      from moved where ${ofRun(of)} and row_items.row = moved.row
    ), unsettled as (
      update row_items set our_id = null
      where ${ofRun(of)} and our_id is not null and row not in (select row from moved)
        and (our_id in (select our_id from moved) or row in (
          select row from rows where ${ofRun(of)} and product in (select product from moved)))
    )
    select count(*)::int as rows, (count(*) filter (where is_accent))::int as accents,
      (count(*) filter (where is_listed and is_first))::int as listed
    from moved`;
  return moved ?? { rows: 0, accents: 0, listed: 0 };
}

/** Gives ids to products that have items but no id. Only the rows of these products vote. */
async function settleIds(db: Db, of: RunOfRows, { supplier, before }: ItemComparison): Promise<void> {
  await queryFreshRows(db)`
    with unsettled as materialized (
      select product, min(row) as first_row from rows left join row_items using (import_id, run, row)
      where ${ofRun(of)} and ${mayHaveItem} group by product having count(item) > 0 and count(our_id) = 0
    ), votes as materialized (
      select product, item from row_items join rows using (import_id, run, row) join unsettled using (product)
      where ${ofRun(of)} and not ${isUnsure} and (item, row) in (
        select item, min(row) from row_items where ${ofRun(of)} and item is not null group by item)
    ), counted as (
      select product, our_id, count(*) as rows, min(first_list) as first_list, min(key collate "C") as key
      from votes join (${selectItems({ supplier, before, ids: sql`array(select item from votes)` })}) items on id = item
      group by product, our_id
    ), best as (
      select distinct on (product) product, our_id, rows from counted
      order by product, rows desc, first_list, key
    ), chosen as (
      select distinct on (our_id) product, our_id from best order by our_id, rows desc, product
    )
    update row_items set our_id = chosen.our_id from chosen join unsettled using (product)
    where ${ofRun(of)} and row = first_row`;
}

const differs = (group: FieldGroup) =>
  sql`${groupHash(sql.ref('hashes'), group)} <> ${groupHash(sql.ref('hashes_then'), group)}`;

/** SQL value: the bits of a row's changes. Prices are compared as numbers, other groups by hash. */
function changeOf(compared: readonly FieldGroup[]) {
  const groups = changeGroups.filter((group) => compared.includes(group));
  const groupBits = groups.map((group) => sql`case when ${differs(group)} then ${bit(group)} else 0 end`);
  const bits = groups.length === 0 ? sql`0` : sql`(${sql.join(groupBits, sql` + `)})`;
  const prices = groups.includes('price')
    ? sql`case when price > price_then then ${bit('dearer')} when price < price_then then ${bit('cheaper')} else 0 end
        + case when price_then = 0 and price <> 0 or abs(price - price_then) > price_then / 2.0
          then ${bit('jumped')} else 0 end`
    : sql`0`;
  const content = sql`case when missed_since is not null then ${bit('returned')}
    when hashes = hashes_then then ${bit('unchanged')}
    else (select case when bits = 0 then ${bit('unchanged')} else ${bit('changed')} + bits + ${prices} end
      from (select ${bits} as bits) of_groups) end`;
  return sql`case when key is null then ${bit('unkeyed')} when is_doubled then ${bit('doubled')}
    when is_doubtful then ${bit('doubtful')} when content_list is null then ${bit('new')}
    else ${content} + case when is_known then 0 else ${bit('renumbered')} end end`;
}

const unsureOf = sql`case when is_doubled then ${bit('doubled')} when is_doubtful then ${bit('doubtful')} else 0 end`;

/** SQL condition: the texts differ only in accents and punctuation. */
const isAccent = (compared: readonly FieldGroup[]) =>
  compared.includes('text')
    ? sql`coalesce(not is_doubled and not is_doubtful and missed_since is null and content_list is not null
        and hashes <> hashes_then and ${differs('text')} and not ${differs('letters')}, false)`
    : sql`false`;

/** Gives new ids to products whose own id another product has got, which may happen if the file was read before. */
export async function separateSharedIds(db: Db, record: ImportRecord, of: RunOfRows): Promise<void> {
  await queryFreshRows(db)`
    with given as materialized (
      select row, our_id from row_items where ${ofRun(of)} and our_id is not null
    ), own as (
      select row, ${deriveOurIdInSql(record)} as our_id from (
        select distinct on (product) row, byte_from, own_id from rows
        where ${ofRun(of)} and ignored is null and line > 0 order by product, row
      ) first_rows
      where not exists (select from given where given.row = first_rows.row)
    )
    insert into row_items (import_id, run, row, our_id, change)
    select ${of.import_id}, ${of.run}, own.row,
      left(encode(sha256(convert_to(own.our_id || ':other', 'UTF8')), 'hex'), 32), 0
    from own where own.our_id in (select our_id from given)
    on conflict (import_id, run, row) do update set our_id = excluded.our_id`;
}

/** Marks rows into which values were carried. `rows` is an SQL query of their numbers as `row`. */
export async function markCarriedRows(db: Db, { import_id, run }: RunOfRows, rows: RawBuilder<unknown>) {
  await sql`
    insert into row_items (import_id, run, row, change)
    select ${import_id}, ${run}, row, ${sql.lit(bitOfChange('carried'))} from (${rows}) carried
    on conflict (import_id, run, row) do update set change = row_items.change | excluded.change`.execute(db);
}

export async function countListChanges(
  db: Db,
  of: RunOfRows,
): Promise<Record<ListChange, number> & Pick<ListCounts, 'dearerBy' | 'cheaperBy'>> {
  const counts = Object.fromEntries(listChanges.map((change) => [change, 0])) as Record<ListChange, number>;
  const alike = await queryRows<{ change: number; rows: number }>(db)`
    select change, count(*)::int as rows from row_items where ${ofRun(of)} group by change`;
  for (const { change, rows } of alike) for (const one of decodeChanges(change)) counts[one] += rows;
  return counts.dearer + counts.cheaper === 0 ? counts : { ...counts, ...(await averageChanges(db, of)) };
}

async function averageChanges(db: Db, of: RunOfRows): Promise<Pick<ListCounts, 'dearerBy' | 'cheaperBy'>> {
  const [average] = await queryFreshRows<Pick<ListCounts, 'dearerBy' | 'cheaperBy'>>(db)`
    select avg(share) filter (where share > 0)::float8 as "dearerBy",
      avg(-share) filter (where share < 0)::float8 as "cheaperBy"
    from (
      select 100 * (item_price - price_then) / price_then::float8 as share
      from row_items join rows using (import_id, run, row)
      where import_id = ${of.import_id} and run = ${of.run} and price_then > 0
        and change & ${sql.lit(bitOfChange('dearer') + bitOfChange('cheaper'))} <> 0
    ) of_rows`;
  return average ?? {};
}
