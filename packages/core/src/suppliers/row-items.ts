import { issueSet } from '@draftshelf/domain/review/issue-set';
import {
  changeBit,
  changedGroups,
  changesIn,
  type FieldGroup,
  type ListChange,
  type ListCounts,
  listChanges,
} from '@draftshelf/domain/suppliers/list';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { withoutNestedLoops } from '../connection/planner.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { ourIdInSql, ownOrItemId } from '../imports/our-id.ts';
import { keptPlaces } from '../reading/kept-places.ts';
import { currentRows, type RunOfRows } from '../work/runs.ts';
import { groupHash, itemsAt, readAliases, saidHash } from './items-at.ts';

const ofRun = ({ import_id, run }: RunOfRows) => sql`import_id = ${import_id} and run = ${run}`;

/** SQL condition: a row may have an item. A repeated price in another currency has the key of a row that is sent. */
export const mayHaveItem = sql`ignored is null and line > 0 and issues & ${sql.lit(issueSet(['price-repeated']))} = 0`;
const bit = (change: ListChange) => sql.lit(changeBit(change));

/** SQL condition: no row of a run is the item `items`. */
export const hasNoRow = (of: RunOfRows) => sql`
  not exists (select from rows where ${ofRun(of)} and ${mayHaveItem} and item_key = items.key)
  and not exists (select from row_items where ${ofRun(of)} and item = items.id)`;

/** SQL: whether `change` leaves a row's item uncertain. */
export const isUnsure = sql<boolean>`
  coalesce(change, 0) & ${sql.lit(changeBit('doubled') + changeBit('doubtful'))} > 0`;

/** SQL condition: `change` says that other rows have the key and differ. */
export const isDoubled = sql`coalesce(change & ${bit('doubled')}, 0) <> 0`;

/** SQL value: a row's item: `found`, unless that is a placeholder, else the item with its key; null: none. */
export const itemOf = (supplier: number | RawBuilder<unknown>, found: RawBuilder<unknown>) =>
  sql<number | null>`coalesce(
    (select id from supplier_items where id = ${found} and not starts_with(key, 'same:')),
    (select id from supplier_items where supplier = ${supplier} and key = item_key))`;

/** Removes the results of an earlier attempt. */
export async function removeRowItems(db: Db, of: RunOfRows): Promise<void> {
  await sql`delete from row_items where ${ofRun(of)}`.execute(db);
}

/**
 * Gives pushed products of a new run their published ids, by the offset of their first rows, before items are found.
 * Skipped products are found like new ones. After the supplier was deleted, all products keep the ids of its items.
 */
export async function pinIds(db: Db, record: ImportRecord, to: RunOfRows): Promise<void> {
  const from = currentRows(record);
  const outcomes = sql`select product, our_id from outcomes
    where import_id = ${from.import_id} and rows_run = ${from.run} and outcome <> 'skipped'`;
  await withoutNestedLoops(db, () =>
    sql`
      with pushed as materialized (${outcomes}), earlier as (
        select byte_from, ${ourIdInSql(record)} as our_id from (
          select distinct on (product) product, byte_from, ${ownOrItemId} as own_id from rows
          where ${ofRun(from)} and ignored is null and line > 0 and product in (select product from pushed)
          order by product, row
        ) first_rows
        union all
        select byte_from, our_id from (
          select byte_from, ${ourIdInSql(record)} as our_id from (${keptPlaces(from, sql`true`)}) kept
        ) kept
        where our_id in (select our_id from pushed)
        ${record.supplier === null ? idsOfItems(from) : sql``}
      )
      insert into row_items (import_id, run, row, our_id, change)
      select ${to.import_id}, ${to.run}, first_rows.row, earlier.our_id, 0 from (
        select distinct on (product) product, row, byte_from from rows
        where ${ofRun(to)} and ignored is null and line > 0 and own_id is null order by product, row
      ) first_rows
      join earlier on earlier.byte_from = first_rows.byte_from
      on conflict do nothing`.execute(db),
  );
}

const idsOfItems = ({ import_id, run }: RunOfRows) => sql`
  union all
  select byte_from, row_items.our_id from row_items join rows using (import_id, run, row)
  where import_id = ${import_id} and run = ${run} and row_items.our_id is not null`;

/** Reads the prices that items of rows had before their list, in ten-thousandths, by row. */
export async function readPricesThen(db: Db, of: RunOfRows, rows: readonly number[]) {
  const found = await db
    .selectFrom('row_items')
    .select(['row', 'price_then'])
    .where('import_id', '=', of.import_id)
    .where('run', '=', of.run)
    .where('row', '=', sql<number>`any(${rows}::int[])`)
    .execute();
  return new Map(found.map(({ row, price_then }) => [row, price_then]));
}

export type ComparedItems = {
  supplier: number;
  /** Items are taken as they were before this list counted, because it is read again; null: as they are. */
  before: number | null;
  /** Groups of fields that both lists have; null: nothing is compared, only items and ids are found. */
  groups: readonly FieldGroup[] | null;
};

/**
 * Finds the items of a run's rows, by key, else by a GTIN unique among the rows and items left. A product gets the id
 * of most of its rows, and an id goes only to the product with most of its rows. Returns the counts that countChanges
 * does not. `isPinned`: products have ids by pinIds. One hash join: in parts of 20,000 rows it took 2.6 times as long,
 * and ids written into `rows` seven times.
 */
export async function findRowItems(
  db: Db,
  of: RunOfRows,
  items: ComparedItems,
  isPinned: boolean,
): Promise<{ accents: number; items: number; missing: number }> {
  const isCompared = sql.lit(items.groups !== null);
  const aliases = await readAliases(db, items);
  const { rows } = await withoutNestedLoops(db, () =>
    sql<{ accents: number; items: number; missing: number }>`
      with ${foundItems(of, items, aliases)}, ${chosenIds(of)}, inserted as (
        insert into row_items (import_id, run, row, item, our_id, change, price_then)
        select ${of.import_id}, ${of.run}, found.row, coalesce(moved.item, found.item), chosen.our_id, coalesce(moved.change, found.change),
          case when moved.row is not null then moved.price_then when votes then found.price_then end
        from found left join moved on moved.row = found.row left join chosen on chosen.row = found.row
        where found.row is not null
          and (${isCompared} or chosen.our_id is not null or found.votes or found.change > 0 or moved.row is not null)
        ${
          isPinned
            ? sql`on conflict (import_id, run, row) do update set item = excluded.item, change = excluded.change,
          price_then = excluded.price_then`
            : sql``
        }
      )
      select (count(*) filter (where is_accent) + (select count(*) from moved where is_accent))::int as accents,
        (count(*) filter (where is_listed))::int as items,
        (count(*) filter (where row is null and is_listed and item not in (select item from moved)))::int as missing
      from found`.execute(db),
  );
  return rows[0] ?? { accents: 0, items: 0, missing: 0 };
}

/**
 * SQL: `found`, the rows with their items, and the items without a row; `moved`, the rows found by GTIN. Only the first
 * of rows with one key votes for its item's id. `is_listed`: once for each item of the last list.
 */
function foundItems(
  of: RunOfRows,
  { supplier, before, groups }: ComparedItems,
  aliases: RawBuilder<unknown>,
) {
  const differences = sql`${groups ? changeOf(groups) : unsureOf} as change,
    ${groups ? isAccent(groups) : sql`false`} as is_accent`;
  const letters = (hashes: string) => saidHash(sql.ref(hashes), 'letters');
  return sql`
    keyed as materialized (
      select row, product, item_key as key, item_hashes as hashes, item_price as price, item_gtin as gtin, own_id,
        product > coalesce(max(product) over (order by row rows between unbounded preceding and 1 preceding), 0)
          as begins_product
      from rows where ${ofRun(of)} and ${mayHaveItem}
    ), again as materialized (
      select key from keyed where key is not null group by key having count(*) > 1
    ), twice as materialized (
      -- Before Postgres 18, bytea has no min.
      select key, min(row) as first_row, count(distinct hashes) < 2 as is_alike
      from keyed where key in (select key from again) group by key
    ), found as materialized (
      select row, product, begins_product, own_id, item, key, our_id, first_list, is_first,
        is_known and is_first and not is_doubled and not is_doubtful as votes,
        is_first and missed_since is null and content_list is not null as is_listed,
        row is not null and key is not null and not is_known and not is_doubled as is_left,
        case when not is_known then gtin end as gtin, case when not is_known then hashes end as hashes,
        case when not is_known then price end as price, ${saidThen}, content_list, missed_since, ${differences}
      from (
        select keyed.row, product, begins_product, own_id, coalesce(keyed.key, items.key) as key,
          coalesce(twice.first_row = keyed.row, true) as is_first, not coalesce(is_alike, true) as is_doubled,
          keyed.key is not null and items.key is not null as is_known, items.id as item, items.our_id, items.first_list,
          coalesce(keyed.hashes, items.hashes) as hashes, coalesce(keyed.gtin, items.gtin) as gtin,
          case when keyed.row is null then items.price else keyed.price end as price,
          items.hashes as hashes_then, items.price as price_then, items.content_list, items.missed_since,
          coalesce(items.gtin <> keyed.gtin and ${letters('items.hashes')} <> ${letters('keyed.hashes')}, false)
            as is_doubtful
        from (keyed left join twice on twice.key = keyed.key)
          full join (${itemsAt({ supplier, before })}) items on items.key = keyed.key
      ) pairs
    ), renamed as materialized (
      select aliases.key as item_key, cleaned as row_key from (${aliases}) aliases
      join found on found.key = cleaned and is_left and is_first
      join found items on items.key = aliases.key and items.row is null
    ), left_rows as materialized (
      select gtin, min(key) as row_key from found
      where is_left and is_first and gtin is not null and key not in (select row_key from renamed)
      group by gtin having count(*) = 1
    ), left_items as materialized (
      select found.*, row_key, 1 as alike, true as is_known from found join renamed on item_key = key where row is null
      union all
      select found.*, row_key, count(*) over (partition by gtin) as alike, false from found join left_rows using (gtin)
      where row is null and key not in (select item_key from renamed)
    ), moved as materialized (
      select row, product, item, item_key, our_id, first_list, is_first, ${saidThen}, ${differences} from (
        select found.row, found.product, found.key, found.is_first, found.hashes, found.price, items.item,
          items.key as item_key, items.our_id, items.first_list, items.hashes as hashes_then, items.price as price_then, items.content_list,
          items.missed_since, false as is_doubled, false as is_doubtful, items.is_known
        from left_items items join found on found.key = items.row_key and found.is_left
        where items.alike = 1
      ) pairs
    )`;
}

/** SQL: `chosen`, first rows of products that get an item's id, with it. */
const chosenIds = (of: RunOfRows) => sql`
  votes as (
    select product, our_id, first_list, key from found where votes
    union all
    select product, our_id, first_list, item_key from moved where is_first
  ), counted as (
    select product, min(our_id collate "C") as our_id, count(*) as rows,
      min(our_id collate "C") <> max(our_id collate "C") as is_torn
    from votes group by product
  ), torn as (
    select product, our_id, count(*) as rows, min(first_list) as first_list, min(key collate "C") as key
    from votes where product in (select product from counted where is_torn) group by product, our_id
  ), best as (
    select product, our_id, rows from counted where not is_torn
    union all
    (select distinct on (product) product, our_id, rows from torn order by product, rows desc, first_list, key)
  ), unique_best as (
    select distinct on (our_id) product, our_id from best order by our_id, rows desc, product
  ), taken as (
    select own_id as our_id from found where own_id is not null
    union all
    select our_id from row_items where ${ofRun(of)} and our_id is not null
  ), chosen as materialized (
    select found.row, unique_best.our_id from unique_best
    join found on found.product = unique_best.product and begins_product and own_id is null
    where not exists (select from taken where taken.our_id = unique_best.our_id)
      and not exists (select from row_items pinned where ${ofRun(of)} and pinned.row = found.row)
  )`;

/** SQL value: the item's price in the last list; null if none has counted. */
const saidThen = sql`case when content_list is not null then price_then end as price_then`;

const differs = (group: FieldGroup) =>
  sql`${groupHash(sql.ref('hashes'), group)} <> ${groupHash(sql.ref('hashes_then'), group)}`;

/** SQL value: the bits of a row's changes. `price` is compared as a number, other groups by hash. */
function changeOf(compared: readonly FieldGroup[]) {
  const groups = changedGroups.filter((group) => compared.includes(group));
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

/** SQL condition: only accents and punctuation of the texts differ. */
const isAccent = (compared: readonly FieldGroup[]) =>
  compared.includes('text')
    ? sql`coalesce(not is_doubled and not is_doubtful and missed_since is null and content_list is not null
        and hashes <> hashes_then and ${differs('text')} and not ${differs('letters')}, false)`
    : sql`false`;

/** Gives products that share an id new ones: a file read before is compared with its own items. */
export async function separateIds(db: Db, record: ImportRecord, of: RunOfRows): Promise<void> {
  await withoutNestedLoops(db, () =>
    sql`
      with given as materialized (
        select row, our_id from row_items where ${ofRun(of)} and our_id is not null
      ), own as (
        select row, ${ourIdInSql(record)} as our_id from (
          select row, byte_from, own_id,
            product > coalesce(max(product) over (order by row rows between unbounded preceding and 1 preceding), 0)
              as begins_product
          from rows where ${ofRun(of)} and ignored is null and line > 0
        ) counted
        where begins_product and own_id is null
          and not exists (select from given where given.row = counted.row)
      )
      insert into row_items (import_id, run, row, our_id, change)
      select ${of.import_id}, ${of.run}, own.row,
        left(encode(sha256(convert_to(own.our_id || ':other', 'UTF8')), 'hex'), 32), 0
      from own where own.our_id in (select our_id from given)
      on conflict (import_id, run, row) do update set our_id = excluded.our_id`.execute(db),
  );
}

/** Records that values are carried into rows of a run. `rows`: SQL query of their numbers as `row`. */
export async function addCarried(db: Db, { import_id, run }: RunOfRows, rows: RawBuilder<unknown>) {
  await sql`
    insert into row_items (import_id, run, row, change)
    select ${import_id}, ${run}, row, ${sql.lit(changeBit('carried'))} from (${rows}) carried
    on conflict (import_id, run, row) do update set change = row_items.change | excluded.change`.execute(db);
}

export async function countChanges(
  db: Db,
  of: RunOfRows,
): Promise<Record<ListChange, number> & Pick<ListCounts, 'dearerBy' | 'cheaperBy'>> {
  const counts = Object.fromEntries(listChanges.map((change) => [change, 0])) as Record<ListChange, number>;
  const { rows: alike } = await sql<{ change: number; rows: number }>`
    select change, count(*)::int as rows from row_items where ${ofRun(of)} group by change`.execute(db);
  for (const { change, rows } of alike) for (const one of changesIn(change)) counts[one] += rows;
  return counts.dearer + counts.cheaper === 0 ? counts : { ...counts, ...(await averageChanges(db, of)) };
}

async function averageChanges(db: Db, of: RunOfRows): Promise<Pick<ListCounts, 'dearerBy' | 'cheaperBy'>> {
  const { rows } = await withoutNestedLoops(db, () =>
    sql<{ dearerBy: number | null; cheaperBy: number | null }>`
      select avg(share) filter (where share > 0)::float8 as "dearerBy",
        avg(-share) filter (where share < 0)::float8 as "cheaperBy"
      from (
        select 100 * (item_price - price_then) / price_then::float8 as share
        from row_items join rows using (import_id, run, row)
        where import_id = ${of.import_id} and run = ${of.run} and price_then > 0
          and change & ${sql.lit(changeBit('dearer') + changeBit('cheaper'))} <> 0
      ) of_rows`.execute(db),
  );
  return rows[0] ?? {};
}
