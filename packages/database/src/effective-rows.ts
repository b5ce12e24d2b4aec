import type { CanonicalField, RowValues } from '@draftshelf/domain/canonical-fields';
import { readRowValues } from '@draftshelf/domain/row-values';
import { sql } from 'kysely';
import type { Db } from './connect.ts';
import { readParseRun } from './runs.ts';
import type { ImportRecord, RowRecord } from './schema.ts';

export type EffectiveRow = RowRecord & {
  /** edit ?? found ?? parsed, by canonical field. */
  values: RowValues;
  sources: Partial<Record<CanonicalField, 'edit' | 'found'>>;
};

type RowsOf = Pick<ImportRecord, 'id' | 'rows_run'>;

/** The current rows of an import after row number `after`, at most `limit`, with their effective values. */
export async function readRowPage(
  db: Db,
  record: RowsOf,
  page: { after: number; limit: number },
): Promise<EffectiveRow[]> {
  const rows = await db
    .selectFrom('rows')
    .selectAll()
    .where('import_id', '=', record.id)
    .where('run', '=', record.rows_run)
    .where('row', '>', page.after)
    .orderBy('row')
    .limit(page.limit)
    .execute();
  return withEffectiveValues(db, record, rows);
}

/** Some current rows of an import with their effective values, by row number. */
export async function readRowsByNumber(
  db: Db,
  record: RowsOf,
  numbers: readonly number[],
): Promise<EffectiveRow[]> {
  const rows = await db
    .selectFrom('rows')
    .selectAll()
    .where('import_id', '=', record.id)
    .where('run', '=', record.rows_run)
    .where('row', '=', sql<number>`any(${numbers}::int[])`)
    .orderBy('row')
    .execute();
  return withEffectiveValues(db, record, rows);
}

/** One current row with its effective values, or undefined. */
export async function readRow(db: Db, record: RowsOf, row: number): Promise<EffectiveRow | undefined> {
  const [found] = await readRowPage(db, record, { after: row - 1, limit: 1 });
  return found?.row === row ? found : undefined;
}

/**
 * The rows of draft products `firstProduct` … `firstProduct + products - 1`, by row. Product numbers rise with row
 * numbers except where the settle joined rows, so the chunk borders of the parse run bound the search and no
 * index over all rows is needed.
 */
export async function readProductRows(
  db: Db,
  record: RowsOf,
  range: { firstProduct: number; products: number },
): Promise<EffectiveRow[]> {
  const last = range.firstProduct + range.products - 1;
  const { rows } = await sql<RowRecord>`
    with bounds as (
      select coalesce(min(first_row), 1) as first_row, coalesce(max(first_row + rows - 1), 0) as last_row
      from chunks
      where import_id = ${record.id} and stage = 'parse' and run = ${record.rows_run} and kind = 'work'
        and first_product <= ${last} and first_product + products > ${range.firstProduct}
    )
    select rows.* from rows, bounds
    where import_id = ${record.id} and run = ${record.rows_run} and row between bounds.first_row and bounds.last_row
      and product between ${range.firstProduct} and ${last} and not joined and ignored is null
    union all
    select rows.* from rows
    where import_id = ${record.id} and run = ${record.rows_run} and joined
      and product between ${range.firstProduct} and ${last} and ignored is null
    order by row`.execute(db);
  return withEffectiveValues(db, record, rows);
}

/** Adds the effective values to rows of one import and run. */
async function withEffectiveValues(
  db: Db,
  record: RowsOf,
  rows: readonly RowRecord[],
): Promise<EffectiveRow[]> {
  if (rows.length === 0) return [];
  const { mapping } = await readParseRun(db, record.id, record.rows_run);
  const overlay = await overlayOf(db, record, rows);
  return rows.map((row) => ({ ...row, ...overlay(row, readRowValues(row.cells, mapping)) }));
}

/** Reads what was found and edited for some rows; the answer lays it over a row's parsed values. */
export async function overlayOf(
  db: Db,
  record: RowsOf,
  rows: readonly Pick<RowRecord, 'row' | 'byte_from'>[],
): Promise<
  (row: Pick<RowRecord, 'row' | 'byte_from'>, parsed: RowValues) => Pick<EffectiveRow, 'values' | 'sources'>
> {
  const numbers = rows.map((row) => row.row);
  const found = await db
    .selectFrom('found_values')
    .select(['row', 'field', 'value'])
    .where('import_id', '=', record.id)
    .where('run', '=', record.rows_run)
    .where('row', '=', sql<number>`any(${numbers}::int[])`)
    .execute();
  const edits = await latestEdits(
    db,
    record.id,
    rows.map((row) => row.byte_from),
  );
  const foundByRow = Map.groupBy(found, (value) => value.row);
  const editsByByte = Map.groupBy(edits, (edit) => edit.byte_from);
  return (row, parsed) =>
    overlay(parsed, foundByRow.get(row.row) ?? [], editsByByte.get(row.byte_from) ?? []);
}

/** The edits that hold now: the latest per row and field, without those taken back. */
export async function latestEdits(
  db: Db,
  importId: string,
  bytesFrom: readonly number[],
): Promise<{ byte_from: number; row: number; field: string; after: string }[]> {
  const { rows } = await sql<{ byte_from: number; row: number; field: string; after: string }>`
    select byte_from, row, field, after from (
      select distinct on (byte_from, field) byte_from, row, field, after from edits
      where import_id = ${importId} and byte_from = any(${bytesFrom}::bigint[])
      order by byte_from, field, id desc
    ) latest where after is not null`.execute(db);
  return rows;
}

function overlay(
  parsed: RowValues,
  found: readonly { field: string; value: string }[],
  edits: readonly { field: string; after: string }[],
): Pick<EffectiveRow, 'values' | 'sources'> {
  const values = { ...parsed };
  const sources: EffectiveRow['sources'] = {};
  for (const { field, value } of found as { field: CanonicalField; value: string }[]) {
    if (values[field] !== undefined) continue;
    values[field] = value;
    sources[field] = 'found';
  }
  for (const { field, after } of edits as { field: CanonicalField; after: string }[]) {
    if (after === '') delete values[field];
    else values[field] = after;
    sources[field] = 'edit';
  }
  return { values, sources };
}
