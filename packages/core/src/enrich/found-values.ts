import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { ruleSource } from '@draftshelf/domain/enrich/sources';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows, queryValues } from '../connection/query-rows.ts';
import type { FoundValuesTable, ImportRecord } from '../connection/schema.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import type { RunOfRows } from '../work/runs.ts';
import { lockSourcesShared } from './sources.ts';

export type FoundValue = {
  row: number;
  field: CanonicalField;
  value: string;
  source: string;
  /** The GTIN by which the value was found. Undefined if the value comes from the row itself. */
  gtin?: string;
  attribution?: string | null;
};

const foundColumns = {
  row: 'int',
  field: 'text',
  value: 'text',
  source: 'text',
  gtin: 'text',
  attribution: 'text',
} as const;

/** Stores values found for rows of a run. Existing values are kept. */
export async function insertFoundValues(db: Db, of: RunOfRows, found: readonly FoundValue[]): Promise<void> {
  if (found.length === 0) return;
  const rows = found.map((value) => ({ gtin: null, attribution: null, ...value }));
  await sql`
    insert into found_values (import_id, run, row, field, value, source, gtin, attribution)
    select ${of.import_id}, ${of.run}, found.* from ${unnestRows('found', rows, foundColumns)}
    on conflict do nothing`.execute(db);
}

export type FoundDetail = Pick<
  Selectable<FoundValuesTable>,
  'row' | 'field' | 'value' | 'source' | 'attribution' | 'found_at'
>;

/** Reads the found values and the accepted proposals of some rows. */
export const readFoundDetails = (db: Db, of: RunOfRows, rows: readonly number[]) =>
  queryRows<FoundDetail>(db)`
    select row, field, value, source, attribution, found_at from found_values
    where import_id = ${of.import_id} and run = ${of.run} and row = any(${rows}::int[])
    union all
    select row, field, value, source, attribution, found_at from proposals
    where import_id = ${of.import_id} and state = 'taken' and row = any(${rows}::int[])`;

/**
 * Removes values found by a GTIN that the product no longer has, and returns the rows of these values. Searches row by
 * row: a new run has no statistics yet, so the planner would read all found values of the import.
 */
export async function removeStaleFoundValues(
  db: Db,
  of: RunOfRows,
  current: readonly { row: number; gtin: string | null }[],
): Promise<number[]> {
  await lockSourcesShared(db);
  return queryValues<number>(db)`
    delete from found_values where ctid = any(array(
      select of_row.ctid from ${unnestRows('now_is', current, { row: 'int', gtin: 'text' })} cross join lateral (
        select ctid, gtin from found_values
        where import_id = ${of.import_id} and run = ${of.run} and found_values.row = now_is.row
        offset 0
      ) of_row
      where of_row.gtin is not null and of_row.gtin is distinct from now_is.gtin))
    returning row`;
}

/** Removes the values found by some sources from all imports. Returns the changed imports. */
export const removeValuesOfSources = (db: Db, sources: readonly string[]) =>
  queryRows<Pick<ImportRecord, 'id' | 'rows_run' | 'total_rows'>>(db)`
    with removed as (
      delete from found_values where source = any(${sources}::text[]) and gtin is not null returning import_id
    )
    select id, rows_run, total_rows from import_records where id in (select import_id from removed) order by id`;

export type EnrichableRow = { row: number; cells: string[]; vendor: string | null; image: string | null };

/** Reads the rows of a range in which enrichment could find a missing value, with their original cells. */
export const readEnrichableRows = (db: Db, of: RunOfRows, range: { firstRow: number; rows: number }) =>
  queryRows<EnrichableRow>(db)`
    select row, cells, vendor, image from rows
    where import_id = ${of.import_id} and run = ${of.run} and enrichable
      and row >= ${range.firstRow} and row < ${range.firstRow + range.rows}
    order by row`;

const enrichRowsPerChunk = 5_000;

/** A range of rows for one enrich chunk. `enrichable`: the number of its rows in which enrichment may fill a field. */
export type EnrichRange = { first_row: number; rows: number; enrichable: number };

/** Reads the row ranges of a run in which enrichment could find missing values. */
export const readEnrichRanges = (db: Db, { import_id, run }: RunOfRows) =>
  queryRows<EnrichRange>(db)`
    select min(row) as first_row, max(row) - min(row) + 1 as rows, count(*)::int as enrichable
    from rows where import_id = ${import_id} and run = ${run} and enrichable
    group by row / ${sql.lit(enrichRowsPerChunk)} order by 1`;

/** Returns ranges that cover all rows of a run, for an import whose products are looked up. */
export function splitIntoEnrichRanges(totalRows: number): EnrichRange[] {
  return Array.from({ length: Math.ceil(totalRows / enrichRowsPerChunk) }, (_, at) => {
    const first_row = at * enrichRowsPerChunk + 1;
    const rows = Math.min(enrichRowsPerChunk, totalRows - first_row + 1);
    return { first_row, rows, enrichable: rows };
  });
}

/** A value that rules gave to the product whose first row is `row`. */
export type RuleValue = { row: number; field: string; value: string };

export const readRuleValues = (db: Db, of: RunOfRows, rows: readonly number[]) =>
  queryRows<RuleValue>(db)`
    select row, field, value from found_values
    where import_id = ${of.import_id} and run = ${of.run} and row = any(${rows}::int[]) and source = ${ruleSource}`;

export async function removeRuleValues(
  db: Db,
  of: RunOfRows,
  values: readonly Pick<RuleValue, 'row' | 'field'>[],
): Promise<void> {
  if (values.length === 0) return;
  await sql`
    delete from found_values using ${unnestRows('gone', values, { row: 'int', field: 'text' })}
    where import_id = ${of.import_id} and run = ${of.run} and source = ${ruleSource}
      and found_values.row = gone.row and found_values.field = gone.field`.execute(db);
}
