import { type Kysely, sql } from 'kysely';

/** The bit of rows that are left out, and those of issues with the same consequence as 'duplicate'. */
const leftOut = sql.raw('4503599627370496');
const likeDuplicates = sql.raw('8522908440');

/**
 * Rows that are left out of the push count in no issue: takes those that are stored out of the bitmaps of issues, and
 * counts the runs that have any again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows: runs } = await sql<{ import_id: string; run: number }>`
    select distinct import_id, run from row_facets where issue = 'left-out' and rows > 0
    order by import_id, run`.execute(db);
  // Whatever the statistics of a run, no row is compared with every other one.
  await sql`set local enable_nestloop = off`.execute(db);
  for (const { import_id, run } of runs) {
    const ofRun = sql`import_id = ${import_id} and run = ${run}`;
    await sql`
      update row_bitmaps set rows = row_bitmaps.rows & ~left_out.rows
      from (select class, block, rows from row_bitmaps where ${ofRun} and issue = 'left-out') left_out
      where ${ofRun} and issue not in ('', 'left-out') and row_bitmaps.class = left_out.class
        and row_bitmaps.block = left_out.block and bit_count(row_bitmaps.rows & left_out.rows) > 0`.execute(
      db,
    );
    await sql`delete from row_facets where ${ofRun} and issue not in ('', 'left-out')`.execute(db);
    await sql`
      insert into row_facets (import_id, run, class, issue, rows)
      select ${import_id}::uuid, ${run}::int, class, issue, sum(rows) from (
        select class, issue, bit_count(rows) as rows from row_bitmaps
        where ${ofRun} and issue not in ('', 'left-out')
        union all
        select class, counted.issue, counted.rows from (
          select rows.class, count(*) as duplicates, count(*) filter (where rows.issues = 0) as alone,
            count(*) filter (where rows.issues & ${likeDuplicates}::bigint = 0) as alone_of_kind
          from (select distinct row from row_findings where ${ofRun}) duplicates
          join (select row, class, issues from rows where ${ofRun}) rows on rows.row = duplicates.row
          where rows.issues < ${leftOut}::bigint
          group by rows.class
        ) found cross join lateral (
          values ('duplicate', duplicates), ('any', alone), ('check', alone_of_kind)) counted (issue, rows)
        where counted.rows > 0
      ) counts
      group by class, issue
      on conflict (import_id, run, class, issue) do update set rows = row_facets.rows + excluded.rows`.execute(
      db,
    );
  }
  await sql`set local enable_nestloop to default`.execute(db);
}
