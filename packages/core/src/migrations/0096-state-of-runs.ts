import { type Kysely, sql } from 'kysely';

/** What a run has of its import. */
const columns = [
  ...['open_chunks', 'total_rows', 'total_products', 'product_numbers', 'parsed_rows', 'processed_products'],
  ...['valid_products', 'warning_products', 'error_products', 'enrich_rows', 'enriched_rows', 'marked_ready'],
  ...['failed_in', 'error_message', 'error_log', 'error_count', 'completed_at'],
];

/** The values of imports as those of runs. */
const set = ['import_stage = shown.stage', 'import_started_at = shown.started_at']
  .concat(columns.map((column) => `${column} = shown.${column}`))
  .join(', ');

/**
 * Counters, stage, causes and times of an import belong to its parse runs. While an import is read again, the run of
 * the rows that it shows has those of the snapshot. What finalize has counted for the import is added to its run.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table runs
      add column import_stage text not null default 'parse' check (import_stage in ('parse','enrich','push')), add column import_started_at timestamptz,
      add column open_chunks integer not null default 0 check (open_chunks >= 0), add column total_rows integer not null default 0,
      add column total_products integer not null default 0, add column product_numbers integer not null default 0,
      add column edits_without_row integer not null default 0, add column parsed_rows integer not null default 0,
      add column processed_products integer not null default 0, add column valid_products integer not null default 0,
      add column warning_products integer not null default 0, add column error_products integer not null default 0,
      add column enrich_rows integer not null default 0, add column enriched_rows integer not null default 0,
      add column marked_ready boolean not null default false, add column failed_in text check (failed_in in ('parse','enrich','push')),
      add column error_message text, add column error_log text[] not null default '{}',
      add column error_count integer not null default 0, add column completed_at timestamptz,
      add column status_before text, add column edit_before bigint;
    update runs set ${sql.raw(set)}, edits_without_row = shown.edits_without_row
    from imports shown where runs.import_id = shown.id and runs.stage = 'parse' and runs.run = shown.parse_run;
    update runs set ${sql.raw(set)}, edits_without_row = imports.edits_without_row
    from imports join runs reread on reread.import_id = imports.id and reread.stage = 'parse'
        and reread.run = imports.parse_run
      cross join lateral json_to_record(reread.snapshot -> 'columns') as shown (
        stage text, open_chunks integer, total_rows integer, total_products integer, product_numbers integer,
        parsed_rows integer, processed_products integer, valid_products integer, warning_products integer,
        error_products integer, enrich_rows integer, enriched_rows integer, marked_ready boolean, failed_in text,
        error_message text, error_log text[], error_count integer, started_at timestamptz, completed_at timestamptz)
    where runs.import_id = imports.id and runs.stage = 'parse' and runs.run = imports.rows_run
      and imports.rows_run <> imports.parse_run and reread.snapshot is not null;
    update runs set status_before = snapshot ->> 'status', edit_before = (snapshot ->> 'last_edit')::bigint
    where snapshot is not null;
    update runs set total_rows = runs.total_rows + added, parsed_rows = parsed_rows + added,
      product_numbers = product_numbers + added, total_products = total_products + (products ->> 'total')::integer,
      valid_products = valid_products + (products ->> 'valid')::integer,
      warning_products = warning_products + (products ->> 'warning')::integer,
      error_products = error_products + (products ->> 'error')::integer,
      edits_without_row = case when edits_to > 0 then coalesce(without_row, 0) else runs.edits_without_row end
    from (
      select import_id, run, (finalize ->> 'added')::integer as added, finalize -> 'products' as products,
        (finalize ->> 'editsTo')::bigint as edits_to, (finalize ->> 'editsWithoutRow')::integer as without_row from runs
      where stage = 'parse' and ended_at is null and finalize -> 'products' is not null
    ) counted
    where runs.import_id = counted.import_id and runs.stage = 'parse' and runs.run = counted.run;
    alter table runs drop column snapshot;
    alter table imports drop column stage, drop column started_at, drop column edits_without_row,
      ${sql.raw(columns.map((column) => `drop column ${column}`).join(', '))};
    create index runs_latest_ended on runs (completed_at desc nulls last, import_id) where stage = 'parse';
    alter table runs set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
    create view import_records as
      select imports.*, import_stage as stage, import_started_at as started_at, edits_without_row,
        ${sql.raw(columns.join(', '))}
      from imports join runs on runs.import_id = imports.id and runs.stage = 'parse' and runs.run = parse_run;
  `.execute(db);
}
