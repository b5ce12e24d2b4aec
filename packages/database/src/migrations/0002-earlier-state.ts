import { type Kysely, sql } from 'kysely';

/**
 * A re-read keeps the whole state that its import is to return to, where the first schema kept the status alone; and an
 * import can count its rows' offsets in what another one of the same bytes has scanned.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table runs add column earlier json;
    alter table imports add column offsets_in text`.execute(db);
  await keepWhatIsKnown(db);
  await sql`alter table runs drop column earlier_status`.execute(db);
}

/**
 * For re-reads under way, whose earlier counts have been overwritten: counted anew from the rows that are shown. A
 * status of `failed` was one of the enrichment, since a reading that fails has no rows to show.
 */
async function keepWhatIsKnown(db: Kysely<unknown>): Promise<void> {
  await sql`
    with under_way as (
      select imports.*, earlier_status from imports
      join runs on runs.import_id = imports.id and runs.stage = 'parse' and runs.run = imports.parse_run
      where parse_run <> rows_run and earlier_status is not null and imports.status in ('processing', 'paused')
    ), products as (
      select import_id, product, bool_or(rows.class = 'error') as any_error,
        bool_or(rows.class = 'warning') as any_warning
      from under_way join rows on rows.import_id = under_way.id and rows.run = under_way.rows_run
      where ignored is null group by 1, 2
    ), counted as (
      select import_id, count(*) as products, count(*) filter (where any_error) as errors,
        count(*) filter (where any_warning and not any_error) as warnings
      from products group by 1
    ), numbered as (
      select import_id, count(*) as rows, max(product) as products, count(*) filter (where enrichable) as enrichable
      from under_way join rows on rows.import_id = under_way.id and rows.run = under_way.rows_run group by 1
    )
    update runs set earlier = json_build_object(
      'status', under_way.earlier_status,
      'last_edit', (select coalesce(max(edits.id), 0) from edits where edits.import_id = under_way.id),
      'columns', json_build_object(
        'stage', case under_way.earlier_status when 'completed' then 'push' when 'failed' then 'enrich'
          else 'parse' end,
        'parse_run', rows_run, 'open_chunks', 0, 'total_rows', coalesce(numbered.rows, 0),
        'total_products', coalesce(counted.products, 0), 'product_numbers', coalesce(numbered.products, 0),
        'parsed_rows', coalesce(numbered.rows, 0), 'processed_products', coalesce(counted.products, 0),
        'valid_products', coalesce(counted.products - errors - warnings, 0),
        'warning_products', coalesce(warnings, 0), 'error_products', coalesce(errors, 0),
        'enrich_rows', coalesce(enrichable, 0),
        'enriched_rows', case under_way.earlier_status when 'failed' then 0 else coalesce(enrichable, 0) end,
        'marked_ready', false, 'failed_in', case under_way.earlier_status when 'failed' then 'enrich' end,
        'error_message', null, 'error_log', '[]'::json, 'error_count', 0,
        'started_at', under_way.created_at, 'completed_at', under_way.started_at))
    from under_way
    left join counted on counted.import_id = under_way.id
    left join numbered on numbered.import_id = under_way.id
    where runs.import_id = under_way.id and runs.stage = 'parse' and runs.run = under_way.parse_run`.execute(
    db,
  );
}
