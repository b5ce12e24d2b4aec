import { type Kysely, sql } from 'kysely';

/** The numbers of rows by class and issue are a column of their run. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table runs add column facets jsonb not null default '[]';
    update runs set facets = counted.facets from (
      select import_id, run, jsonb_agg(jsonb_build_object('class', class, 'issue', issue, 'rows', rows)
        order by class, issue) as facets
      from row_facets where rows <> 0 group by import_id, run
    ) counted
    where stage = 'parse' and runs.import_id = counted.import_id and runs.run = counted.run;
    drop table row_facets;
  `.execute(db);
}
