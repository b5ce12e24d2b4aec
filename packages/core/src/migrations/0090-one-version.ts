import { type Kysely, sql } from 'kysely';

/**
 * Removes what only versions before used, and what processes of two versions side by side needed: the search texts of
 * rows of their own, the views and tables of earlier previews, the forms of stored data. Checks that were added to
 * tables with rows hold for all of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop view push_undos, undo_lines;
    drop table plans, plan_lines, plan_live, condition_watch, row_search;
    drop function lose_row_texts, settle_row_search;
    alter table runs drop column searchable, drop column codes_searchable, drop column searched_at;
    alter table processes drop column forms;
    alter table ai_service drop column enabled;
    alter table supplier_lists drop column commands;
    delete from chunks where task = 'remove-search';
    alter table ledger validate constraint ledger_origin_check;
    alter table listings validate constraint listings_sending_kind_check;
    alter table previews validate constraint previews_kind_check;
    alter table runs validate constraint runs_kind_check;
  `.execute(db);
  // A role that does not own them leaves them: they take no space.
  await sql`
    do $$
    begin
      drop extension if exists btree_gin, pg_trgm;
    exception
      when insufficient_privilege or dependent_objects_still_exist then null;
    end $$`.execute(db);
}
