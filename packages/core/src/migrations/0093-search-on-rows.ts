import { type Kysely, sql } from 'kysely';

/**
 * Rows store what they are searched by and whether they are duplicates, in place of texts in blocks, bitmaps and
 * findings. The rows that exist are filled by `fillRows` after the migration.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table rows add column search text collate "C";
    create index rows_sku on rows (import_id, run, hashtext(sku), product, row) where sku is not null;
    create index rows_gtin on rows (import_id, run, gtin, product, row) where gtin is not null;
    alter table runs drop column texts_stored, add column lacks_search boolean not null default false;
    update runs set lacks_search = true where stage = 'parse';
    delete from chunks where task = 'fill-search';
    update edit_commands set progress = (progress::jsonb - 'rekeyed' || case
        when progress ->> 'step' in ('duplicates', 'findings') then '{"step": "end"}' else '{}' end::jsonb)::json
      where progress is not null;
    drop table row_texts, row_text_signs, row_bitmaps, row_findings, command_findings;
  `.execute(db);
}
