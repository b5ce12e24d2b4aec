import { type Kysely, sql } from 'kysely';

/**
 * What lists say of items is stored, in place of what items were before each list: a list counts by its state alone.
 * Every known state of an item tells which list it is from. Items that a list has removed, because they are listed
 * under another key, are the others as of that list.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table supplier_items add column first_run integer;
    create table item_versions (
      supplier integer,
      item bigint,
      list integer,
      run integer,
      our_id text not null,
      title text,
      hashes bytea,
      price bigint,
      quantity integer,
      gtin bigint,
      missed boolean default false not null,
      same_as bigint,
      key_before text,
      primary key (supplier, item, list, run)
    );

    create index item_versions_missed on item_versions (supplier, item) where missed;

    update supplier_lists set counted_run = coalesce(counted_run, (select rows_run from imports where id = import_id), 0)
    where state = 'counted' and counted_run is null;
    create temporary table runs_of_lists on commit drop as
      select supplier, number as list, state, coalesce(counted_run, (select rows_run from imports where id = import_id), 0) as run,
        row_number() over (partition by supplier order by counted_at nulls last, number) as place
      from supplier_lists;
    create temporary table changes on commit drop as
      select supplier, item, list, run, before, before ->> 'key' as key_before, lead(before ->> 'key') over states as key,
        row_number() over (partition by supplier, item order by place desc) = 1 as is_last
      from list_changes join runs_of_lists using (supplier, list)
      window states as (partition by supplier, item order by place);
    create temporary table removed on commit drop as
      select changes.*, was.*, (select min(id) from supplier_items same
          where same.supplier = changes.supplier and same.our_id = was.our_id and same.gtin = was.gtin) as same_as
      from changes cross join lateral json_to_record(before) as was (our_id text, title text, hashes text, price bigint,
        quantity int, gtin bigint, first_list int, content_list int)
      where is_last and content_list is not null and not exists (select from supplier_items where id = item);
    delete from removed where same_as is null;

    create temporary table states on commit drop as
      select supplier, id as item, our_id, title, hashes, price, quantity, gtin, content_list, missed_since
      from supplier_items where content_list is not null
      union all
      select changes.supplier, item, was.our_id, was.title, decode(was.hashes, 'hex'), was.price, was.quantity, was.gtin,
        was.content_list, was.missed_since
      from changes cross join lateral json_to_record(before) as was (our_id text, title text, hashes text, price bigint,
        quantity int, gtin bigint, content_list int, missed_since int)
      where was.content_list is not null;
    insert into item_versions (supplier, item, list, run, our_id, title, hashes, price, quantity, gtin, missed)
      select supplier, item, list, run, our_id, title, hashes, price, quantity, gtin, false
      from states join runs_of_lists using (supplier) where list = content_list
      union all
      select supplier, item, list, run, our_id, title, hashes, price, quantity, gtin, true
      from states join runs_of_lists using (supplier) where list = missed_since
    on conflict do nothing;
    -- Of a list that does not count any more, or that a merge under way has not moved yet.
    insert into item_versions (supplier, item, list, run, our_id, title, hashes, price, quantity, gtin, missed)
      select items.supplier, id, last.list, last.run, our_id, title, hashes, price, quantity, gtin, false
      from supplier_items items join (
        select distinct on (supplier) supplier, list, run from runs_of_lists where state = 'counted'
        order by supplier, place desc
      ) last on last.supplier = items.supplier
      where content_list is not null and not exists (
        select from runs_of_lists own
        where own.supplier = items.supplier and own.list = content_list and state in ('counted', 'open'))
    on conflict do nothing;

    insert into supplier_items (id, supplier, key, our_id, title, gtin, first_list, content_list)
    overriding system value
    select item, supplier, 'same:' || item, our_id, title, gtin, first_list, content_list from removed;
    insert into item_versions as versions (supplier, item, list, run, our_id, title, hashes, price, quantity, gtin, missed,
      same_as, key_before)
    select supplier, item, list, run, our_id, title, decode(hashes, 'hex'), price, quantity, gtin, true, same_as,
      key_before
    from removed
    on conflict (supplier, item, list, run) do update set missed = true, same_as = excluded.same_as,
      key_before = excluded.key_before;
    update item_versions versions set key_before = changes.key_before from changes
    join supplier_items items on items.id = changes.item
    where versions.supplier = changes.supplier and versions.item = changes.item and versions.list = changes.list
      and same_as is null and changes.key_before <> coalesce(changes.key, items.key);

    drop table list_changes, missing_items;
    alter table supplier_items drop column content_list, drop column missed_since;
    alter table supplier_lists drop column missing_to;
  `.execute(db);
}
