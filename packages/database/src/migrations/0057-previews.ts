import { type Kysely, sql } from 'kysely';

/**
 * Plans of pushes and previews of undos are rows of one table. Undos stay as they are, because they may be carried out
 * now, and show later what was undone. Plans are removed: they are made again at any time, and the choices made about
 * their products are in push_choices. No release has these tables. A process of the version before sees undos under
 * their old names, and plans in tables of its own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    truncate plan_live, plan_lines, plans;

    -- The views below have the names of the version before.
    -- squawk-ignore renaming-table
    alter table push_undos rename to previews;
    -- squawk-ignore renaming-table
    alter table undo_lines rename to preview_lines;

    -- squawk-ignore renaming-column
    alter table previews rename column push_run to undoes_run;
    -- An undo has a shop, an undone run, and an action when unsure; a plan does not have them, or not at once.
    -- The version before sees undos only, which have them all.
    alter table previews add column kind text not null default 'undo' check (kind in ('push','undo')),
      -- squawk-ignore ban-drop-not-null
      alter column undoes_run drop not null, alter column made_at_run drop not null,
      -- squawk-ignore ban-drop-not-null
      alter column shop drop not null, alter column when_unsure drop not null,
      add column rows_run integer, add column made_from json, add column last_edit bigint,
      add column edits_until bigint, add column store json, add column copied_at timestamptz,
      add column decisions json not null default '{}', add column decided_since integer not null default 0,
      add column opening_points integer not null default 0, add column work_ms integer not null default 0,
      add column compared json;
    alter index push_undos_pkey rename to previews_pkey;
    -- A small table.
    -- squawk-ignore require-concurrent-index-deletion
    drop index push_undo_of_import;
    -- squawk-ignore require-concurrent-index-creation
    create unique index preview_of_import on previews (import_id, kind) where replaced_at is null;
    alter index push_undos_of_import rename to previews_of_import;

    -- squawk-ignore renaming-column
    alter table preview_lines rename column undo to preview;
    alter table preview_lines drop constraint undo_lines_choice_check,
      -- squawk-ignore ban-drop-not-null
      alter column our_id drop not null, alter column action drop not null, alter column choosable drop not null,
      add column outcome text, add column parts text, add column draft_hash text, add column basis text,
      add column about text, add column choices text, add column planned_choice text, add column otherwise text,
      add column live json;
    alter index undo_lines_pkey rename to preview_lines_pkey;
    alter index undo_lines_by_result rename to preview_lines_by_result;
    -- Undos are few. Nothing reads them while the indexes are built.
    -- squawk-ignore require-concurrent-index-deletion
    drop index undo_lines_by_action, undo_lines_chosen;
    -- A choice about a line of a plan changes one index only.
    -- squawk-ignore require-concurrent-index-creation
    create index preview_lines_chosen on preview_lines (preview, line) where choice is not null and about is null;
    -- The lists of a plan have indexes of their own, which the primary key cannot stand in for.
    -- squawk-ignore require-concurrent-index-creation
    create index preview_lines_listed on preview_lines ((preview + 0), about, choice, outcome, code, line)
      where outcome is not null;
    -- squawk-ignore require-concurrent-index-creation
    create index preview_lines_deviating on preview_lines ((preview + 0), otherwise, line) where otherwise is not null;

    -- The version before adds, changes and removes its undos by these views; it removes rows by their ctid.
    create view push_undos as
      select ctid, id, import_id, undoes_run as push_run, made_at_run, shop, when_unsure, position, total, sums, choices,
        recreated_variants, points, started_at, previewed_at, problem, run, status_before, results, ended_at, replaced_at
      from previews where kind = 'undo';
    create view undo_lines as
      select ctid, preview as undo, line, our_id, store_product_id, title, action, code, message, kept, choosable,
        choice, result, result_code, result_message
      from preview_lines where outcome is null;
  `.execute(db);
}
