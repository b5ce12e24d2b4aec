import { type RawBuilder, sql } from 'kysely';

/** Which items are read, and which lists count for them. */
export type ItemsAt = {
  /** Null: the items of all suppliers. */
  supplier: number | null;
  /** The items are taken as they were before this list counted; null: as they are. */
  before?: number | null;
  /** A list that is being counted: what its run says is taken for the newest. */
  counting?: { number: number; run: number } | null;
  /** SQL, an array of ids: only these items. */
  ids?: RawBuilder<unknown>;
};

const content = ['our_id', 'title', 'hashes', 'price', 'quantity', 'gtin'] as const;

/**
 * SQL query: items with what the list says that counted last among those which say something of them. The row of an
 * item is what its first list says. `content_list`: the list that says it; null: none has counted, and the content is
 * that of a list which may never count. `missed_since`: the first of the counted lists in a row that lack it.
 */
export function itemsAt({ supplier, before = null, counting = null, ids }: ItemsAt) {
  const ofAll =
    ids === undefined
      ? sql`true`
      : sql`supplier = any(array(select supplier from supplier_items where id = any(${ids})))`;
  const ofSupplier = supplier === null ? ofAll : sql`supplier = ${supplier}::int`;
  const countedThen = sql`coalesce((select counted_at from supplier_lists
    where supplier = ${supplier} and number = ${before} and state = 'counted'), 'infinity')`;
  const isBefore = before === null ? sql`true` : sql`counted_at < ${countedThen}`;
  const counted = sql`(
    select supplier, number as list, counted_run as run,
      row_number() over (partition by supplier order by counted_at, number) as place
    from supplier_lists where ${ofSupplier} and state = 'counted' and ${isBefore}
    ${
      counting === null
        ? sql``
        : sql`and number <> ${counting.number}
            union all select ${supplier}::int, ${counting.number}::int, ${counting.run}::int, 2147483647`
    })`;
  const columns = content.map(
    (column) =>
      sql`case when newest.item is null then items.${sql.ref(column)} else newest.${sql.ref(column)} end as ${sql.ref(column)}`,
  );
  const isOneOf = (id: string) => (ids === undefined ? sql`` : sql`and ${sql.ref(id)} = any(${ids})`);
  return sql`
    select items.id, items.supplier, ${before === null ? sql`items.key` : sql`coalesce(key_then, items.key) as key`},
      ${sql.join(columns)}, first_list, coalesce(newest.list, first.list) as content_list,
      case when missed then newest.list end as missed_since
    from (select * from supplier_items where ${ofSupplier} ${isOneOf('id')}) items
    left join ${counted} first
      on first.supplier = items.supplier and first.list = items.first_list and first.run = items.first_run
    left join (
      select distinct on (versions.supplier, item) versions.*, place
      from (select * from item_versions where ${ofSupplier} ${isOneOf('item')}) versions
      join ${counted} counted using (supplier, list, run)
      order by versions.supplier, item, place desc
    ) newest
      on newest.supplier = items.supplier and newest.item = items.id and newest.place >= coalesce(first.place, 0)
    ${
      before === null
        ? sql``
        : sql`left join (
            select distinct on (item) item, key_before as key_then from item_versions
            join supplier_lists lists on lists.supplier = item_versions.supplier and number = list
            where item_versions.supplier = ${supplier} and key_before is not null and counted_at >= ${countedThen}
            order by item, counted_at
          ) renamed on renamed.item = items.id`
    }
    where same_as is null`;
}
