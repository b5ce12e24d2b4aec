import { type Kysely, sql } from 'kysely';

/**
 * Items have ids, so that what is said of one stays with it when its supplier gives it another key. Where a list has
 * done that before, the item is the one with the same product and GTIN. What names a key of no item goes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table supplier_items add column id bigint generated always as identity, drop constraint supplier_items_pkey;
    alter table supplier_items add primary key (id), add unique (supplier, key);

    create temporary table item_of_key on commit drop as
      select supplier, key, id, true as has_it from supplier_items
      union all
      (select distinct on (changes.supplier, changes.key) changes.supplier, changes.key, items.id, false
        from list_changes changes join supplier_items items on items.supplier = changes.supplier
          and items.our_id = before ->> 'our_id' and items.gtin = (before ->> 'gtin')::bigint
        where not exists (
          select from supplier_items same where same.supplier = changes.supplier and same.key = changes.key)
        order by changes.supplier, changes.key, changes.list desc, items.id);
    analyze item_of_key;

    create temporary table values_of_items on commit drop as
      select distinct on (supplier, 'i:' || id, field) supplier, 'i:' || id as subject, field, kind, value, said_of,
        source, said_at, said_in, import_id, settled_in
      from carried_values join item_of_key using (supplier) where key = subject
      order by supplier, 'i:' || id, field, said_at desc;
    delete from carried_values where not starts_with(subject, 'p:');
    insert into carried_values (supplier, subject, field, kind, value, said_of, source, said_at, said_in, import_id,
      settled_in)
    select * from values_of_items;

    alter table row_items rename column item to key;
    alter table row_items add column item bigint;
    update row_items set item = item_of_key.id from imports, item_of_key
    where row_items.key is not null and imports.id = row_items.import_id and item_of_key.supplier = imports.supplier
      and item_of_key.key = row_items.key;
    alter table row_items drop column key;

    update supplier_recipes set target = ('{"items":' || array_to_json(array(
      select id from json_array_elements_text(target -> 'keys') as named (key)
      join item_of_key using (key) where item_of_key.supplier = supplier_recipes.supplier order by id)) || '}')::json
    where target -> 'keys' is not null;
    update edit_commands set steps = (
      select coalesce(json_agg(case when step -> 'target' -> 'keys' is null then step else json_build_object(
          'recipe', step -> 'recipe', 'operations', step -> 'operations', 'rows', step -> 'rows',
          'target', json_build_object('items', array(
            select id from json_array_elements_text(step -> 'target' -> 'keys') as named (key)
            join item_of_key using (key) where item_of_key.supplier = imports.supplier order by id))) end order by at),
        '[]')
      from json_array_elements(steps) with ordinality as done (step, at))
    from imports where imports.id = import_id and kind = 'recipes' and steps is not null;

    insert into item_of_key
    select supplier, key, nextval(pg_get_serial_sequence('supplier_items', 'id')), false from (
      select supplier, key from list_changes where before ->> 'content_list' is not null
      except select supplier, key from item_of_key) gone;
    create temporary table changes_of_items on commit drop as
      select distinct on (supplier, list, id) supplier, list, id, case
        when before is null then before
        when before ->> 'content_list' is null then json_build_object('key', key, 'content_list', null)
        else json_build_object('key', key, 'our_id', before -> 'our_id', 'title', before -> 'title',
          'hashes', before -> 'hashes', 'price', before -> 'price', 'quantity', before -> 'quantity',
          'gtin', before -> 'gtin', 'first_list', before -> 'first_list', 'content_list', before -> 'content_list',
          'missed_since', before -> 'missed_since') end as before
      from list_changes join item_of_key using (supplier, key)
      order by supplier, list, id, has_it;
    delete from list_changes;
    alter table list_changes drop constraint list_changes_pkey, drop column key, add column item bigint;
    insert into list_changes (supplier, list, item, before)
    select supplier, list, id, before from changes_of_items;
    alter table list_changes add primary key (supplier, list, item);
  `.execute(db);
}
