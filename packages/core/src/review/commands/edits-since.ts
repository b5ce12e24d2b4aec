import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { hasRows, queryValue } from '../../connection/query-rows.ts';
import type { RunOfRows } from '../../work/runs.ts';

/** Edits with ids above `after`. Edits up to `unsureUntil` may have been made before or after their rows were read. */
export type EditRange = { after: number; unsureUntil: number };

/**
 * SQL query: cells whose values differ from those before the edits in `since`. An edit with a null `after` is an undo:
 * the old value applies, unless an earlier edit is in effect. A cell with an edit up to `unsureUntil` always counts.
 */
export const cellsWithOtherValues = (since: RawBuilder<unknown>, unsureUntil: number) => sql`
  select byte_from, field from (
    select distinct on (byte_from, field) import_id, byte_from, field, after, first_value(id) over cell as first_edit,
      first_value(before) over cell as read
    from ${since} since window cell as (partition by import_id, byte_from, field order by id)
    order by byte_from, field, id desc
  ) latest
  where first_edit <= ${unsureUntil} or case when after is not null then after is distinct from read else (
    select earlier.after from edits earlier where earlier.import_id = latest.import_id
      and earlier.byte_from = latest.byte_from and earlier.field = latest.field and earlier.id < first_edit
    order by earlier.id desc limit 1) is not null end`;

const countedEditsMax = 10_000;

/** Counts rows whose values differ from those before the edits. From 10,000 edits on, undone edits count too. */
export const countRowsEditedSince = (db: Db, importId: string, since: EditRange) =>
  queryValue<number>(db)`
    with newer as materialized (
      select * from edits where import_id = ${importId} and id > ${since.after} limit ${countedEditsMax}
    )
    select count(distinct byte_from)::int as edited from newer
    where (select count(*) from newer) = ${countedEditsMax}
      or (byte_from, field) in (${cellsWithOtherValues(sql`newer`, since.unsureUntil)})`;

/**
 * Counts the current rows whose values differ from those when their product's latest outcome was decided. Reads at
 * most 10,000 edits; at that limit, undone edits count too. No re-read may have happened since edit `after`. Without
 * `offset 0`, the planner, which has no statistics of a fresh run, would read all rows of the run.
 */
export const countRowsEditedAfterPush = (db: Db, of: RunOfRows, after: number) =>
  queryValue<number>(db)`
    with newer as materialized (
      select * from edits where import_id = ${of.import_id} and id > ${after} limit ${countedEditsMax}
    ), decided as materialized (
      select newer.* from newer cross join lateral (
        select product from rows where import_id = ${of.import_id} and run = ${of.run} and rows.row = newer.row offset 0
      ) place cross join lateral (
        select decided_at from outcomes
        where import_id = ${of.import_id} and rows_run = ${of.run} and outcomes.product = place.product offset 0
      ) outcome
      where newer.edited_at > decided_at
    )
    select count(distinct byte_from)::int as edited from decided
    where (select count(*) from newer) = ${countedEditsMax}
      or (byte_from, field) in (${cellsWithOtherValues(sql`decided`, 0)})`;

/**
 * Returns whether any product has values that differ from those when its latest outcome was decided. From 10,000 edits
 * on, undone edits count too. Finds rows by offset, because a re-read may have renumbered them. Usually no edit is
 * later than the earliest outcome, and then no row is read.
 */
export const wasEditedAfterPush = (db: Db, importId: string, after: number) =>
  hasRows(db)`
    with late as materialized (
      select * from edits
      where import_id = ${importId} and id > ${after}
        and edited_at > (
          select min(decided_at) from outcomes join imports on imports.id = import_id and imports.rows_run = outcomes.rows_run
          where import_id = ${importId})
    ), decided as materialized (
      select late.* from late
      join imports on imports.id = ${importId}
      join rows on rows.import_id = imports.id and rows.run = imports.rows_run and rows.byte_from = late.byte_from
      join outcomes on outcomes.import_id = imports.id and outcomes.rows_run = imports.rows_run
        and outcomes.product = rows.product
      where late.edited_at > outcomes.decided_at
      limit ${countedEditsMax}
    )
    select 1 where (select count(*) from decided) = ${countedEditsMax}
      or exists (${cellsWithOtherValues(sql`decided`, 0)})`;
