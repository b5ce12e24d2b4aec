import { type Kysely, sql } from 'kysely';

/** Keeps what a plan's line shows of its differences, and sorts the lists of a plan by the size of the change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table preview_lines add column changes json, add column change_rank integer not null default 0;
    drop index preview_lines_deviating;
    create index preview_lines_deviating on preview_lines (((preview + 0)), otherwise, change_rank, line)
      where (otherwise is not null);
    drop index preview_lines_listed;
    create index preview_lines_listed
      on preview_lines (((preview + 0)), about, choice, outcome, code, change_rank, line)
      where (outcome is not null);
  `.execute(db);
}
