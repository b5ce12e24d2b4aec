import type { CanonicalField, RowValues } from '@draftshelf/domain/base/canonical-fields';
import { scannerSource } from '@draftshelf/domain/enrich/sources';
import type { StoredValues } from '@draftshelf/domain/review/stored-values';
import type { ValidatedRow } from '@draftshelf/domain/review/validate-row';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { changeRows, findRow, hasRows, queryRows, queryValue } from '../connection/query-rows.ts';
import type { AddedRowRecord, ImportRecord } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { validatedColumns } from '../review/validated-rows.ts';
import { belongsToRun, type RunOfRows } from '../work/runs.ts';

/** Sequence of the chunk of added rows, after the file's chunks. This chunk stores only their row range. */
export const addedRowsSequence = 2_147_483_647;

/** Returns the offset of an added row. The offset is negative, so that it differs from every offset in a file. */
export const getAddedRowOffset = ({ ordinal }: Pick<AddedRowRecord, 'ordinal'>): number => -ordinal;

/** Returns whether the run lacks an added row or a change of a product. */
export const isRunOutdated = (db: Db, of: RunOfRows) =>
  queryValue<boolean>(db)`
    select (select count(*) from added_rows where import_id = ${of.import_id})
        > coalesce((select sum(chunks.rows) from chunks where ${ofAdded(of)}), 0)
      or exists (
        select 1 from added_rows join scanned_products on scanned_products.id = product_id
        where import_id = ${of.import_id} and scanned_products.version > added_rows.version) as behind`;

const ofAdded = (of: RunOfRows) =>
  sql<boolean>`${belongsToRun({ ...of, stage: 'parse' })} and sequence = ${sql.lit(addedRowsSequence)}`;

/** `left` has the values that have no column. */
export type StoredAddedRow = {
  row: number;
  product: number;
  byte_from: number;
  cells: string[];
  left: RowValues;
};

/** Reads the added rows of a run, by offset. */
export async function readStoredAddedRows(
  db: Db,
  of: RunOfRows,
  added: readonly Pick<AddedRowRecord, 'ordinal'>[],
): Promise<Map<number, StoredAddedRow>> {
  const rows = await queryRows<Omit<StoredAddedRow, 'left'> & { left: RowValues | null }>(db)`
    select rows.row, rows.product, rows.byte_from, rows.cells, (
      select json_object_agg(field, value) from found_values found
      where found.import_id = rows.import_id and found.run = rows.run and found.row = rows.row
        and source = ${scannerSource}) as left
    from (select first_row, chunks.rows from chunks where ${ofAdded(of)}) bound
    join rows on rows.import_id = ${of.import_id} and rows.run = ${of.run}
      and rows.row >= bound.first_row and rows.row < bound.first_row + bound.rows
    where rows.byte_from = any(${added.map(getAddedRowOffset)}::bigint[])`;
  return new Map(rows.map(({ left, ...row }) => [row.byte_from, { ...row, left: left ?? {} }]));
}

export type NewAddedRow = StoredAddedRow &
  ValidatedRow &
  StoredValues & { ownId: string; search: string; options: string[] | null };

const newColumns = {
  row: 'int',
  product: 'int',
  byte_from: 'bigint',
  ...validatedColumns,
  cells: 'text',
  ownId: 'text',
} as const;

/** Appends rows to a run, numbered in order. Each row is a product of its own. */
export async function insertAddedRows(db: Db, of: RunOfRows, rows: readonly NewAddedRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const written = rows.map(({ left: _, ...row }) => ({
    ...row,
    sources: null,
    cells: storableJson(row.cells),
  }));
  const columns = sql.join(Object.keys(validatedColumns).map((column) => sql.ref(column)));
  await sql`
    insert into rows (import_id, run, line, is_first, enrichable, row, product, byte_from, cells, own_id, ${columns})
    select ${of.import_id}, ${of.run}, 0, true, gtin is not null and (image is null or vendor is null), row, product,
      byte_from, cells::json, own_id, ${columns}
    from ${unnestRows('added', written, newColumns)}`.execute(db);
  await storeLeft(db, of, rows);
  await extendChunk(db, of, { row: first.row, product: first.product, rows: rows.length });
}

async function extendChunk(
  db: Db,
  of: RunOfRows,
  { row, product, rows }: { row: number; product: number; rows: number },
): Promise<void> {
  const isExtended = await hasRows(db)`
    update chunks set rows = rows + ${rows}, products = products + ${rows} where ${ofAdded(of)} returning id`;
  if (isExtended) return;
  await sql`
    insert into chunks
      (import_id, run, stage, kind, state, sequence, ended_at, first_row, rows, first_product, products)
    values (${of.import_id}, ${of.run}, 'parse', 'work', 'done', ${addedRowsSequence}, now(), ${row}, ${rows}, ${product},
      ${rows})`.execute(db);
}

/** Replaces cells of added rows, and their values without a column. Columns with typed values are not changed. */
export async function replaceAddedCells(
  db: Db,
  of: RunOfRows,
  rows: readonly Pick<StoredAddedRow, 'row' | 'cells' | 'left'>[],
): Promise<void> {
  if (rows.length === 0) return;
  const written = rows.map(({ row, cells }) => ({ row, cells: storableJson(cells) }));
  await sql`
    update rows set cells = changed.cells::json
    from ${unnestRows('changed', written, { row: 'int', cells: 'text' })}
    where rows.import_id = ${of.import_id} and rows.run = ${of.run} and rows.row = changed.row`.execute(db);
  await sql`
    delete from found_values
    where import_id = ${of.import_id} and run = ${of.run} and source = ${scannerSource}
      and row = any(${rows.map(({ row }) => row)}::int[])`.execute(db);
  await storeLeft(db, of, rows);
}

/** Stores values without a column. They replace values that look-ups found. */
async function storeLeft(db: Db, of: RunOfRows, rows: readonly Pick<StoredAddedRow, 'row' | 'left'>[]) {
  const left = rows.flatMap(({ row, left }) =>
    (Object.entries(left) as [CanonicalField, string][]).map(([field, value]) => ({ row, field, value })),
  );
  if (left.length === 0) return;
  await changeRows(db)`
    insert into found_values (import_id, run, row, field, value, source)
    select ${of.import_id}, ${of.run}, left_over.*, ${scannerSource}
    from ${unnestRows('left_over', left, { row: 'int', field: 'text', value: 'text' })}
    on conflict (import_id, run, row, field) do update
      set value = excluded.value, source = excluded.source, gtin = null, attribution = null, found_at = now()`;
}

type PlacedRow = Pick<ImportRecord, 'id' | 'rows_run'> & Pick<AddedRowRecord, 'ordinal'>;

/** Finds a product's newest row in imports that are neither cancelled nor being read for the first time. */
export const findNewestRow = (db: Db, productId: string) =>
  findRow<PlacedRow>(db)`
    select imports.id, imports.rows_run, added_rows.ordinal
    from added_rows
    join imports on imports.id = added_rows.import_id and imports.status <> 'cancelled'
    join chunks on chunks.import_id = imports.id and chunks.stage = 'parse' and chunks.run = imports.rows_run
      and chunks.sequence = ${sql.lit(addedRowsSequence)}
    join rows on rows.import_id = imports.id and rows.run = imports.rows_run
      and rows.row >= chunks.first_row and rows.row < chunks.first_row + chunks.rows
      and rows.byte_from = -added_rows.ordinal
    where added_rows.product_id = ${productId}
    order by added_rows.added_at desc limit 1`;
