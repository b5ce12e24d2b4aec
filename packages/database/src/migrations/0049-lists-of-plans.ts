import { type Kysely, sql } from 'kysely';

/** The lists of a plan have indexes of their own, which the primary key cannot stand in for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Plans are few and are made again at any time. They are read while the indexes are built.
    -- squawk-ignore require-concurrent-index-creation
    create index plan_lines_listed on plan_lines ((plan + 0), about, choice, outcome, code, product);
    -- squawk-ignore require-concurrent-index-creation
    create index plan_lines_deviating on plan_lines ((plan + 0), otherwise, product) where otherwise is not null;
    -- squawk-ignore require-concurrent-index-deletion
    drop index if exists plan_lines_by_list, plan_lines_by_deviation;
  `.execute(db);
}
