import { type Kysely, sql } from 'kysely';

/**
 * What a plan was made with: the edits during it, and the choices about its products. The points that it took to open
 * the store are counted by themselves.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table plans add column edits_until bigint, add column decided_since integer not null default 0,
      add column opening_points integer not null default 0;
    alter table plan_lines add column planned_choice text;

    -- Products that were planned with a choice have another outcome than those that wait for one.
    update plan_lines set planned_choice = coalesce(choice, split_part(choices, ',', 1))
    where about is not null and not (outcome = 'skipped' and code in (about, 'choice-outdated'));
    update plans set decided_since = (
      select count(*) from plan_lines
      where plan = plans.id and about is not null
        and coalesce(planned_choice, 'skip') <> coalesce(choice, 'skip'))
    where replaced_at is null and decisions::text <> '{}';
  `.execute(db);
}
