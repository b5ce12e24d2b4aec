import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryFreshRows, runWithoutNestedLoops } from '../connection/planner.ts';
import { hasRows, queryRows, queryValue, queryValues } from '../connection/query-rows.ts';
import type { CarriedValuesTable, FinalizeProgress, ImportRecord, RowRecord } from '../connection/schema.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { changeParseRun } from '../imports/imports.ts';
import { insertEdits, type NewEdit } from '../review/commands/stored-edits.ts';
import { isTextArray } from '../review/stored-cells.ts';
import type { RunOfRows } from '../work/runs.ts';
import { carrySource, commandJoins, effectiveValueFirst } from './carried-values.ts';
import { editIdMax, hasEditsToKeep } from './edits-to-keep.ts';
import { isUnsure, itemOfRow, markCarriedRows, mayHaveItem } from './row-items.ts';

export const rowsPerScan = 5_000;

/** Values per part. A part may have more, because it includes all values of its last row. */
const partMax = 2_000;

export type ValueToCarry = Pick<RowRecord, 'row' | 'byte_from'> &
  Pick<CarriedValuesTable, 'subject' | 'field' | 'kind' | 'value' | 'said_of' | 'source'> &
  Record<'said_at' | 'set_at', Date>;

const valueColumns = sql`
  subject, field, kind, value, said_of, source, said_at, coalesce(set_at, 'epoch') as set_at`;

export type SupplierImport = { id: string; supplier: number };

/** SQL condition: a value was kept or taken back in another list after `since`. */
export const isNewer = ({ id, supplier }: SupplierImport, since: Date) => sql`
  supplier = ${supplier} and import_id <> ${id} and kept_at > ${since}`;

/**
 * Reads carried values for the next rows of a run after `at`: all values, or only those kept from other lists after
 * `since`. Also returns the last row searched. Each row looks up its item, which takes 20 ms for 5,000 rows: a join
 * would use nested loops, because a new run's tables have no statistics.
 */
export async function readValuesToCarry(
  db: Db,
  { import_id, run }: RunOfRows,
  list: SupplierImport,
  { at, since }: { at: number; since: Date | null },
): Promise<{ values: ValueToCarry[]; last: number }> {
  const { supplier } = list;
  const which = since === null ? sql`value is not null` : sql`is_newer`;
  const newer =
    since === null ? sql`` : sql`, bool_or(${isNewer(list, since)}) over (partition by field) as is_newer`;
  const last = at + rowsPerScan;
  const inPart = sql`import_id = ${import_id} and run = ${run} and row > ${at} and row <= ${last}`;
  const values = await queryFreshRows<ValueToCarry>(db)`
    with part as materialized (
      select rows.row, byte_from, ${itemOfRow(supplier, sql`item`)} as item, our_id, ${isUnsure} as is_unsure
      from (select * from rows where ${inPart} and ${mayHaveItem}) rows
      left join (select * from row_items where ${inPart}) row_items on row_items.row = rows.row
    )
    select row, byte_from, carried.* from (
      select row, byte_from, 'i:' || item as subject from part where not is_unsure and item is not null
      union all select row, byte_from, 'p:' || our_id from part where our_id is not null
    ) named cross join lateral (
      select ${valueColumns} from (
        select distinct on (field) *${newer} from carried_values
        where supplier = ${supplier} and carried_values.subject = named.subject order by field, ${effectiveValueFirst}
      ) counting where ${which} offset 0
    ) carried
    order by row fetch first ${sql.lit(partMax)} rows with ties`;
  return { values, last: values.length < partMax ? last : (values.at(-1)?.row ?? last) };
}

/** Maximum of bytes of stored cells in memory at a time. A single row may exceed it. */
const cellsBytesMax = 4 * 1024 * 1024;

/** Reads the cells of some rows of a run, in order. `cells` is null if they are unreadable. */
export async function* readCellsOfRows(
  db: Db,
  { import_id, run }: RunOfRows,
  numbers: readonly number[],
): AsyncGenerator<{ row: number; cells: string[] | null }> {
  let left = numbers;
  while (left.length > 0) {
    const rows = await queryRows<{ row: number; cells: unknown }>(db)`
      select row, cells from (
        select row, cells, sum(pg_column_size(cells)) over before_it as bytes
        from rows where import_id = ${import_id} and run = ${run} and row = any(${left}::int[])
        window before_it as (order by row rows between unbounded preceding and 1 preceding)
      ) sized
      where coalesce(bytes, 0) < ${sql.lit(cellsBytesMax)} order by row`;
    for (const { row, cells } of rows) yield { row, cells: isTextArray(cells) ? cells : null };
    const last = rows.at(-1)?.row;
    left = last === undefined ? [] : left.filter((row) => row > last);
  }
}

export async function hasCarriedValues(db: Db, supplier: number): Promise<boolean> {
  return hasRows(db)`
    select 1 from carried_values where supplier = ${supplier} and value is not null limit 1`;
}

/** Returns whether a list that becomes current gets carried values, or may lose values of another supplier. */
export const hasValuesToCarry = (db: Db, { id, supplier, test_mode }: ImportRecord) =>
  queryValue<boolean>(db)`
    select exists (select from edit_commands where import_id = ${id} and kind = 'carried')
      or not ${test_mode} and (
        exists (select from carried_values where supplier = ${supplier} and value is not null)
        or exists (select from imports where ${hasEditsToKeep(supplier, id, editIdMax)}))`;

/** A cell's last edit. `isCarried`: the value of the edit was set in another list. */
export type LastEdit = { value: string | null; isCarried: boolean };

/** Reads each cell's last edit, by 'offset field'. Skips other suppliers' values and, unless `withRecipes`, recipes. */
export async function readLastEdits(
  db: Db,
  importId: string,
  supplier: number,
  bytesFrom: readonly number[],
  withRecipes = true,
): Promise<Map<string, LastEdit>> {
  const rows = await queryRows<LastEdit & { cell: string }>(db)`
    select distinct on (byte_from, field) byte_from || ' ' || field as cell, after as value,
      set_at is not null as "isCarried"
    from unnest(${[...new Set(bytesFrom)]}::bigint[]) as record (byte_from) cross join lateral (
      select id, field, after, command, set_at from edits
      where import_id = ${importId} and byte_from = record.byte_from offset 0
    ) edits ${commandJoins(importId)}
    where coalesce(${carrySource} ->> 'supplier', ${String(supplier)}) = ${String(supplier)}
      and not exists (select from edit_commands where import_id = ${importId} and kind = 'undo' and carried is not null
        and undoes = coalesce(base.id, command.id))
      and (${withRecipes} or coalesce(base.kind, command.kind) <> 'recipes')
    order by byte_from, field, edits.id desc`;
  return new Map(rows.map((last) => [last.cell, last]));
}

/** Records when values were last carried into a run: the time of run `shown`, or now if null. Lock the values first. */
export const storeCarriedTime = (db: Db, of: RunOfRows, shown: number | null): Promise<void> =>
  changeParseRun(db, of, {
    carried_at: sql`coalesce(carried_at, (
      select coalesce(carried_at, started_at) from runs
      where import_id = ${of.import_id} and stage = 'parse' and run = ${shown}), clock_timestamp())`,
  });

/** Marks rows into which the supplier's values were carried in an earlier run. */
export async function markCarriedRowsAgain(db: Db, of: RunOfRows, supplier: number): Promise<void> {
  const { import_id, run } = of;
  const carried = sql`
    select byte_from from edit_commands command
    join edits on edits.import_id = command.import_id and edits.command = command.id
    where command.import_id = ${import_id} and kind = 'carried' and carried ->> 'supplier' = ${String(supplier)}`;
  const rows = sql`
    select row from rows where import_id = ${import_id} and run = ${run} and byte_from in (${carried})`;
  await runWithoutNestedLoops(db, () => markCarriedRows(db, of, rows));
}

/** Stores edits that carry values, and marks their rows. Returns the edits' command, which is new if none is given. */
export async function storeCarriedEdits(
  db: Db,
  { id, supplier }: SupplierImport,
  of: RunOfRows,
  command: string | null,
  edits: readonly NewEdit[],
): Promise<string> {
  const stored = command ?? (await insertCarried(db, { id, supplier }));
  await insertEdits(db, id, stored, edits);
  const rows = [...new Set(edits.map(({ row }) => row))];
  await markCarriedRows(db, of, sql`select unnest(${rows}::int[]) as row`);
  await sql`
    update edit_commands set rows = rows + ${rows.length}, edits = edits + ${edits.length}
    where import_id = ${id} and id = ${stored}`.execute(db);
  return stored;
}

const insertCarried = (db: Db, { id, supplier }: SupplierImport) =>
  queryValue<string>(db)`
    insert into edit_commands (import_id, kind, rows, edits, carried)
    select ${id}, 'carried', 0, 0, json_build_object('supplier', ${supplier}::int, 'filename', (
      select filename from imports where supplier = ${supplier} and id <> ${id} order by created_at desc limit 1))
    returning id`;

/** Returns the last edit's id as `edits_kept_to` if this reading carried all edits of an import, else null. */
export async function readEditsKeptTo(db: Db, importId: string, carried: FinalizeProgress['carried']) {
  const command = carried?.command ?? null;
  if (command === null) return null;
  const last = await queryValue<number | null>(db)`
    select max(id) from edits where import_id = ${importId} and not exists (
      select from edit_commands where import_id = ${importId} and id <> ${command})`;
  return last === null ? null : { edits_kept_to: last };
}

/** Marks carried values that the list also has. They are cleared when the list counts. The caller has locked them. */
export async function storeSettledValues(
  db: Db,
  supplier: number,
  { import_id, run }: RunOfRows,
  settled: readonly Pick<ValueToCarry, 'subject' | 'field'>[],
): Promise<void> {
  if (settled.length === 0) return;
  await sql`
    update carried_values set settled_in = ${import_id},
      settled_runs = case when settled_in = ${import_id} then settled_runs end || ${run}::int
    from ${unnestRows('settled', settled, { subject: 'text', field: 'text' })}
    where carried_values.supplier = ${supplier} and carried_values.subject = settled.subject
      and carried_values.field = settled.field`.execute(db);
}

/**
 * Undoes edits that carried other suppliers' values into an import, including edits that an undo restored. Removes the
 * supplier's proposals, including dismissed ones. Returns the undo commands.
 */
export async function undoValuesOfOthers(
  db: Db,
  { import_id: importId }: RunOfRows,
  supplier: number | null,
): Promise<string[]> {
  const undos = await queryValues<string>(db)`
    with base as (
      update edit_commands set state = 'undone'
      where import_id = ${importId} and kind = 'carried' and state = 'applied'
        and carried ->> 'supplier' is distinct from ${supplier === null ? null : String(supplier)}
      returning id, carried
    ), undo as (
      insert into edit_commands (import_id, kind, undoes, rows, edits, carried)
      select ${importId}, 'undo', id, 0, 0, carried from base returning id, undoes
    ), undone as (
      insert into edits (import_id, command, row, byte_from, field, before, after)
      select ${importId}, undo.id, row, byte_from, field, after, null from (
        select distinct on (byte_from, field) * from edits where import_id = ${importId}
        order by byte_from, field, id desc
      ) latest cross join lateral (
        select undo.id from edits carried join undo on undo.undoes = carried.command
        where carried.import_id = ${importId} and carried.byte_from = latest.byte_from
          and carried.field = latest.field and carried.after = latest.after
        order by carried.id desc limit 1
      ) undo
      where after is not null and set_at is not null returning 1
    )
    select id from undo`;
  if (undos.length > 0)
    await sql`
      delete from proposals
      where import_id = ${importId} and source = ${supplierSource} and state <> 'taken'`.execute(db);
  return undos;
}

/** Returns the rows after `at`, up to and including `last`, that have edits of some commands. */
export async function readRowsOfCommands(
  db: Db,
  { import_id, run }: RunOfRows,
  { commands, at, last }: { commands: readonly string[]; at: number; last: number },
): Promise<number[]> {
  if (commands.length === 0) return [];
  const edited = sql`
    select byte_from from edits where import_id = ${import_id} and command = any(${commands}::uuid[])`;
  return runWithoutNestedLoops(
    db,
    () => queryValues<number>(db)`
      select row from rows
      where import_id = ${import_id} and run = ${run} and row > ${at} and row <= ${last} and byte_from in (${edited})`,
  );
}
