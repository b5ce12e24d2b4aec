import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { withoutNestedLoops } from '../connection/planner.ts';
import type { RowRecord } from '../connection/schema.ts';
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
  const types = Object.fromEntries(columns.map((column) => [column, validatedColumns[column]]));
  const set = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`changed.${column}`)}`);
  await withoutNestedLoops(db, () =>
    sql`
      update rows set ${sql.join(set)}
      from ${unnestRows('changed', rows as readonly Record<string, RowRecord[Column]>[], { row: 'int', ...types })}
      where rows.import_id = ${of.import_id} and rows.run = ${of.run} and rows.row = any(${numbers}::int[])
        and rows.row = changed.row`.execute(db),
  );
}

/** Updates what a validation writes. */
export const updateValidated = (db: Db, of: RunOfRows, rows: readonly Validated[]): Promise<void> =>
  updateColumns(db, of, rows, Object.keys(validatedColumns) as (keyof typeof validatedColumns)[]);
