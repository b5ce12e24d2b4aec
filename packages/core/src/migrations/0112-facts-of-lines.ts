import { type Kysely, sql } from 'kysely';

/**
 * Keeps what only some previews' lines have, and what no statement filters or sorts by, as one value by kind. The lines
 * are copied into a new table: rewritten in place, they would take twice the room. An update that was planned before
 * lines kept their differences gets the names of its parts. Hashes of drafts were never read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lines (
      preview bigint,
      line integer,
      our_id text,
      store_product_id text,
      title text,
      action text,
      code text,
      message text,
      choices text,
      choice text,
      result text,
      result_code text,
      result_message text,
      about text,
      basis text,
      planned_choice text,
      otherwise text,
      change_rank integer,
      live json,
      facts jsonb not null default '{}'
    );
    insert into lines
      select preview, line, our_id, store_product_id, title, coalesce(outcome, action), code, message,
        case when not choosable or choosable is null then choices when code is null then 'keep,archive'
          else 'keep,archive,delete' end,
        choice, result, result_code, result_message, about, basis, planned_choice, otherwise,
        case when outcome is not null then change_rank end, live,
        case when items is not null then items::jsonb else '{}' end
          || case when kept is not null then jsonb_build_object('kept', kept) else '{}' end
          || case when parts <> '' then jsonb_build_object('parts', string_to_array(parts, ',')) else '{}' end
          || case
            when changes is not null then jsonb_build_object('changes', changes)
            when outcome = 'updated' and parts <> '' then jsonb_build_object('changes', jsonb_build_object('more', 0,
              'shown', (
                select jsonb_agg(jsonb_build_object('part', part, 'name', '', 'store', null, 'push', null) order by at)
                from unnest(string_to_array(parts, ',')) with ordinality as named (part, at))))
            else '{}' end
      from preview_lines;
    drop table preview_lines;
    alter table lines rename to preview_lines;
    alter table preview_lines add primary key (preview, line);
    create index preview_lines_by_result on preview_lines (preview, result, result_code, line)
      where (result is not null);
    create index preview_lines_chosen on preview_lines (preview, line)
      where ((choice is not null) and (about is null));
    create index preview_lines_deviating on preview_lines (((preview + 0)), otherwise, change_rank, line)
      where (otherwise is not null);
    create index preview_lines_listed
      on preview_lines (((preview + 0)), about, choice, action, code, change_rank, line)
      where (change_rank is not null);
  `.execute(db);
}
