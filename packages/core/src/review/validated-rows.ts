import { isDeepStrictEqual } from 'node:util';
import {
  furtherValuesColumn,
  type StoredValues,
  sizeColumns,
  valueColumns,
} from '@draftshelf/domain/review/stored-values';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { runWithoutNestedLoops } from '../connection/planner.ts';
import type { RowRecord } from '../connection/schema.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import type { RunOfRows } from '../work/runs.ts';

const [texts, sizes] = [Object.values(valueColumns), Object.values(sizeColumns)];
export const storedColumns: readonly (keyof StoredValues)[] = [...texts, ...sizes, furtherValuesColumn];

export const validatedColumns = {
  issues: 'bigint',
  class: 'text',
  price: 'text',
  gtin: 'text',
  search: 'text',
  options: 'text[]',
  sources: 'json',
  [furtherValuesColumn]: 'json',
  ...(Object.fromEntries(texts.map((column) => [column, 'text'])) as Record<(typeof texts)[number], 'text'>),
  ...(Object.fromEntries(sizes.map((column) => [column, 'float8'])) as Record<
    (typeof sizes)[number],
    'float8'
  >),
} as const;

const updatedColumns = { ...validatedColumns, is_first: 'boolean' } as const;
type UpdatedColumn = keyof typeof updatedColumns;

export type RowValidation = Pick<RowRecord, 'row' | keyof typeof validatedColumns>;

type Changed<Column extends UpdatedColumn> = Pick<RowRecord, 'row' | Column>;

/** The maximum number of rows that are looked up one by one. */
const lookedUpMax = 50;

/** Updates columns by one statement. Avoids nested loops, which would compare all rows if a run has no statistics. */
export async function updateColumns<Column extends UpdatedColumn>(
  db: Db,
  of: RunOfRows,
  rows: readonly Changed<Column>[],
  columns: readonly Column[],
): Promise<void> {
  if (rows.length === 0) return;
  const numbers = rows.map(({ row }) => row);
  const types = Object.fromEntries(columns.map((column) => [column, updatedColumns[column]]));
  const set = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`changed.${column}`)}`);
  const update = () =>
    sql`
      update rows set ${sql.join(set)}
      from ${unnestRows('changed', rows as readonly Record<string, RowRecord[Column]>[], { row: 'int', ...types })}
      where rows.import_id = ${of.import_id} and rows.run = ${of.run} and rows.row = any(${numbers}::int[])
        and rows.row = changed.row`.execute(db);
  await (rows.length > lookedUpMax ? runWithoutNestedLoops(db, update) : update());
}

type RowPair<Column extends UpdatedColumn> = { before: Changed<Column>; after: Changed<Column> };

/** Updates the rows in which a column differs. Writes all columns that differ in at least one row. */
export async function updateDifferingRows<Column extends UpdatedColumn>(
  db: Db,
  of: RunOfRows,
  rows: readonly RowPair<Column>[],
  columns: readonly Column[],
): Promise<void> {
  const differs = ({ before, after }: RowPair<Column>, column: Column) =>
    before[column] !== after[column] && !isDeepStrictEqual(before[column], after[column]);
  const changed = columns.filter((column) => rows.some((row) => differs(row, column)));
  const updated = rows.flatMap((row) => (changed.some((column) => differs(row, column)) ? row.after : []));
  await updateColumns(db, of, updated, changed);
}

export const updateValidations = (
  db: Db,
  of: RunOfRows,
  rows: readonly { before: RowValidation; after: RowValidation }[],
): Promise<void> =>
  updateDifferingRows(db, of, rows, Object.keys(validatedColumns) as (keyof typeof validatedColumns)[]);
