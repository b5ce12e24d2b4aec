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
} as const;

export type Validated = Pick<RowRecord, 'row' | keyof typeof validatedColumns>;

const assignments = sql.join(
  Object.keys(validatedColumns).map((column) => sql`${sql.ref(column)} = ${sql.ref(`changed.${column}`)}`),
);

/**
 * Updates the typed columns of rows with one statement. The rows of a fresh run have no statistics yet, so the planner
 * would join by nested loops and compare every row with every other one.
 */
export async function updateValidated(db: Db, of: RunOfRows, rows: readonly Validated[]): Promise<void> {
  if (rows.length === 0) return;
  const numbers = rows.map(({ row }) => row);
  await withoutNestedLoops(db, () =>
    sql`
      update rows set ${assignments}
      from ${unnestRows('changed', rows, { row: 'int', ...validatedColumns })}
      where rows.import_id = ${of.import_id} and rows.run = ${of.run} and rows.row = any(${numbers}::int[])
        and rows.row = changed.row`.execute(db),
  );
}
