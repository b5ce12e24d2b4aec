import { type Kysely, sql } from 'kysely';

/**
 * What is known about the completeness of a supplier's lists, and what is done with products that it no longer lists:
 * that is planned and carried out like the undo of a push. A process of the version before counts lists without saying
 * whether they are complete, so that nothing is gone by them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table suppliers add column sends_complete boolean,
      add column gone_after integer not null default 2 check (gone_after between 1 and 10),
      add column when_gone text not null default 'nothing'
        check (when_gone in ('nothing','quantity','draft','archive','tag'));
    alter table supplier_lists add column is_complete boolean;
    -- No release has items.
    -- squawk-ignore require-concurrent-index-creation
    create index supplier_items_missed on supplier_items (supplier, missed_since, key) where missed_since is not null;

    alter table runs drop constraint runs_kind_check;
    alter table runs add constraint runs_kind_check check (kind in ('full','reread','retry','undo','gone')) not valid;
    alter table ledger drop constraint ledger_origin_check;
    alter table ledger add constraint ledger_origin_check
      check (origin in ('push','undo','scanner','call','gone')) not valid;
    alter table previews drop constraint previews_kind_check;
    alter table previews add constraint previews_kind_check check (kind in ('push','undo','gone')) not valid,
      add column gone json;
    alter table preview_lines add column items json;
  `.execute(db);
}
