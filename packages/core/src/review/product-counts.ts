import type { RowClass } from '@draftshelf/domain/review/row-rule';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { RunOfRows } from '../work/runs.ts';

/** Counts products by the class of their worst row. */
export async function countProducts(
  db: Db,
  { import_id, run }: RunOfRows,
): Promise<Record<RowClass | 'total', number>> {
  const { rows } = await sql<{ total: number; error: number; warning: number }>`
    with products as (
      select bool_or(class = 'error') as any_error, bool_or(class = 'warning') as any_warning
      from rows where import_id = ${import_id} and run = ${run} and ignored is null group by product
    )
    select count(*)::int as total, count(*) filter (where any_error)::int as error,
      count(*) filter (where any_warning and not any_error)::int as warning
    from products`.execute(db);
  const { total = 0, error = 0, warning = 0 } = rows[0] ?? {};
  return { total, error, warning, valid: total - error - warning };
}
