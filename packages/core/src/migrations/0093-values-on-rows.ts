import { type Kysely, sql } from 'kysely';

/**
 * Rows store their effective values, what they are searched by and whether they are duplicates, in place of texts in
 * blocks, bitmaps, findings and stored orders. The rows that exist are filled by `fillRows` after the migration. The
 * counts of look-ups are a column of their run, and the rows of a command's steps are targets of the command.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table rows add column search text collate "C", add column others text[], add column sizes float8[], add column options text[],
      add column sources json, add column is_first boolean not null default false;
    create index rows_sku on rows (import_id, run, hashtext(sku), product, row) where sku is not null;
    create index rows_gtin on rows (import_id, run, gtin, product, row) where gtin is not null;
    alter table runs drop column texts_stored, add column lacks_values boolean not null default false;
    update runs set lacks_values = true where stage = 'parse';
    delete from chunks where task in ('fill-search', 'sort-rows');
    update edit_commands set progress = (progress::jsonb - 'rekeyed' || case
        when progress ->> 'step' in ('duplicates', 'findings') then '{"step": "end"}' else '{}' end::jsonb)::json
      where progress is not null;
    drop table row_texts, row_text_signs, row_bitmaps, row_findings, command_findings, row_orders,
      row_order_keys, row_order_blocks;
    alter table runs add column coverage jsonb;
    update runs set coverage = (
      select jsonb_object_agg(field, jsonb_build_object('products', products, 'filled', filled, 'found', found))
      from field_coverage counted where counted.import_id = runs.import_id and counted.run = runs.run
    ) where stage = 'parse';
    alter table command_targets add column step integer not null default 0, drop constraint command_targets_pkey,
      add primary key (import_id, run, command, step, block);
    insert into command_targets (import_id, run, command, step, block, rows)
      select import_id, run, command, step + 1, block, rows from command_step_targets;
    drop table field_coverage, command_step_targets;
  `.execute(db);
}
