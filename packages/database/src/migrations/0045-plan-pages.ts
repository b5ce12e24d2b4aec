import { type Kysely, sql } from 'kysely';

/**
 * The time that plans take; one index for the lists of a plan by outcome and by choice, so that a choice changes one
 * index less; lists of what a push did otherwise by reason; whether a push was undone; and products that allow only
 * some of the choices, counted by these: `blocked?skip` instead of `blocked`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Plans are few and are made again at any time. They are read while the indexes are built.
    -- squawk-ignore require-concurrent-index-creation
    create index plan_lines_by_list on plan_lines (plan, about, choice, outcome, code, product);
    -- squawk-ignore require-concurrent-index-creation
    create index plan_lines_by_deviation on plan_lines (plan, otherwise, product) where otherwise is not null;
    -- Pushes, their undos and the removal of old states write this table. They wait for a lock without a limit; only a
    -- request that unlinks a product gives up, and can be repeated.
    -- squawk-ignore require-concurrent-index-creation
    create index pushed_states_undone on pushed_states (import_id, run) where undone_at is not null;

    update plans set decisions = coalesce((
      select json_object_agg(key, products) from (
        select case when choice is not null then about || ':' || choice
            when about = 'drifted' and choices = 'use-ours,skip' or about = 'blocked' and choices = 'skip'
            then about || '?' || choices else about end as key,
          count(*) as products
        from plan_lines where plan = plans.id and about is not null group by 1) counted), '{}')
    where replaced_at is null and decisions::text <> '{}';

    -- What keeps readers out comes last, and takes no time.
    alter table plans add column work_ms integer not null default 0;
    -- squawk-ignore require-concurrent-index-deletion
    drop index plan_lines_by_outcome, plan_lines_to_decide, plan_lines_otherwise;
  `.execute(db);
}
