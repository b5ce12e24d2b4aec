import { bytesPerHash } from '@draftshelf/domain/suppliers/item-hashes';
import { cleanItemKey } from '@draftshelf/domain/suppliers/item-key';
import { type FieldGroup, fieldGroups } from '@draftshelf/domain/suppliers/list';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryValues } from '../connection/query-rows.ts';

export type ItemsQuery = {
  /** Null means all suppliers. */
  supplier: number | null;
  /** The number of a list. If set, items are read as they were before this list counted. */
  before?: number | null;
  /** A list being counted, whose versions by `run` are treated as the newest. */
  counting?: { number: number; run: number } | null;
  ids?: RawBuilder<unknown>;
};

const content = ['our_id', 'title', 'hashes', 'price', 'quantity', 'gtin'] as const;

/**
 * SQL query: items with their version from the list that counted last. If an item has no version, its content is in
 * its own row, from its first list. `content_list`: the list with this content, or null if none has counted.
 * `missed_since`: the list since which every counted list lacks the item. Versions are looked up per
 * item: set joins took over 40 s, because Postgres had no statistics of a new supplier's 45,000 items.
 */
export function selectItems({ supplier, before = null, counting = null, ids }: ItemsQuery) {
  const items =
    ids === undefined
      ? sql`supplier_items items`
      : sql`(select distinct unnest(${ids}) as id) chosen
        cross join lateral (select * from supplier_items where id = chosen.id offset 0) items`;
  const ofSupplier = supplier === null ? sql`true` : sql`items.supplier = ${supplier}::int`;
  const countedThen = sql`coalesce((select counted_at from supplier_lists
    where supplier = ${supplier} and number = ${before} and state = 'counted'), 'infinity')`;
  const counted =
    counting === null
      ? sql`(select supplier, number as list, counted_run as run, counted_at from supplier_lists
          where state = 'counted' and ${before === null ? sql`true` : sql`counted_at < ${countedThen}`})`
      : sql`(select supplier, number as list, case when number = ${counting.number} then ${counting.run}::int
            else counted_run end as run,
          case when number = ${counting.number} then 'infinity' else counted_at end as counted_at
        from supplier_lists where state = 'counted' or number = ${counting.number})`;
  const columns = content.map(
    (column) =>
      sql`case when newest.list is null then items.${sql.ref(column)} else newest.${sql.ref(column)} end as ${sql.ref(column)}`,
  );
  return sql`
    select items.id, items.supplier, ${before === null ? sql`items.key` : sql`coalesce(key_then, items.key) as key`},
      ${sql.join(columns)}, first_list, coalesce(newest.list, first.list) as content_list,
      case when missed then newest.list end as missed_since
    from ${items}
    left join lateral (
      select list, counted_at from ${counted} counted
      where counted.supplier = items.supplier and counted.list = items.first_list and counted.run = items.first_run
    ) first on true
    left join lateral (
      select versions.*, counted_at from item_versions versions join ${counted} counted using (supplier, list, run)
      where versions.supplier = items.supplier and versions.item = items.id
      order by counted_at desc, list desc limit 1
    ) newest on first.list is null or (newest.counted_at, newest.list) >= (first.counted_at, first.list)
    ${
      before === null
        ? sql``
        : sql`left join lateral (
            select key_before as key_then from item_versions versions
            join supplier_lists lists on lists.supplier = versions.supplier and number = list
            where versions.supplier = items.supplier and versions.item = items.id and key_before is not null
              and lists.counted_at >= ${countedThen}
            order by lists.counted_at limit 1
          ) renamed on true`
    }
    where ${ofSupplier} and same_as is null`;
}

/** SQL condition: a key may come from uncleaned cells, with invisible characters, entities or 'Ã©' for 'é'. */
export const isUncleanedKey = (key: RawBuilder<unknown>) => sql`${key} ~ ${uncleaned}`;

const uncleaned = sql.raw(
  `'[\\u0001-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]'
    '|^[sh]:''|^h:.*&(#[0-9]+|#X[0-9A-F]+|[A-Z][A-Z0-9]+);|[ÂÃÄÅ][\\u0080-\\uffff]|^s:[0-9]+[.]([0-9]{3})?0$'`,
);

/** SQL query: `key`, from an earlier version of Draftshelf, and `cleaned`, its current form. Skips ambiguous forms. */
export async function readKeyAliases(db: Db, items: { supplier: number; before: number | null }) {
  const found = await queryValues<string>(db)`
    select key from (${selectItems(items)}) items where ${isUncleanedKey(sql`key`)}`;
  const ofCleaned = Map.groupBy(
    found.map((key) => ({ key, cleaned: cleanItemKey(key) })),
    ({ cleaned }) => cleaned,
  );
  const pairs = [...ofCleaned.values()].flatMap(([first, ...others]) =>
    first === undefined || others.length > 0 || first.key === first.cleaned ? [] : [first],
  );
  const [keys, cleaned] = [pairs.map(({ key }) => key), pairs.map((pair) => pair.cleaned)];
  return sql`select * from unnest(${keys}::text[], ${cleaned}::text[]) pairs (key, cleaned)`;
}

/** SQL value: the position, from 1, of the hash of a field group within the hashes of a row. */
export const groupHashStart = (group: FieldGroup) => sql.lit(fieldGroups.indexOf(group) * bytesPerHash + 1);

export const groupHash = (hashes: RawBuilder<unknown>, group: FieldGroup) =>
  sql`substr(${hashes}, ${groupHashStart(group)}, ${sql.lit(bytesPerHash)})`;

/** SQL value: the hash of a field group, or null if the row has no value of the group. */
export const groupHashOrNull = (hashes: RawBuilder<unknown>, group: FieldGroup) =>
  sql`nullif(${groupHash(hashes, group)}, '\\x00000000')`;
