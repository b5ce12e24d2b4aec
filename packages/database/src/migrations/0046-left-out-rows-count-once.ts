import { type Kysely, sql } from 'kysely';

/**
 * Rows that are left out of the push count in no issue: takes those that are stored out of the bitmaps of issues, and
 * counts the runs that have any again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update row_bitmaps set rows = row_bitmaps.rows & ~left_out.rows
    from row_bitmaps left_out
    where left_out.issue = 'left-out' and left_out.import_id = row_bitmaps.import_id
      and left_out.run = row_bitmaps.run and left_out.class = row_bitmaps.class
      and left_out.block = row_bitmaps.block and row_bitmaps.issue not in ('', 'left-out')
      and bit_count(row_bitmaps.rows & left_out.rows) > 0;

    create temporary table counted_runs on commit drop as
    select distinct import_id, run from row_facets where issue = 'left-out' and rows > 0;

    delete from row_facets using counted_runs
    where row_facets.import_id = counted_runs.import_id and row_facets.run = counted_runs.run
      and issue not in ('', 'left-out');

    insert into row_facets (import_id, run, class, issue, rows)
    select import_id, run, class, issue, sum(bit_count(rows))
    from row_bitmaps join counted_runs using (import_id, run)
    where issue not in ('', 'left-out')
    group by import_id, run, class, issue;

    insert into row_facets (import_id, run, class, issue, rows)
    select import_id, run, class, counted.issue, count(*)
    from (select distinct import_id, run, row from row_findings join counted_runs using (import_id, run)) duplicates
    join rows using (import_id, run, row)
    cross join lateral (values ('duplicate'), ('any'), ('check')) counted (issue)
    where rows.issues < 4503599627370496 and not exists (
      select from row_bitmaps
      where row_bitmaps.import_id = rows.import_id and row_bitmaps.run = rows.run
        and row_bitmaps.class = rows.class and row_bitmaps.issue = counted.issue
        and row_bitmaps.block = rows.row / 1024 and get_bit(row_bitmaps.rows, rows.row % 1024) = 1)
    group by import_id, run, class, counted.issue
    on conflict (import_id, run, class, issue) do update set rows = row_facets.rows + excluded.rows;
  `.execute(db);
}
