import { placesPerTable } from '@draftshelf/csv/place';
import { aiSource, supplierSource } from '@draftshelf/domain/enrich/sources';
import type { EditedField } from '@draftshelf/domain/review/edited-field';
import type { ListCommand } from '@draftshelf/domain/suppliers/list';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { queryFreshRows } from '../../connection/planner.ts';
import { queryRows, queryValue, queryValues } from '../../connection/query-rows.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { type CommandKey, insertCommand, removeCommand } from './edit-commands.ts';

/** An edit of a cell. A null `after` undoes the cell's edit. `source`: source of an accepted proposal, or null. */
export type NewEdit = {
  row: number;
  byteFrom: number;
  field: EditedField;
  before: string | null;
  after: string | null;
  source: string | null;
  /** The time at which the operator set or removed a carried value (`carried_values.set_at`). */
  setAt?: string | undefined;
};

const editColumns = {
  ...({ row: 'int', byteFrom: 'bigint', field: 'text', before: 'text' } as const),
  ...({ after: 'text', source: 'text', setAt: 'timestamptz' } as const),
};

export async function insertEdits(
  db: Db,
  importId: string,
  command: string,
  edits: readonly NewEdit[],
): Promise<void> {
  const rows = edits.map((edit) => ({ ...edit, setAt: edit.setAt ?? null }));
  await sql`
    insert into edits (import_id, command, row, byte_from, field, before, after, source, set_at)
    select ${importId}, ${command}, edited.* from ${unnestRows('edited', rows, editColumns)}`.execute(db);
}

const isKept = (importId: string) =>
  sql`exists (select 1 from imports where id = ${importId} and deletion_began_at is null)`;

/** SQL condition: the edit belongs to a record of the file, and not to an added row. */
const ofFileOf = (importId: string) =>
  sql`import_id = ${importId} and byte_from not between ${-(2 ** 31) + 1} and -1`;

/** SQL condition: the command that made an edit meets the condition `such`. */
const hasCommand = (such: RawBuilder<unknown>) => sql`exists (
  select 1 from edit_commands
  where edit_commands.import_id = edits.import_id and edit_commands.id = edits.command and ${such})`;

const isRestored = hasCommand(sql`undoes is not null`);
const isOfFile = hasCommand(sql`kind = 'file'`);

/**
 * SQL query: the edits in effect that a new upload of the same file copies from an import, with the source of each
 * value and, as `said_by`, the original edit. Edits by which the file's own commands leave rows out are not copied,
 * because the new import makes them itself; rows put back by the operator are copied. A command that is being applied
 * or undone is skipped, because only half of it would be copied. If the import is being deleted, nothing is copied:
 * its edits may be gone already.
 */
const copiedEdits = (importId: string) => sql`(
  select * from (
    select distinct on (byte_from, field) * from (
      select *, min(source) over of_value as value_source, max(id) filter (where not ${isRestored}) over of_value as said_by,
        ${isOfFile} as is_of_file, bool_or(${isOfFile}) over (partition by byte_from, field) as was_of_file
      from edits where ${ofFileOf(importId)} and not ${hasCommand(sql`state in ('applying', 'undoing')`)}
        and ${isKept(importId)}
      window of_value as (partition by byte_from, field, md5(after))
    ) of_file
    order by byte_from, field, id desc
  ) latest where not is_of_file and (after is not null or was_of_file))`;

export const countCopiedEdits = (db: Db, importId: string) =>
  queryValue<number>(db)`
    select count(*)::int as count from ${copiedEdits(importId)} copied`;

/**
 * Copies the edits of the latest import of the same file, with their times, to a new import. The finalize step of the
 * new import applies them. Edits of added rows are not copied. `ofList`: commands that apply to the earlier list only.
 */
export async function copyEdits(
  db: Db,
  fromImportId: string,
  toImportId: string,
  ofList: readonly (ListCommand & { id: string | null })[],
): Promise<void> {
  const ofFile = ofFileOf(fromImportId);
  const command = await insertCommand(db, toImportId, { kind: 'copied' }, 0);
  const [edited] = await queryFreshRows<{ rows: number }>(db)`
    with copied as (
      insert into edits (import_id, command, row, byte_from, field, before, after, source, set_at, edited_at,
        of_list)
      select ${toImportId}, ${command}, copied.row, copied.byte_from, copied.field, copied.before, copied.after,
        value_source, copied.set_at, coalesce(said.edited_at, copied.edited_at),
        nullif(coalesce(said.of_list, false) or said.command = any(${ofList.flatMap(({ id }) => id ?? [])}::uuid[]), false)
      from ${copiedEdits(fromImportId)} copied
        left join edits said on said.import_id = ${fromImportId} and said.id = said_by
      returning byte_from
    )
    select count(distinct byte_from)::int as rows from copied`;
  if (!edited?.rows) return removeCommand(db, toImportId, command);
  const copied = ofList.map(({ sentence, rows }) => ({ sentence, rows }));
  await sql`
    update edit_commands set rows = ${edited.rows}, copied = ${copied.length > 0 ? storableJson(copied) : null}
    where import_id = ${toImportId} and id = ${command}`.execute(db);
  // The copied values refer to the proposals from which they were accepted, so these proposals are copied, too.
  await sql`
    insert into proposals (import_id, row, byte_from, field, before, value, source, reason, evidence, group_key, gtin,
      attribution, state, found_at, decided_at, taken_by)
    select ${toImportId}, row, byte_from, field, before, value, source, reason, evidence, group_key, gtin,
      attribution, state, found_at, decided_at, ${command}
    from proposals where ${ofFile} and state = 'taken' and ${isKept(fromImportId)}`.execute(db);
}

export type AcceptedAiValue = { byte_from: number; field: string; value: string; before: string | null };

/**
 * Returns all values that were ever accepted from AI, oldest first. Searches edits record by record, because without
 * statistics the planner would read all edits of the import.
 */
export const readAcceptedAiValues = (db: Db, importId: string, bytesFrom: readonly number[]) =>
  queryRows<AcceptedAiValue>(db)`
    select of_record.* from unnest(${bytesFrom}::bigint[]) as record (byte_from) cross join lateral (
      select byte_from, field, after as value, before, source, id from edits
      where import_id = ${importId} and byte_from = record.byte_from
      offset 0
    ) of_record
    where of_record.source = ${aiSource} order by of_record.id`;

export const readLastEditId = (db: Db, importId: string) =>
  queryValue<number>(db)`
    select coalesce(max(id), 0) as last from edits where import_id = ${importId}`;

/**
 * Returns the rows in (`at`, `last`] that have edits. Reads only edits with offsets in the range of these rows,
 * because it is called for one part of a run at a time. Without statistics, the planner would look up every row.
 */
export const readEditedRows = (db: Db, of: RunOfRows, { at, last }: { at: number; last: number }) =>
  queryFreshRows<{ row: number; product: number }>(db)`
    with part as materialized (
      select row, product, byte_from from rows
      where import_id = ${of.import_id} and run = ${of.run} and row > ${at} and row <= ${last} and ignored is null
    )
    select row, product from part where byte_from in (
      select byte_from from edits where import_id = ${of.import_id}
        and byte_from between (select min(byte_from) from part) and (select max(byte_from) from part))
    order by row`;

export async function countEditsByTable(db: Db, importId: string): Promise<Map<number, number>> {
  const rows = await queryRows<{ n: number; count: number }>(db)`
    select (byte_from / ${sql.lit(placesPerTable)})::int as n, count(*)::int as count from (
      select distinct on (byte_from, field) byte_from, after from edits
      where import_id = ${importId} and byte_from >= 0 order by byte_from, field, id desc
    ) latest where after is not null group by 1`;
  return new Map(rows.map(({ n, count }) => [n, count]));
}

export async function countEditsWithoutRow(db: Db, of: RunOfRows): Promise<number> {
  const [counted] = await queryFreshRows<{ count: number }>(db)`
    select count(*)::int as count from (
      select distinct on (byte_from, field) byte_from, after from edits
      where import_id = ${of.import_id} order by byte_from, field, id desc
    ) latest
    where after is not null and not exists (
      select 1 from rows
      where rows.import_id = ${of.import_id} and rows.run = ${of.run}
        and rows.byte_from = latest.byte_from)`;
  return counted?.count ?? 0;
}

/** A cell that a command edited, with the values to restore. `is_latest`: no later command has edited the cell. */
export type EditedCell = {
  id: number;
  row: number;
  byte_from: number;
  field: EditedField;
  after: string | null;
  source: string | null;
  set_at: Date | null;
  is_latest: boolean;
};

export const countEditsOfCommand = (db: Db, { import_id, id }: CommandKey) =>
  queryValue<number>(db)`
    select count(*)::int as edits from edits where import_id = ${import_id} and command = ${id}`;

/** Returns the row numbers in a command's edits, as they were when the command was applied. */
export const readEditedRowNumbers = (db: Db, { import_id, id }: CommandKey) =>
  queryValues<number>(db)`
    select distinct row from edits where import_id = ${import_id} and command = ${id}`;

export const readLastEditIdOfCommand = (db: Db, { import_id, id }: CommandKey) =>
  queryValue<number | null>(db)`
    select max(id) as last from edits where import_id = ${import_id} and command = ${id}`;

/**
 * Returns the cells of a command's next edits, after edit id `after`: with the earlier values for an undo, with the
 * command's own values for a redo. Ignores commands that are undone, and undos and redos, which only restore other
 * edits. Call it inside a transaction. Reads the edits of other commands by one search: with stale statistics, the
 * planner searched all edits for each cell, and 500 cells took seconds.
 */
export async function readCellsOfCommand(
  db: Db,
  { import_id, id }: CommandKey,
  { after, limit, isUndo }: { after: number; limit: number; isUndo: boolean },
): Promise<EditedCell[]> {
  const restored = ['after', 'source', 'set_at'].map((column) =>
    isUndo
      ? sql`(array_agg(${sql.ref(`others.${column}`)} order by others.id desc) filter (where others.id < own.id))[1]
          as ${sql.ref(column)}`
      : sql.ref(`own.${column}`),
  );
  return queryFreshRows<EditedCell>(db)`
    with own as (
      select * from edits
      where import_id = ${import_id} and command = ${id} and id > ${after} order by id limit ${limit}
    ),
    others as (
      select edits.id, edits.byte_from, edits.field, edits.after, edits.source, edits.set_at from edits
      join edit_commands on edit_commands.import_id = edits.import_id and edit_commands.id = edits.command
      where edits.import_id = ${import_id} and edits.byte_from = any(array(select byte_from from own))
        and edits.command <> ${id} and edit_commands.state = 'applied'
        and edit_commands.kind not in ('undo', 'redo')
    )
    select own.id, own.row, own.byte_from, own.field, ${sql.join(restored)},
      bool_or(others.id > own.id) is not true as is_latest
    from own left join others on others.byte_from = own.byte_from and others.field = own.field
    group by own.id, own.row, own.byte_from, own.field, own.after, own.source, own.set_at
    order by own.id`;
}

/** Finds rows by offset. If a re-read has renumbered the rows, scans nearby row numbers first, then all rows. */
export async function findRowsOfEdits(
  db: Db,
  of: RunOfRows,
  edits: readonly Pick<EditedCell, 'row' | 'byte_from'>[],
): Promise<Map<number, number>> {
  const find = async (bytesFrom: readonly number[], which: RawBuilder<unknown>) => {
    const rows = await queryRows<{ row: number; byte_from: number }>(db)`
      select row, byte_from from rows
      where import_id = ${of.import_id} and run = ${of.run} and byte_from = any(${bytesFrom}::bigint[])
        and ignored is null ${which}`;
    return new Map(rows.map(({ row, byte_from }) => [byte_from, row]));
  };
  const offsets = edits.map(({ byte_from }) => byte_from);
  const numbers = edits.map(({ row }) => row);
  const found = await find(offsets, sql`and row = any(${numbers}::int[])`);
  const missing = () => offsets.filter((offset) => !found.has(offset));
  if (missing().length === 0) return found;
  const [first, last] = [Math.min(...numbers) - movedRowsMax, Math.max(...numbers) + movedRowsMax];
  for (const near of [sql`and row between ${first} and ${last}`, sql``]) {
    if (missing().length === 0) break;
    for (const [offset, row] of await find(missing(), near)) found.set(offset, row);
  }
  return found;
}

/** Row numbers to scan in each direction. If a re-read uses another header line, all rows move by a few numbers. */
const movedRowsMax = 1_000;

/** Returns the cells, as `offset field`, that another command has edited after the edit `since`. */
export async function readCellsEditedSince(
  db: Db,
  { import_id, id }: CommandKey,
  since: number,
  bytesFrom: readonly number[],
): Promise<ReadonlySet<string>> {
  const rows = await queryRows<{ byte_from: number; field: string }>(db)`
    select distinct byte_from, field from edits
    where import_id = ${import_id} and byte_from = any(${bytesFrom}::bigint[]) and id > ${since}
      and command <> ${id}`;
  return new Set(rows.map(({ byte_from, field }) => `${byte_from} ${field}`));
}

/** The operator's own cells, as `offset field`. The date tells when a carried value was set; null for other values. */
export type OperatorCells = ReadonlyMap<string, Date | null>;

/** Returns the cells that a recipe must not change: cells set in this list, or set after the recipe was ordered. */
export function findProtectedCells(own: OperatorCells, orderedAt: string): ReadonlySet<string> {
  const ordered = new Date(orderedAt);
  return new Set([...own].flatMap(([cell, setAt]) => (setAt === null || setAt > ordered ? cell : [])));
}

/**
 * Returns the cells of records whose latest edit, apart from edits of `command`, is in effect and is not the
 * supplier's value. Searches edits record by record (see `readAcceptedAiValues`).
 */
export async function readOperatorCells(
  db: Db,
  importId: string,
  command: string | null,
  bytesFrom: readonly number[],
): Promise<OperatorCells> {
  const rows = await queryRows<{ byte_from: number; field: string; set_at: Date | null }>(db)`
    select latest.byte_from, field, set_at
    from unnest(${bytesFrom}::bigint[]) as record (byte_from) cross join lateral (
      select distinct on (field) byte_from, field, after, source, command, set_at from edits
      where import_id = ${importId} and byte_from = record.byte_from and command is distinct from ${command}::uuid
      order by field, id desc
      offset 0
    ) latest
    where (after is not null or (
      select kind not in ('undo', 'carried') from edit_commands
      where edit_commands.import_id = ${importId} and edit_commands.id = latest.command))
      and (source is distinct from ${supplierSource} or not exists (
        select 1 from proposals
        where import_id = ${importId} and byte_from = latest.byte_from and proposals.field = latest.field
          and proposals.source = ${supplierSource} and state = 'taken'
            and value = latest.after))`;
  return new Map(rows.map(({ byte_from, field, set_at }) => [`${byte_from} ${field}`, set_at]));
}
