import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { withoutNestedLoops } from '../connection/planner.ts';
import type { RowRecord } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import type { RunOfRows } from '../work/runs.ts';

/** The columns that a validation writes, by a row's effective values. */
export const validatedColumns = {
  issues: 'bigint',
  class: 'text',
  title: 'text',
  price: 'text',
  sku: 'text',
  gtin: 'text',
  vendor: 'text',
  image: 'text',
  search: 'text',
  others: 'text[]',
  sizes: 'float8[]',
  options: 'text[]',
  sources: 'json',
} as const;

export type Validated = Pick<RowRecord, 'row' | keyof typeof validatedColumns>;

/** A row with new values of some of its columns. */
type Changed<Column extends keyof typeof validatedColumns> = Pick<RowRecord, 'row' | Column>;

/**
 * Updates columns of rows with one statement. The rows of a fresh run have no statistics yet, so the planner would join
 * by nested loops and compare every row with every other one.
 */
export async function updateColumns<Column extends keyof typeof validatedColumns>(
  db: Db,
  of: RunOfRows,
  rows: readonly Changed<Column>[],
  columns: readonly Column[],
): Promise<void> {
  if (rows.length === 0) return;
  const numbers = rows.map(({ row }) => row);
  const set = columns.map((column) => sql`${sql.ref(column)} = ${validatedColumn('changed', column)}`);
  await withoutNestedLoops(db, () =>
    sql`
      update rows set ${sql.join(set)}
      from ${unnestRows('changed', rows.map(asTexts), { row: 'int', ...typesOf(columns) })}
      where rows.import_id = ${of.import_id} and rows.run = ${of.run} and rows.row = any(${numbers}::int[])
        and rows.row = changed.row`.execute(db),
  );
}

type Column = keyof typeof validatedColumns;

/** The types of columns as `unnestRows` passes them: arrays and JSON as texts. */
export const typesOf = <C extends Column>(columns: readonly C[]) =>
  Object.fromEntries(
    columns.map((column) => {
      const type = validatedColumns[column];
      return [column, type === 'bigint' ? type : 'text'];
    }),
  ) as Record<C, 'bigint' | 'text'>;

/** SQL value: a column of such a table of rows. */
export const validatedColumn = (table: string, column: Column): RawBuilder<unknown> =>
  sql`${sql.ref(`${table}.${column}`)}::${sql.raw(validatedColumns[column])}`;

/** Rows as `unnestRows` takes them. */
export const asTexts = <R extends object>(row: R): Record<string, string | number | null> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (Array.isArray(value)) return [name, arrayText(value)];
      return [name, typeof value === 'object' && value !== null ? storableJson(value) : value];
    }),
  );

/** An array as Postgres reads it from a text, which holds no NUL. */
const arrayText = (values: readonly (string | number | null)[]): string =>
  `{${values.map(elementText).join(',')}}`;

const elementText = (value: string | number | null): string =>
  value === null ? 'NULL' : `"${String(value).replaceAll('\0', '\uFFFD').replace(/[\\"]/g, '\\$&')}"`;

/** Updates what a validation writes. */
export const updateValidated = (db: Db, of: RunOfRows, rows: readonly Validated[]): Promise<void> =>
  updateColumns(db, of, rows, Object.keys(validatedColumns) as (keyof typeof validatedColumns)[]);
