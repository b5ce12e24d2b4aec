import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { changeRows, queryRows, queryValue } from '../../connection/query-rows.ts';
import type { ProposalRecord } from '../../connection/schema.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';
import { lockSourcesShared } from '../../enrich/sources.ts';
import { replacingSources } from './proposals.ts';

/** Reads open proposals by field. `is_first`: the first for a field. `is_only`: all values for that field are equal. */
export const readOpenProposals = (db: Db, importId: string, ids: readonly number[]) =>
  queryRows<{ id: number; is_first: boolean; is_only: boolean }>(db)`
    select id, id = min(id) over of_field as is_first,
      min(md5(value)) over of_field = max(md5(value)) over of_field as is_only
    from proposals
    where import_id = ${importId} and id = any(${ids}::bigint[]) and state = 'open'
    window of_field as (partition by byte_from, field) order by min(id) over of_field, id`;

/**
 * Locks those of the given proposals that are open, in the order of their ids. The caller has locked the import's
 * rows, then the import. This function locks the sources next, and the proposals last.
 */
export async function lockOpenProposals(db: Db, importId: string, ids: readonly number[]) {
  await lockSourcesShared(db);
  return queryRows<ProposalRecord>(db)`
    select * from proposals where import_id = ${importId} and id = any(${ids}::bigint[]) and state = 'open'
    order by id for update`;
}

/** Decides open proposals that the caller has locked. `command`: the command that takes or dismisses them, if any. */
export async function decideLockedProposals(
  db: Db,
  importId: string,
  ids: readonly number[],
  state: 'taken' | 'dismissed',
  command: string | null,
): Promise<void> {
  await sql`
    update proposals set state = ${state}, decided_at = clock_timestamp(), passed_over_by = null,
      taken_by = ${state === 'taken' ? command : null}, dismissed_by = ${state === 'dismissed' ? command : null}
    where import_id = ${importId} and id = any(${ids}::bigint[])`.execute(db);
}

/** Withdraws the supplier's open proposals for fields that the command `command` has edited. */
export const withdrawSupplierProposals = (
  db: Db,
  importId: string,
  cells: readonly CellOf[],
  command: string,
): Promise<void> => withdrawOtherProposals(db, importId, cells, command, sql`and source = ${supplierSource}`);

/** Withdraws the open proposals for fields that a command has filled from other proposals. */
export async function withdrawOtherProposals(
  db: Db,
  importId: string,
  cells: readonly CellOf[],
  command: string,
  which = sql``,
): Promise<void> {
  await sql`
    update proposals set state = 'dismissed', decided_at = clock_timestamp(), passed_over_by = ${command}
    where import_id = ${importId} and state = 'open' ${which}
      and (byte_from, field) in (${pairsOf(cells)})`.execute(db);
}

type CellOf = { field: string } & ({ byteFrom: number } | { byte_from: number });

/** Reopens proposals for cells whose edits were removed. Supplier proposals stay closed: the file's value applies. */
export async function reopenProposals(db: Db, importId: string, cells: readonly CellOf[]): Promise<void> {
  if (cells.length === 0) return;
  const decided = sql`(byte_from, field) in (${pairsOf(cells)}) and source <> ${supplierSource}
    and (taken_by is not null or passed_over_by is not null)`;
  await reopen(db, importId, decided);
}

/**
 * Reopens, after an undo, the proposals that a command dismissed or decided by its edits of `cells`. After a redo,
 * decides these proposals again. Returns their number.
 */
export async function redecideProposals(
  db: Db,
  importId: string,
  command: string,
  cells: readonly CellOf[] | 'dismissed',
  direction: 'undo' | 'redo',
): Promise<number> {
  if (cells.length === 0) return 0;
  const decided =
    cells === 'dismissed'
      ? sql`dismissed_by = ${command}`
      : sql`(byte_from, field) in (${pairsOf(cells)}) and ${command} in (taken_by, passed_over_by)`;
  if (direction === 'undo') return reopen(db, importId, decided);
  return changeRows(db)`
    update proposals set decided_at = clock_timestamp(),
      state = case when taken_by = ${command} then 'taken' else 'dismissed' end
    where import_id = ${importId} and state = 'open' and ${decided}`;
}

/**
 * Reopens decided proposals: for a source in `replacingSources`, only the newest for a field, and none while a newer
 * one is open. Deletes taken proposals that it does not reopen. Returns the number of reopened proposals.
 */
function reopen(db: Db, importId: string, decided: RawBuilder<unknown>): Promise<number> {
  const isReplacing = sql`source in (${sql.join(replacingSources.map((source) => sql.lit(source)))})`;
  const kind = sql`case when ${isReplacing} then source else id::text end`;
  return queryValue<number>(db)`
    with undone as materialized (
      select id, byte_from, field, ${kind} as kind, state, ${isReplacing} and exists (
        select 1 from proposals newer
        where newer.import_id = decided.import_id and newer.byte_from = decided.byte_from
          and newer.field = decided.field and newer.source = decided.source and newer.state = 'open'
      ) as is_replaced
      from proposals decided
      where import_id = ${importId} and state <> 'open' and ${decided}
    ), newest as materialized (
      select distinct on (byte_from, field, kind) id from undone where not is_replaced
      order by byte_from, field, kind, id desc
    ), reopened as (
      update proposals set state = 'open', decided_at = clock_timestamp() where id in (select id from newest) returning id
    ), removed as (
      delete from proposals where id in (select id from undone where state = 'taken' except select id from newest)
    )
    select count(*)::int as count from reopened`;
}

function pairsOf(cells: readonly CellOf[]) {
  const pairs = cells.map((cell) => ({
    byteFrom: 'byteFrom' in cell ? cell.byteFrom : cell.byte_from,
    field: cell.field,
  }));
  return sql`select * from ${unnestRows('cells', pairs, { byteFrom: 'bigint', field: 'text' })}`;
}
