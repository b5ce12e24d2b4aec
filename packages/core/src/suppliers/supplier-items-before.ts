import { sql } from 'kysely';

/**
 * SQL query: a supplier's items, each as it was before the list number `before` counted; null: as they are. An item
 * that this list has made is none of them.
 */
export function itemsBefore(supplier: number, before: number | null) {
  if (before === null) {
    return sql`
      select id, key, our_id, hashes, price, gtin, first_list, content_list, missed_since from supplier_items
      where supplier = ${supplier}`;
  }
  return sql`
    select id, coalesce(before->>'key', items.key) as key, coalesce(before->>'our_id', items.our_id) as our_id,
      case when is_changed then decode(before->>'hashes', 'hex') else items.hashes end as hashes,
      case when is_changed then (before->>'price')::bigint else items.price end as price,
      case when is_changed then (before->>'gtin')::bigint else items.gtin end as gtin,
      coalesce((before->>'first_list')::int, items.first_list) as first_list,
      case when is_changed then (before->>'content_list')::int else items.content_list end as content_list,
      case when is_changed then (before->>'missed_since')::int else items.missed_since end as missed_since
    from (select * from supplier_items where supplier = ${supplier}) items
    full join (
      select item as id, before, true as is_changed from list_changes where supplier = ${supplier} and list = ${before}
    ) changes using (id)
    where is_changed is null or before is not null`;
}
