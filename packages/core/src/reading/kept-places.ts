import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow, queryValue } from '../connection/query-rows.ts';
import type { DeletedImportsTable, ImportRecord } from '../connection/schema.ts';
import { ownOrItemId } from '../imports/our-id.ts';
import type { RunOfRows } from '../work/runs.ts';

/** Rows removed per transaction. With more, vacuum would wait longer, and a killed worker would lose more work. */
export const removedRowsMax = 20_000;
/** Rows per block of kept places. Compressed, a place takes a few bytes, about a hundredth of its row. */
const rowsPerBlock = sql.lit(1024);

/**
 * Removes the next rows of a run and keeps their places and ids by the same statement, so that each row of the file is
 * either in `rows` or in `kept_places`. Deletes a range of rows: without statistics of a fresh run, the join with a
 * list of rows took minutes. Returns the number of removed rows.
 */
export const replaceRowsByPlaces = (db: Db, { import_id, run }: RunOfRows) =>
  queryValue<number>(db)`
    with removed as (
      delete from rows where import_id = ${import_id} and run = ${run} and row <= (
        select max(row) from (
          select row from rows where import_id = ${import_id} and run = ${run} order by row limit ${removedRowsMax}
        ) next)
      returning row, line, byte_from, ${ownOrItemId} as own_id
    ), kept as (
      insert into kept_places (import_id, run, block, rows, lines, offsets, own_ids)
      select ${import_id}, ${run}, row / ${rowsPerBlock}, array_agg(row order by row),
        array_agg(line order by row), array_agg(byte_from order by row),
        case when count(own_id) > 0 then array_agg(own_id order by row) end
      from removed where line > 0 group by row / ${rowsPerBlock}
      on conflict (import_id, run, block) do update set rows = kept_places.rows || excluded.rows,
        lines = kept_places.lines || excluded.lines, offsets = kept_places.offsets || excluded.offsets,
        own_ids = case when num_nulls(kept_places.own_ids, excluded.own_ids) < 2 then
          coalesce(kept_places.own_ids, array_fill(null::text, array[cardinality(kept_places.rows)]))
            || coalesce(excluded.own_ids, array_fill(null::text, array[cardinality(excluded.rows)])) end
    )
    select count(*)::int as removed from removed`;

/** SQL query: row, line, byte_from and own_id of a run's removed rows, for the blocks that meet a condition. */
export const keptPlaces = ({ import_id, run }: RunOfRows, which: RawBuilder<unknown>) => sql`
  select place.row, place.line, place.byte_from, place.own_id from kept_places
  cross join lateral unnest(rows, lines, offsets, own_ids) as place (row, line, byte_from, own_id)
  where import_id = ${import_id} and run = ${run} and ${which}`;

/** SQL condition: a block of kept places has rows from `first` to `last`, both included. */
export const hasRowsBetween = (first: number, last: number) =>
  sql`block between ${first}::int / ${rowsPerBlock} and ${last}::int / ${rowsPerBlock}`;

/** Finds the deleted import of these bytes with the most rows, because a test import has only the first rows. */
export const findDeletedImport = (db: Db, sha256: string) =>
  findRow<Pick<DeletedImportsTable, 'id' | 'run' | 'scanned_in' | 'counted_in'>>(db)`
    select id, run, scanned_in, counted_in from deleted_imports where sha256 = ${sha256}
    order by total_rows desc, deleted_at desc limit 1`;

/** Stores an import that is being deleted, so that its kept places can be found by the hash of its file. */
export async function insertDeletedImport(
  db: Db,
  { id, sha256, rows_run, total_rows }: Pick<ImportRecord, 'id' | 'sha256' | 'rows_run' | 'total_rows'>,
  read: { scannedIn: string; countedIn: string },
): Promise<void> {
  await sql`
    insert into deleted_imports (id, sha256, run, total_rows, scanned_in, counted_in)
    values (${id}, ${sha256}, ${rows_run}, ${total_rows}, ${read.scannedIn}, ${read.countedIn})`.execute(db);
}
