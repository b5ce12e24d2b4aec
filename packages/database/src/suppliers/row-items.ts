import { hashBytes } from '@draftshelf/domain/suppliers/item-hashes';
import {
  changeBit,
  changedGroups,
  type FieldGroup,
  fieldGroups,
  type ListChange,
  listChanges,
} from '@draftshelf/domain/suppliers/list';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { withoutNestedLoops } from '../connection/planner.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { ourIdInSql, ownOrItemId } from '../imports/our-id.ts';
import { keptPlaces } from '../reading/kept-places.ts';
import { rowsPerBlock } from '../review/row-bitmaps.ts';
import { currentRows, type RunOfRows } from '../work/runs.ts';
import { itemsBefore } from './supplier-items-before.ts';

const ofRun = ({ import_id, run }: RunOfRows) => sql`import_id = ${import_id} and run = ${run}`;
const bit = (change: ListChange) => sql.lit(changeBit(change));

/** Removes what an earlier attempt has found for the rows of a run. */
export async function removeRowItems(db: Db, of: RunOfRows): Promise<void> {
  for (const table of ['row_items', 'change_bitmaps', 'missing_items']) {
    await sql`delete from ${sql.table(table)} where ${ofRun(of)}`.execute(db);
  }
}

/**
 * Gives the products of a new run that were pushed the ids that they were pushed under, before items are found: those
 * of the product that began at the same offset.
 */
export async function pinPushedIds(db: Db, record: ImportRecord, to: RunOfRows): Promise<void> {
  const from = currentRows(record);
  const outcomes = sql`select product, our_id from outcomes
    where import_id = ${from.import_id} and rows_run = ${from.run}`;
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

/** What the rows of a run are compared with: a supplier's items. */
export type ComparedItems = {
  supplier: number;
  /** The items are taken as they were before this list counted: it is being read again; null: as they are. */
  before: number | null;
  /** The groups of fields that both lists have; null: no list has counted, so that only ids are found. */
  groups: readonly FieldGroup[] | null;
};

/**
 * Finds the items of a run's rows, by key, or by a GTIN that is unique among the rows and items that are left. A
 * product gets the id that most of its rows have, and an id only the product with most of its rows. Returns how many
 * rows differ and how, without the changes that the bitmaps count.
 *
 * One hash join: in parts of 20,000 rows it took 2.6 times as long, and ids written into `rows` seven times.
 */
export async function findRowItems(
  db: Db,
  of: RunOfRows,
  items: ComparedItems,
): Promise<{ accents: number; items: number; missing: number }> {
  const isCompared = items.groups !== null;
  const { rows } = await withoutNestedLoops(db, () =>
    sql<{ accents: number; items: number; missing: number }>`
      with ${matchedRows(of, items)}, ${chosenIds(of)}, differing as materialized (
        select matched.row, case when is_known then null else item end as item, chosen.our_id,
          ${isCompared ? changeOf(items.groups ?? []) : sql`0`} as change,
          ${isCompared ? isAccent(items.groups ?? []) : sql`false`} as is_accent
        from matched left join chosen on chosen.row = matched.row
        where ${isCompared ? sql`true` : sql`chosen.our_id is not null or (item is not null and not is_doubled and not is_doubtful)`}
      ), inserted as (
        insert into row_items (import_id, run, row, item, our_id, change)
        select ${of.import_id}, ${of.run}, row, item, our_id, change from differing
        on conflict (import_id, run, row) do update set item = excluded.item, change = excluded.change
      ), missing as (
        insert into missing_items (import_id, run, key)
        select ${of.import_id}, ${of.run}, key from listed
        where ${isCompared ? sql`true` : sql`false`} and key not in (select item from moved)
          and not exists (select from keyed where keyed.key = listed.key)
        returning key
      )
      select (select count(*)::int from differing where is_accent) as accents,
        (select count(*)::int from listed) as items, (select count(*)::int from missing) as missing`.execute(
      db,
    ),
  );
  return rows[0] ?? { accents: 0, items: 0, missing: 0 };
}

/** SQL: rows that count as `keyed`, items of the last list as `listed`, and rows with their items as `matched`. */
function matchedRows(of: RunOfRows, { supplier, before }: ComparedItems) {
  const items = itemsBefore(supplier, before);
  const letters = (hashes: string) =>
    sql`nullif(substr(${sql.ref(hashes)}, ${sql.lit(fieldGroups.indexOf('letters') * hashBytes + 1)}), '\\x00000000')`;
  return sql`
    keyed as materialized (
      select row, product, item_key as key, item_hashes as hashes, item_price as price, item_gtin as gtin, own_id
      from rows where ${ofRun(of)} and ignored is null and line > 0
    ), twice as materialized (
      select key, min(row) as first_row, min(hashes) = max(hashes) as is_alike from keyed
      where key is not null group by key having count(*) > 1
    ), found as materialized (
      select keyed.row, keyed.product, keyed.key, keyed.hashes, keyed.price, keyed.gtin,
        coalesce(twice.first_row = keyed.row, true) as is_first, not coalesce(is_alike, true) as is_doubled,
        items.key is not null as is_known, items.key as item, items.our_id, items.first_list,
        items.hashes as hashes_then, items.price as price_then, items.content_list, items.missed_since,
        coalesce(items.gtin <> keyed.gtin and ${letters('items.hashes')} <> ${letters('keyed.hashes')}, false)
          as is_doubtful
      from keyed left join twice on twice.key = keyed.key left join (${items}) items on items.key = keyed.key
    ), left_rows as materialized (
      select gtin, min(key) as key from found
      where key is not null and not is_known and not is_doubled and is_first and gtin is not null group by gtin having count(*) = 1
    ), left_items as materialized (
      select items.*, left_rows.key as row_key from left_rows join (${items}) items on items.gtin = left_rows.gtin
    ), moved as materialized (
      select left_items.*, left_items.key as item from (
        select gtin from left_items where not exists (select from keyed where keyed.key = left_items.key)
        group by gtin having count(*) = 1
      ) once
      join left_items on left_items.gtin = once.gtin
        and not exists (select from keyed where keyed.key = left_items.key)
    ), matched as materialized (
      select found.row, found.product, found.key, found.hashes, found.price, is_first, is_doubled, is_known,
        is_doubtful, coalesce(found.item, moved.item) as item, coalesce(found.our_id, moved.our_id) as our_id,
        coalesce(found.first_list, moved.first_list) as first_list,
        coalesce(found.hashes_then, moved.hashes) as hashes_then,
        coalesce(found.price_then, moved.price) as price_then,
        coalesce(found.content_list, moved.content_list) as content_list,
        coalesce(found.missed_since, moved.missed_since) as missed_since
      from found left join moved on moved.row_key = found.key
    ), listed as (
      select key from (${items}) items where content_list is not null and missed_since is null
    )`;
}

/** SQL: the first rows of products that get an id of an item, with it, as `chosen`. */
const chosenIds = (of: RunOfRows) => sql`
  first_rows as materialized (
    select product, min(row) as row, bool_or(own_id is not null) as has_own from keyed group by product
  ), voted as (
    select product, our_id, count(*) as rows, min(first_list) as first_list, min(item collate "C") as item from matched
    where our_id is not null and is_first and not is_doubled and not is_doubtful group by product, our_id
  ), best as (
    select distinct on (product) product, our_id, rows from voted
    order by product, rows desc, first_list, item
  ), unique_best as (
    select distinct on (our_id collate "C") product, our_id from best order by our_id collate "C", rows desc, product
  ), chosen as materialized (
    select first_rows.row, unique_best.our_id from unique_best
    join first_rows on first_rows.product = unique_best.product and not has_own
    where not exists (select from keyed where own_id = unique_best.our_id)
      and not exists (
        select from row_items pinned where ${ofRun(of)} and (pinned.our_id = unique_best.our_id)
      )
      and not exists (
        select from row_items pinned where ${ofRun(of)} and pinned.row = first_rows.row
      )
  )`;

const groupBytes = (table: 'hashes' | 'hashes_then', group: FieldGroup) =>
  sql`substr(${sql.ref(table)}, ${sql.lit(fieldGroups.indexOf(group) * hashBytes + 1)}, ${sql.lit(hashBytes)})`;

const differs = (group: FieldGroup) =>
  sql`${groupBytes('hashes', group)} <> ${groupBytes('hashes_then', group)}`;

/** SQL value: the bits of a row's changes. `price` is compared as a number, the groups by their hashes. */
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

/** SQL condition: of the row's texts only accents and punctuation differ. */
const isAccent = (compared: readonly FieldGroup[]) =>
  compared.includes('text')
    ? sql`coalesce(not is_doubled and not is_doubtful and missed_since is null and content_list is not null
        and hashes <> hashes_then and ${differs('text')} and not ${differs('letters')}, false)`
    : sql`false`;

/**
 * Gives products that would have the id of another one, because a file is compared with its own items, an id of their
 * own.
 */
export async function separateIds(db: Db, record: ImportRecord, of: RunOfRows): Promise<void> {
  await withoutNestedLoops(db, () =>
    sql`
      with given as materialized (
        select row, our_id from row_items where ${ofRun(of)} and our_id is not null
      ), own as (
        select row, ${ourIdInSql(record)} as our_id from (
          select distinct on (product) row, byte_from, own_id from rows
          where ${ofRun(of)} and ignored is null and line > 0 order by product, row
        ) first_rows
        where own_id is null and row not in (select row from given)
      )
      insert into row_items (import_id, run, row, our_id, change)
      select ${of.import_id}, ${of.run}, own.row,
        left(encode(sha256(convert_to(own.our_id || ':other', 'UTF8')), 'hex'), 32), 0
      from own where own.our_id in (select our_id from given)
      on conflict (import_id, run, row) do update set our_id = excluded.our_id`.execute(db),
  );
}

/** Stores bitmaps of the rows by change, and returns how many rows have each. */
export async function insertChangeBitmaps(db: Db, of: RunOfRows): Promise<Record<ListChange, number>> {
  const bits = sql.join(listChanges.map((change) => sql`(${sql.lit(change)}::text, ${bit(change)}::int)`));
  await sql`
    insert into change_bitmaps (import_id, run, change, block, rows)
    select ${of.import_id}, ${of.run}, bits.change, row / ${sql.lit(rowsPerBlock)},
      bit_or(set_bit(0::bit(${sql.lit(rowsPerBlock)}), row % ${sql.lit(rowsPerBlock)}, 1))
    from row_items join (values ${bits}) bits (change, value) on row_items.change & bits.value <> 0
    where ${ofRun(of)} group by bits.change, row / ${sql.lit(rowsPerBlock)}`.execute(db);
  const { rows } = await sql<{ change: ListChange; rows: number }>`
    select change, sum(bit_count(rows))::int as rows from change_bitmaps where ${ofRun(of)} group by change`.execute(
    db,
  );
  const counted = new Map(rows.map(({ change, rows: count }) => [change, count]));
  return Object.fromEntries(listChanges.map((change) => [change, counted.get(change) ?? 0])) as Record<
    ListChange,
    number
  >;
}
