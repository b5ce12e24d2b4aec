import { sql } from 'kysely';
import type { Db } from './connect.ts';
import type { RunOfRows } from './runs.ts';

/** Counts products and their classes anew from the rows of a run; a product's class is its worst row's. */
export async function recount(db: Db, { import_id, run }: RunOfRows): Promise<void> {
  await sql`
    with products as (
      select bool_or(class = 'error') as any_error, bool_or(class = 'warning') as any_warning
      from rows where import_id = ${import_id} and run = ${run} and ignored is null group by product
    ), counted as (
      select count(*)::int as total, count(*) filter (where any_error)::int as errors,
        count(*) filter (where any_warning and not any_error)::int as warnings
      from products
    )
    update imports set total_products = total, processed_products = total, error_products = errors,
      warning_products = warnings, valid_products = total - errors - warnings, version = nextval('import_version')
    from counted where id = ${import_id}`.execute(db);
}
