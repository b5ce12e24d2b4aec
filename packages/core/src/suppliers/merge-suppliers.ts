import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { runWithoutNestedLoops } from '../connection/planner.ts';
import { changeRows, queryRow, queryRows, queryValues } from '../connection/query-rows.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { nextVersion } from '../imports/imports.ts';
import { selectItems } from './items-at.ts';

/** Maximum of items, values or keys moved or deleted in one transaction. */
export const movedPerPart = 5_000;

const keysMax = 50;

/** Shifts of list numbers: lists begun after the target's newest list follow it, all others precede its first list. */
type Numbering = Awaited<ReturnType<typeof readNumbering>>;

/** Reads the numbering, which stays the same until the merge ends, because neither supplier gets a list meanwhile. */
async function readNumbering(db: Db, from: number, into: number) {
  const found = await queryRow<Record<'later' | 'first' | 'last' | 'intoFirst' | 'intoLast', number>>(db)`
    select coalesce((select min(number) from supplier_lists where supplier = ${from} and began_at > coalesce((
        select max(began_at) from supplier_lists where supplier = ${into}), '-infinity')), left_one.last_number + 1)
        as later,
      left_one.first_number as first, left_one.last_number as last,
      kept.first_number as "intoFirst", kept.last_number as "intoLast"
    from suppliers left_one, suppliers kept where left_one.id = ${from} and kept.id = ${into}`;
  const { later, first, last, intoFirst, intoLast } = found;
  const earlierBy = intoFirst - last - 1;
  return {
    ...{ laterFrom: later, laterBy: intoLast + 1 - later, earlierBy },
    ...{ first: first + earlierBy, last: intoLast + last + 1 - later },
  };
}

/** SQL value: the number of a list after the merge. Null stays null. */
const renumbered = (number: RawBuilder<unknown>, { laterFrom, laterBy, earlierBy }: Numbering) => sql`(
  ${number} + case when ${number} >= ${laterFrom}::int then ${laterBy}::int else ${earlierBy}::int end)`;

/** SQL value: roughly when the supplier last listed the item, or '-infinity' if that is unknown. */
const listedAt = (item: 'part' | 'existing', supplier: number) => {
  const of = (column: string) => sql.ref(`${item}.${column}`);
  const began = (number: RawBuilder<unknown>) =>
    sql`(select began_at from supplier_lists where supplier = ${supplier} and number = ${number})`;
  return sql`coalesce(case when ${of('missed_since')} is not null then ${began(of('missed_since'))}
    when ${of('content_list')} is null then ${began(of('first_list'))}
    else (select max(counted_at) from supplier_lists where supplier = ${supplier} and state = 'counted')
    end, '-infinity')`;
};

/** An item of the supplier being merged. `stays`: the target's item with the same key, or null if there is none. */
type LeavingItem = {
  id: number;
  key: string;
  ourId: string;
  stays: number | null;
  isOther: boolean;
  isLater: boolean;
};

/** Reads some items of a supplier in the order of keys, with the target's item of the same key. Skips joined items. */
async function readLeaving(db: Db, { from, into }: Merge, ids: readonly number[]): Promise<LeavingItem[]> {
  const existing = sql`array(
    select id from supplier_items where supplier = ${into} and key = any(array(select key from part)))`;
  return queryRows<LeavingItem>(db)`
    with part as materialized (
      ${selectItems({ supplier: from, ids: sql`${ids}::bigint[]` })}
    ), existing as materialized (
      ${selectItems({ supplier: into, ids: existing })}
    )
    select part.id, key, part.our_id as "ourId", existing.id as stays, part.our_id <> existing.our_id as "isOther",
      ${listedAt('part', from)} > ${listedAt('existing', into)} as "isLater"
    from part left join existing using (key) order by key`;
}

type Merge = { from: number; into: number; numbering: Numbering };

/**
 * Moves the next items of a supplier to the merge's target, with their versions, carried values, recipes and product
 * keys. If both suppliers have an item with the same key, the item listed last stays. Missed lists are counted from 0
 * again. Returns false if no items are left.
 */
export async function moveItems(db: Db, from: number, into: number): Promise<boolean> {
  const ids = await queryValues<number>(db)`
    select id from supplier_items where supplier = ${from} order by key limit ${movedPerPart}`;
  if (ids.length === 0) return false;
  const merge = { from, into, numbering: await readNumbering(db, from, into) };
  await runWithoutNestedLoops(db, async () => {
    const part = await readLeaving(db, merge, ids);
    await moveContent(db, merge, ids, part);
    await moveNames(db, merge, part);
    const twice = part.filter(({ stays, isOther }) => stays !== null && isOther).map(({ key }) => key);
    if (twice.length > 0) await addTwice(db, from, twice);
  });
  return true;
}

const pairsOf = (pairs: readonly { id: number; to: number }[]) =>
  unnestRows('pairs', pairs, { id: 'bigint', to: 'bigint' });

async function moveContent(
  db: Db,
  { from, into, numbering }: Merge,
  ids: readonly number[],
  part: readonly LeavingItem[],
): Promise<void> {
  const number = (column: string) => renumbered(sql.ref(column), numbering);
  const own = part.flatMap(({ id, stays }) => (stays === null ? id : []));
  const replacing = part.flatMap(({ id, stays, isLater }) => (isLater && stays ? [{ id, to: stays }] : []));
  const moved = [...own.map((id) => ({ id, to: id })), ...replacing];
  const replaced = replacing.map(({ to }) => to);
  const those = new Set(moved.map(({ id }) => id));
  const left = ids.filter((id) => !those.has(id));
  await sql`
    delete from item_versions where supplier = ${into} and item = any(${replaced}::bigint[])
      or supplier = ${from} and item = any(${left}::bigint[])
      or supplier = ${from} and item = any(${ids}::bigint[]) and same_as is not null`.execute(db);
  // Sets `missed` to false: the version may be the item's only content, and missed lists are counted from 0 again.
  await changeRows(db)`
    update item_versions set supplier = ${into}, item = "to", list = ${number('list')}, missed = false
    from ${pairsOf(moved)} where supplier = ${from} and item = any(${ids}::bigint[]) and item = pairs.id`;
  await changeRows(db)`
    update supplier_items items set our_id = stored.our_id, title = stored.title, hashes = stored.hashes,
      price = stored.price, quantity = stored.quantity, gtin = stored.gtin, first_list = ${number('stored.first_list')},
      first_run = stored.first_run
    from ${pairsOf(replacing)} join supplier_items stored using (id)
    where items.id = any(${replaced}::bigint[]) and items.id = "to" and stored.id = any(${ids}::bigint[])`;
  await sql`
    update supplier_items set supplier = ${into}, first_list = ${number('first_list')}
    where id = any(${own}::bigint[])`.execute(db);
  await sql`delete from supplier_items where supplier = ${from} and id = any(${ids}::bigint[])`.execute(db);
}

/** Moves references to items or products: carried values and recipes of replaced items, and product keys. */
async function moveNames(db: Db, { from, into }: Merge, part: readonly LeavingItem[]): Promise<void> {
  const both = part.flatMap(({ id, stays }) => (stays === null ? [] : { id, to: stays }));
  if (both.length > 0) {
    await sql`
      update carried_values set subject = 'i:' || "to" from ${pairsOf(both)}
      where supplier = ${from} and subject = 'i:' || pairs.id`.execute(db);
    await sql`
      update supplier_recipes set target = ('{"items":' || array_to_json(array(
        select coalesce("to", item::bigint) from json_array_elements_text(target -> 'items') as named (item)
        left join ${pairsOf(both)} on pairs.id = item::bigint order by 1)) || '}')::json
      where supplier = ${from} and target -> 'items' is not null`.execute(db);
  }
  await sql`
    update product_keys set supplier = ${into}
    where supplier = ${from} and shop in (select shop from shops)
      and our_id = any(${part.map(({ ourId }) => ourId)}::text[])`.execute(db);
}

/** Records keys that identify different products in the two suppliers. Stores at most 50 of these keys. */
async function addTwice(db: Db, from: number, keys: readonly string[]): Promise<void> {
  await sql`
    update suppliers set merged = json_build_object('name', merged->>'name',
      'twice', (merged->>'twice')::int + ${keys.length}::int, 'keys', to_json((
        array(select json_array_elements_text(merged->'keys')) || ${keys}::text[])[1:${sql.lit(keysMax)}]))
    where id = ${from}`.execute(db);
}

/** Moves the next, locked values. They cannot conflict: each belongs to one list. Returns false if none is left. */
export async function moveCarriedValues(db: Db, from: number, into: number): Promise<boolean> {
  const moved = await changeRows(db)`
    update carried_values set supplier = ${into}, kept_at = clock_timestamp()
    where supplier = ${from} and (subject, field, import_id) in (
      select subject, field, import_id from carried_values where supplier = ${from} limit ${movedPerPart})`;
  return moved > 0;
}

/**
 * Appends the recipes to the target's recipes, without duplicates. If duplicates have different order times, the time
 * becomes 1970 (unknown), so that no value set by the operator changes. The operator is asked about recipes again.
 */
async function moveRecipes(db: Db, from: number, into: number): Promise<void> {
  const isSame = sql`
    same.supplier = ${into} and same.operations::text = recipes.operations::text
    and same.target::text = recipes.target::text`;
  await sql`
    update supplier_recipes same set ordered_at = 'epoch' from supplier_recipes recipes
    where recipes.supplier = ${from} and ${isSame} and same.ordered_at <> recipes.ordered_at`.execute(db);
  await sql`
    update supplier_recipes recipes set supplier = ${into}, position = position + 1 + coalesce((
      select max(position) from supplier_recipes where supplier = ${into}), 0)
    where supplier = ${from} and not exists (
      select from supplier_recipes same where ${isSame})`.execute(db);
  await sql`
    update supplier_recipes set asks = 'ask', version = version + 1
    where supplier = ${into} and asks = 'always'`.execute(db);
}

/** Moves lists, signs and settings, and deletes the supplier. The caller has locked values, imports and suppliers. */
export async function finishMerge(db: Db, from: number, into: number): Promise<void> {
  const numbering = await readNumbering(db, from, into);
  // A list of one supplier lacks the other's items, so no earlier list counts as complete.
  await sql`update supplier_lists set is_complete = null where supplier in (${from}, ${into})`.execute(db);
  await sql`
    update supplier_lists set supplier = ${into}, number = ${renumbered(sql.ref('number'), numbering)},
      compared_with = ${renumbered(sql.ref('compared_with'), numbering)}
    where supplier = ${from}`.execute(db);
  await sql`
    insert into supplier_signs (kind, value, supplier, lists, last_at)
    select kind, value, ${into}, lists, last_at from supplier_signs where supplier = ${from}
    on conflict (kind, value, supplier) do update set lists = supplier_signs.lists + excluded.lists,
      last_at = greatest(supplier_signs.last_at, excluded.last_at)`.execute(db);
  await moveRecipes(db, from, into);
  await sql`
    update edit_commands set carried = (carried::jsonb || jsonb_build_object('supplier', ${into}::int))::json
    where kind = 'carried' and carried->>'supplier' = ${String(from)}
      and import_id in (select id from imports where supplier = ${from})`.execute(db);
  // The values kept from lists of the other supplier still have to be carried into these runs.
  await sql`
    update runs set carried_at = 'epoch'
    where stage = 'parse' and import_id in (select id from imports where supplier = ${from})`.execute(db);
  await sql`
    update imports set version = ${nextVersion}, supplier = case when supplier = ${from} then ${into} else supplier end,
      asked_supplier = case when asked_supplier = ${from} then ${into} else asked_supplier end
    where supplier = ${from} or asked_supplier = ${from}`.execute(db);
  await sql`update runs set supplier = ${into} where supplier = ${from}`.execute(db);
  // The target keeps its own feed if it has one.
  await sql`
    update feeds set supplier = ${into}, runs_itself = false, itself_ended = 'The supplier was merged.'
    where supplier = ${from} and not exists (select from feeds kept where kept.supplier = ${into} and kept.state = 'on')`.execute(
    db,
  );
  await sql`
    update suppliers set first_number = ${numbering.first}, last_number = ${numbering.last}, named_by_operator = true,
      sends_complete = case when not suppliers.sends_complete or not gone.sends_complete then false end,
      guard_cost = coalesce(suppliers.guard_cost, gone.guard_cost),
      guard_column = coalesce(suppliers.guard_column, gone.guard_column),
      guard_change = coalesce(suppliers.guard_change, gone.guard_change),
      currencies = array(select distinct unnest(suppliers.currencies || gone.currencies)), merged = gone.merged,
      products_max = greatest(suppliers.products_max, gone.products_max),
      updates_agreed_at = case when suppliers.updates_agreed_at < gone.updates_agreed_at
        then gone.updates_agreed_at when gone.updates_agreed_at is not null then suppliers.updates_agreed_at end
    from suppliers gone where suppliers.id = ${into} and gone.id = ${from}`.execute(db);
  await db.deleteFrom('suppliers').where('id', '=', from).execute();
}
