import { isSheet } from '@draftshelf/csv/dialect';
import { isTranscribed } from '@draftshelf/csv/encoding/encodings';
import type { Outcome } from '@draftshelf/domain/imports/outcome';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { runWithoutNestedLoops } from '../connection/planner.ts';
import { hasRows, queryRow, queryValue } from '../connection/query-rows.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { deriveOurIdInSql, ownOrItemId } from '../imports/our-id.ts';
import { type RunOfRows, readRunOverrides } from '../work/runs.ts';
import { hasRowsBetween, keptPlaces } from './kept-places.ts';

export type ScannedRun = RunOfRows & { scannedIn: string };

const itself = 'the file itself';
const sheets = 'sheets';

/** Returns a name for the bytes that a run scanned (file, transcript or packed file), or 'sheets' for any sheet. */
export async function nameScannedBytes(db: Db, of: RunOfRows): Promise<string> {
  const { dialect } = await readRunOverrides(db, of);
  if (isSheet(dialect)) return sheets;
  const bytes = isTranscribed(dialect.encoding) ? dialect.encoding : itself;
  return dialect.table ? `t${dialect.table.n}:${bytes}` : bytes;
}

/** Returns whether two runs scanned the same table, so that a row of one run may be a row of the other run. */
export const isSameTable = (one: string, other: string): boolean => tableIn(one) === tableIn(other);

const tableIn = (scanned: string) => (scanned === sheets ? sheets : (/^t\d+:/.exec(scanned)?.[0] ?? ''));

/** Returns whether a run's own offsets can be mixed with offsets that were counted in other bytes. */
export function canKeepOffsets(scanned: string, countedIn: string): boolean {
  if (scanned === countedIn || scanned === sheets) return true;
  return scanned.endsWith(`:${itself}`) && !isSameTable(scanned, countedIn);
}

const rowsPerBatch = 20_000;
/** A number larger than any row number, so that the made-up offsets of different runs never collide. */
const rowNumbers = sql.lit(2 ** 31);

/**
 * Gives the next rows after `at` the offsets of the same rows in an earlier run, even if those were removed. Rows
 * match by line if both runs scanned the same bytes, else by row number. Added rows, which have no line, do not match.
 * A row without an earlier row gets an offset that no byte has. Returns the last row of the batch.
 */
export async function carryOffsets(
  db: Db,
  { from, to, at }: { from: ScannedRun; to: RunOfRows; at: number },
): Promise<number> {
  const last = at + rowsPerBatch;
  const byLine = from.scannedIn === (await nameScannedBytes(db, to));
  const known = sql.ref(byLine ? 'line' : 'row');
  const within = byLine ? await rowsOnLines(db, from, to, { at, last }) : { first: at + 1, last };
  const blocks = byLine ? blocksOnLines(to, { at, last }) : hasRowsBetween(at + 1, last);
  await runWithoutNestedLoops(db, () =>
    sql`
      with earlier as materialized (
        select distinct on (${known}) ${known} as place, byte_from from (
          select row, line, byte_from from rows
          where import_id = ${from.import_id} and run = ${from.run} and row between ${within.first} and ${within.last}
            and line > 0
          union all
          select row, line, byte_from from (${keptPlaces(from, blocks)}) kept
        ) known
        order by ${known}, row
      ), placed as (
        select rows.row, earlier.byte_from from rows left join earlier on earlier.place = rows.${known}
        where import_id = ${to.import_id} and run = ${to.run} and row > ${at} and row <= ${last}
      )
      update rows set byte_from = coalesce(placed.byte_from, -(${to.run}::bigint * ${rowNumbers} + rows.row)) from placed
      where rows.import_id = ${to.import_id} and rows.run = ${to.run} and rows.row = placed.row
        and rows.row > ${at} and rows.row <= ${last}`.execute(db),
  );
  return last;
}

/** SQL condition: a block of kept places covers some lines of the run's rows after `at`, up to `last`. */
function blocksOnLines({ import_id, run }: RunOfRows, { at, last }: { at: number; last: number }) {
  const lines = sql`from rows
    where import_id = ${import_id} and run = ${run} and row > ${at} and row <= ${last}`;
  return sql`lines[1] <= (select max(line) ${lines}) and lines[cardinality(lines)] >= (select min(line) ${lines})`;
}

/** Returns the first and last row of the parse chunks of `from` that include the lines of some rows of `to`. */
async function rowsOnLines(db: Db, from: RunOfRows, to: RunOfRows, rows: { at: number; last: number }) {
  const { first, last } = await queryRow<{ first: number | null; last: number | null }>(db)`
    with lines as (
      select min(line) as first, max(line) as last from rows
      where import_id = ${to.import_id} and run = ${to.run} and row > ${rows.at} and row <= ${rows.last}
    )
    select max(first_row) filter (where first_line <= lines.first) as first,
      max(first_row + chunks.rows - 1) filter (where first_line <= lines.last) as last
    from chunks, lines
    where import_id = ${from.import_id} and stage = 'parse' and run = ${from.run}
      and kind = 'work'`;
  return { first: first ?? 1, last: last ?? 0 };
}

/** Returns whether an import shows a run's rows, or did so when it was deleted. Rows of other runs may be removed. */
export const isRunShown = (db: Db, { import_id, run }: RunOfRows) =>
  queryValue<boolean>(db)`
    select exists (select 1 from imports where id = ${import_id} and rows_run = ${run})
      or exists (select 1 from deleted_imports where id = ${import_id}
        and run = ${run}) as shows`;

const tableOfRun = (run: string) => sql`${sql.ref(`${run}.dialect`)}->'table'->>'n'`;

/** Returns the run whose outcomes a new run copies: the shown run, or the last run that read the same table. */
export const findRunOfOutcomes = (db: Db, record: ImportRecord, run: number) =>
  queryValue<number | null>(db)`
    select max(earlier.run) as run from runs earlier, runs shown, runs next
    where (earlier.import_id, earlier.stage) = (${record.id}, 'parse') and earlier.run < next.run
      and (shown.import_id, shown.stage, shown.run) = (${record.id}, 'parse', ${record.rows_run})
      and (next.import_id, next.stage, next.run) = (${record.id}, 'parse', ${run})
      and ${tableOfRun('earlier')} is not distinct from ${tableOfRun('next')}
      and (earlier.run = shown.run or ${tableOfRun('shown')} is distinct from ${tableOfRun('next')})
      and exists (
        select 1 from outcomes where outcomes.import_id = earlier.import_id
          and rows_run = earlier.run)`;

/** Returns whether a replaced run read another table than the shown run. If so, the run's outcomes are kept. */
export const hasReadOtherTable = (db: Db, { import_id, run }: RunOfRows) =>
  hasRows(db)`
    select from imports join runs shown on (shown.import_id, shown.stage, shown.run) = (imports.id, 'parse', rows_run)
      join runs replaced on (replaced.import_id, replaced.stage, replaced.run) = (imports.id, 'parse', ${run})
    where imports.id = ${import_id} and ${tableOfRun('replaced')} is distinct from ${tableOfRun('shown')}`;

export const hasOutcomes = (db: Db, of: RunOfRows) =>
  hasRows(db)`
    select 1 from outcomes where import_id = ${of.import_id} and rows_run = ${of.run} limit 1`;

/**
 * Copies outcomes to a new run, for the products that begin in the next rows after `at`. A product gets the outcome of
 * the earlier product that begins with the same row, which may have been pushed under the id of another import's
 * product. If the rows were removed, the outcome is found by our id. Returns the last row of the batch.
 */
export async function carryOutcomes(db: Db, record: ImportRecord, run: number, at: number): Promise<number> {
  const last = at + rowsPerBatch;
  const ofRun = sql`import_id = ${record.id} and run = ${run} and ignored is null and not joined`;
  const firstRows = sql`
    begun as (
      select coalesce(max(product), 0) as product from (
        select product from rows where ${ofRun} and row <= ${at} order by row desc limit 1
      ) before
    ), first_rows as (
      select distinct on (product) product, byte_from, ${ownOrItemId} as own_id from rows
      where ${ofRun} and row > ${at} and row <= ${last} and product > (select product from begun)
      order by product, row
    )`;
  const earlier = sql`outcomes.import_id = ${record.id} and outcomes.rows_run = ${record.rows_run}`;
  const copied = sql`
    insert into outcomes
      (import_id, rows_run, product, run, our_id, outcome, code, message, store_product_id, decided_at)
    select outcomes.import_id, ${run}, products.product, outcomes.run, outcomes.our_id, outcomes.outcome, outcomes.code,
      outcomes.message, outcomes.store_product_id, outcomes.decided_at
    from products join outcomes`;
  await runWithoutNestedLoops(db, () =>
    sql`
      with ${firstRows}, ${rowsAtOffsets(record)}, products as materialized (
        select first_rows.product, found.product as earlier_product
        from first_rows join found on found.byte_from = first_rows.byte_from
        where found.is_first
      )
      ${copied} on outcomes.product = products.earlier_product
      where ${earlier} and outcomes.product between (select min(earlier_product) from products)
        and (select max(earlier_product) from products)
      on conflict do nothing`.execute(db),
  );
  await sql`
    with ${firstRows}, products as (select product, ${deriveOurIdInSql(record)} as our_id from first_rows)
    ${copied} on outcomes.our_id = products.our_id where ${earlier}
    on conflict do nothing`.execute(db);
  return last;
}

/** SQL: the earlier rows, named `found`, at the offsets of `first_rows`, within the bounds of their parse chunks. */
function rowsAtOffsets(record: ImportRecord) {
  const ofEarlier = sql`import_id = ${record.id} and run = ${record.rows_run}`;
  return sql`
    bounds as (
      select first_row, first_row + rows - 1 as end_row, (
        select byte_from from rows where ${ofEarlier} and row >= first_row order by row limit 1
      ) as begins
      from chunks where ${ofEarlier} and stage = 'parse' and kind = 'work'
    ), range as materialized (
      select max(first_row) filter (where begins <= (select min(byte_from) from first_rows)) as first,
        max(end_row) filter (where begins <= (select max(byte_from) from first_rows)) as last
      from bounds
    ), found as (
      select byte_from, product, product is distinct from lag(product) over (order by row) as is_first from rows
      where ${ofEarlier} and row >= (select coalesce(first, 1) - 1 from range) and row <= (select last from range)
        and ignored is null and not joined
    )`;
}

export const countOutcomes = (db: Db, of: RunOfRows) =>
  queryRow<Record<Outcome, number>>(db)`
    select count(*) filter (where outcome = 'created')::int as created,
      count(*) filter (where outcome = 'updated')::int as updated,
      count(*) filter (where outcome = 'unchanged')::int as unchanged,
      count(*) filter (where outcome = 'skipped')::int as skipped,
      count(*) filter (where outcome = 'failed')::int as failed
    from outcomes where import_id = ${of.import_id} and rows_run = ${of.run}`;
